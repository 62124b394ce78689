//! The folder of blobs, which knows no database.

use std::fs::File;
use std::time::{Duration, SystemTime};

use fanlight_store::{Blobs, StoreError};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Larger than two parts and no multiple of one.
const LARGE: usize = 12 * 1024 * 1024 + 345;

fn files(folder: &TempDir) -> usize {
    std::fs::read_dir(folder.path().join("documents")).map_or(0, Iterator::count)
}

#[tokio::test]
async fn what_goes_in_in_pieces_comes_out_whole() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();
    let content: Vec<u8> = (0..LARGE).map(|index| (index * 31 % 251) as u8).collect();

    let mut upload = blobs.upload(LARGE as u64).await.unwrap();
    for piece in content.chunks(70_000) {
        upload.write(piece).await.unwrap();
    }
    let blob = upload.finish().await.unwrap();

    assert_eq!(blob.size_bytes(), LARGE as u64);
    assert_eq!(blob.sha256(), hex::encode(Sha256::digest(&content)));
    assert!(std::fs::read(blob.local_file().unwrap()).unwrap() == content);
}

#[tokio::test]
async fn an_empty_upload_is_an_empty_blob() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();

    let blob = blobs.upload(10).await.unwrap().finish().await.unwrap();

    assert_eq!(blob.size_bytes(), 0);
    assert_eq!(std::fs::read(blob.local_file().unwrap()).unwrap(), b"");
}

#[tokio::test]
async fn an_upload_over_the_cap_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();
    let limit = 6 * 1024 * 1024;
    let mut upload = blobs.upload(limit).await.unwrap();

    upload.write(&vec![0; limit as usize]).await.unwrap();
    for _ in 0..2 {
        let refused = upload.write(&[0]).await;
        assert!(matches!(refused, Err(StoreError::TooLarge { limit: cap }) if cap == limit), "{refused:?}");
    }
    assert!(matches!(upload.finish().await, Err(StoreError::TooLarge { .. })));

    assert_eq!(files(&folder), 0);
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();
    let mut upload = blobs.upload(u64::MAX).await.unwrap();
    upload.write(&vec![0; LARGE]).await.unwrap();

    upload.abort().await.unwrap();

    assert_eq!(files(&folder), 0);
}

#[test]
fn an_upload_whose_client_went_away_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let blobs = Blobs::in_folder(folder.path()).unwrap();
        let mut upload = blobs.upload(u64::MAX).await.unwrap();
        upload.write(&vec![0; LARGE]).await.unwrap();
        drop(upload);
    });

    // The clean-up may be on another thread, for which the runtime waits when it ends.
    drop(runtime);
    assert_eq!(files(&folder), 0);
}

#[tokio::test]
async fn a_blob_that_nobody_keeps_is_deleted() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();
    let mut upload = blobs.upload(10).await.unwrap();
    upload.write(b"%PDF").await.unwrap();
    let blob = upload.finish().await.unwrap();
    assert_eq!(files(&folder), 1);

    drop(blob);

    assert_eq!(files(&folder), 0);
}

#[tokio::test]
async fn what_a_killed_process_left_of_an_upload_is_removed() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::in_folder(folder.path()).unwrap();
    let mut upload = blobs.upload(10).await.unwrap();
    upload.write(b"%PDF").await.unwrap();
    let blob = upload.finish().await.unwrap();
    let now = SystemTime::now();
    let left = folder.path().join("documents/0190-left#1");
    let file = File::create(&left).unwrap();
    for (written, removed) in [(now, 0), (now - Duration::from_secs(1), 1)] {
        file.set_modified(written).unwrap();
        assert_eq!(blobs.remove_unfinished(now).unwrap(), removed);
    }
    assert!(!left.exists());
    assert!(blob.local_file().unwrap().exists());
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_the_blobs() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let blobs = folder.path().join("blobs");
    Blobs::in_folder(&blobs).unwrap();
    assert_eq!(std::fs::metadata(&blobs).unwrap().permissions().mode() & 0o777, 0o700);
}
