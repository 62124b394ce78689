//! Blobs in a folder and in a bucket, and their uploads.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use fanlight_store::{Blobs, NewDocument, S3Settings, StoreError, Tier};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use throwaway_s3::S3;

use crate::world::{BlobPlace, DatabaseKind, World, in_both_places, settings_of};

in_both_places!(
    upload_in_pieces_is_read_back_whole_and_in_ranges,
    empty_upload_becomes_an_empty_blob,
    upload_over_its_limit_leaves_nothing_behind,
    abandoned_upload_leaves_nothing_behind,
    blob_without_a_document_is_deleted,
    uploads_of_a_killed_host_are_swept,
    swept_upload_can_not_become_a_document,
    blob_is_swept_with_its_document,
    missing_blob_is_not_found,
);

/// More bytes than two parts have, and no multiple of a part.
const LARGE: usize = 12 * 1024 * 1024 + 345;

/// Longer than any upload in the tests takes.
const LONGEST: Duration = Duration::from_mins(30);

fn content() -> Vec<u8> {
    (0..LARGE).map(|index| (index * 31 % 251) as u8).collect()
}

fn titled(filename: &str) -> NewDocument {
    NewDocument { filename: filename.to_owned(), page_count: 1, encrypted: false }
}

async fn upload_in_pieces_is_read_back_whole_and_in_ranges(world: World) {
    let content = content();
    let blob = world.blob(&content).await;
    assert_eq!(blob.size_bytes(), LARGE as u64);
    assert_eq!(blob.sha256(), hex::encode(Sha256::digest(&content)));
    let mut whole = Vec::new();
    blob.open().await.unwrap().read_to_end(&mut whole).unwrap();
    assert!(whole == content);

    let caller = world.caller("office", Tier::Pro).await;
    let document = world.store.add_document(&caller, titled("manual.pdf"), blob).await.unwrap();
    for (start, end) in [(0, LARGE), (0, 1), (5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1), (LARGE - 1, LARGE)] {
        let bytes = world.blobs.read(&document.blob, start as u64..end as u64).await.unwrap();
        let chunks: Vec<_> = bytes.try_collect().await.unwrap();
        assert!(chunks.concat() == content[start..end], "{start}..{end}");
    }
    let shorter = world.blobs.open(&document.blob, LARGE as u64 - 1).await;
    assert_eq!(shorter.is_err(), !world.is_in_folder(), "a copy has the size of the upload");
}

async fn empty_upload_becomes_an_empty_blob(world: World) {
    let blob = world.blob(b"").await;
    assert_eq!(blob.size_bytes(), 0);
    assert_eq!(blob.open().await.unwrap().read_to_end(&mut Vec::new()).unwrap(), 0);
}

async fn upload_over_its_limit_leaves_nothing_behind(world: World) {
    let limit = 6 * 1024 * 1024;
    let mut upload = world.store.begin_upload(&world.blobs, limit).await.unwrap();

    upload.write(&vec![0; limit as usize]).await.unwrap();
    for _ in 0..2 {
        let refused = upload.write(&[0]).await;
        assert!(matches!(refused, Err(StoreError::TooLarge { limit: cap }) if cap == limit), "{refused:?}");
    }
    assert_eq!(world.blob_names().len(), 1, "the upload is unfinished");
    assert!(matches!(upload.finish().await, Err(StoreError::TooLarge { .. })));

    assert!(world.blob_names().is_empty());
}

async fn abandoned_upload_leaves_nothing_behind(world: World) {
    let mut upload = world.store.begin_upload(&world.blobs, u64::MAX).await.unwrap();
    upload.write(&vec![0; LARGE]).await.unwrap();
    world.store.abandon_upload(upload).await.unwrap();
    assert!(world.blob_names().is_empty());

    let blob = world.blob(b"no PDF").await;
    assert_eq!(world.blob_names().len(), 1);
    world.store.discard_upload(blob).await.unwrap();
    assert!(world.blob_names().is_empty());
    assert_eq!(world.number("SELECT COUNT(*) FROM uploads").await, 0);
}

#[test]
fn dropped_upload_leaves_nothing_behind() {
    for place in [BlobPlace::Folder, BlobPlace::Bucket] {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let world = runtime.block_on(async {
            let world = World::with(DatabaseKind::Sqlite, place).await;
            let mut upload = world.store.begin_upload(&world.blobs, u64::MAX).await.unwrap();
            upload.write(&vec![0; LARGE]).await.unwrap();
            drop(upload);
            world.blobs.settle().await;
            // The folder's clean-up was queued for a blocking thread before this task, so it has begun by now.
            tokio::task::spawn_blocking(|| ()).await.unwrap();
            world
        });
        // Dropping the runtime waits for blocking tasks that have begun.
        drop(runtime);
        assert!(world.blob_names().is_empty());
    }
}

async fn blob_without_a_document_is_deleted(world: World) {
    let blob = world.blob(b"%PDF").await;
    assert_eq!(world.blob_names().len(), 1);

    drop(blob);
    world.blobs.settle().await;

    assert!(world.blob_names().is_empty());
}

async fn uploads_of_a_killed_host_are_swept(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let kept = world.document(&caller, "%PDF").await;
    let began = world.clock.now();
    // A killed process drops nothing.
    let mut unfinished = world.store.begin_upload(&world.blobs, u64::MAX).await.unwrap();
    unfinished.write(&vec![0; LARGE]).await.unwrap();
    std::mem::forget(unfinished);
    std::mem::forget(world.blob(b"%PDF").await);
    world.clock.advance(Duration::from_micros(1));
    let last = world.store.begin_upload(&world.blobs, 10).await.unwrap();
    assert_eq!(world.blob_names().len(), 4);

    let other = world.another_host().await;
    let sweep = async || other.sweep_uploads(&world.blobs, "other", LONGEST).await.unwrap();
    world.clock.set(began + LONGEST - Duration::from_micros(1));
    assert_eq!((sweep().await, world.blob_names().len()), (Some(0), 4), "the uploads may still be running");
    world.clock.set(began + LONGEST);
    assert_eq!((sweep().await, world.blob_names().len()), (Some(2), 2));
    assert_eq!(sweep().await, Some(0), "there is no more to do");

    world.store.abandon_upload(last).await.unwrap();
    assert_eq!(world.blob_names().len(), 1);
    assert!(world.blobs.open(&kept.blob, kept.size_bytes).await.is_ok());
}

async fn swept_upload_can_not_become_a_document(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let blob = world.blob(b"%PDF").await;
    world.clock.advance(LONGEST);
    assert_eq!(world.store.sweep_uploads(&world.blobs, "host", LONGEST).await.unwrap(), Some(1));

    let late = world.store.add_document(&caller, titled("late.pdf"), blob).await;
    assert!(matches!(late, Err(StoreError::BlobNotFound)), "{late:?}");
    assert_eq!(world.number("SELECT COUNT(*) FROM documents").await, 0);
}

async fn blob_is_swept_with_its_document(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    world.clock.set(document.expires_at);
    let swept = world.store.sweep(&world.blobs, "host", Duration::ZERO).await.unwrap().unwrap();
    assert_eq!((swept.documents, swept.failed), (1, 0));
    assert!(world.blob_names().is_empty());
}

async fn missing_blob_is_not_found(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    world.lose_blobs();
    let read = world.blobs.read(&document.blob, 0..4).await.map(|_| ());
    assert!(matches!(read, Err(StoreError::BlobNotFound)), "{read:?}");
    let opened = world.blobs.open(&document.blob, 4).await;
    assert!(matches!(opened, Err(StoreError::BlobNotFound)), "{opened:?}");
    world.blobs.delete(&document.blob).await.unwrap();
}

/// Starts a server that answers one request with status 418 and this text. Returns its address.
fn talkative_gateway(text: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = format!("HTTP/1.1 418 I'm a teapot\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut line = String::new();
        let mut request = BufReader::new(client.try_clone().unwrap());
        while !line.ends_with("\r\n\r\n") && request.read_line(&mut line).unwrap() > 0 {}
        client.write_all(answer.as_bytes()).unwrap();
        // The rest of the request is read, because closing earlier could cut the answer off.
        let _ = std::io::copy(&mut request, &mut std::io::sink());
    });
    format!("http://{address}")
}

#[tokio::test]
async fn error_of_an_unusable_bucket_does_not_name_it() {
    let folder = TempDir::new().unwrap();
    let server = S3::start();
    let bucket = server.create_bucket();
    let settings = settings_of(&bucket);
    let gateway = talkative_gateway(&format!("{} is not for an/office", bucket.name));
    let cases: [(S3Settings, &str); 5] = [
        (S3Settings { bucket: "nobodys-bucket".to_owned(), ..settings.clone() }, "NoSuchBucket"),
        (S3Settings { allow_http: false, ..settings.clone() }, "`allow_http`"),
        (S3Settings { secret_access_key: None, ..settings.clone() }, "both its id and its secret"),
        (S3Settings { endpoint: Some("http://127.0.0.1:1".to_owned()), ..settings.clone() }, "Connection refused"),
        (S3Settings { endpoint: Some(gateway), ..settings.clone() }, "the server answered 418"),
    ];
    for (settings, reason) in cases {
        let error = Blobs::in_bucket(&settings, folder.path()).await.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains(&settings.bucket) && !error.contains("office"), "{error}");
    }

    let blobs = Blobs::in_bucket(&settings, folder.path()).await.unwrap();
    blobs.ping().await.unwrap();
    assert!(!format!("{blobs:?}").contains(&bucket.name));
    assert_eq!(bucket.objects(), ["an/office/fanlight"]);
    let at_the_top = S3Settings { prefix: String::new(), ..settings };
    Blobs::in_bucket(&at_the_top, folder.path()).await.unwrap();
    assert_eq!(bucket.objects(), ["an/office/fanlight", "fanlight"]);
    drop(server);
    assert!(blobs.ping().await.is_err());
}

#[tokio::test]
async fn missing_folder_fails_the_ping() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(&folder.path().join("blobs")).unwrap();
    blobs.ping().await.unwrap();
    std::fs::remove_dir(folder.path().join("blobs")).unwrap();
    assert!(blobs.ping().await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn folders_are_readable_by_this_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let (blobs, spool) = (folder.path().join("blobs"), folder.path().join("spool"));
    Blobs::in_folder(&blobs).unwrap();
    Blobs::in_bucket(&settings_of(&S3::shared().create_bucket()), &spool).await.unwrap();
    for folder in [blobs, spool] {
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
    }
}
