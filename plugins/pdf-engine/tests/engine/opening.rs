use lopdf::{EncryptionState, EncryptionVersion, Permissions};
use pdf_engine::Document;
use pdf_engine::vocabulary::{OpenError, PageError};

use crate::file::{HELVETICA, LETTER, one_page, pdf};

fn manual() -> Vec<u8> {
    one_page(LETTER, HELVETICA, "BT /F 12 Tf 72 700 Td (Division 03) Tj ET", &[])
}

#[test]
fn files_that_are_no_documents_are_refused() {
    let no_pages = pdf(&["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"]);
    let late_header = [vec![b' '; 1100], manual()].concat();
    for (name, bytes, expected) in [
        ("nothing", vec![], "not a PDF"),
        ("text", b"Division 03 - Concrete".to_vec(), "not a PDF"),
        ("a header beyond the first 1,024 bytes", late_header, "not a PDF"),
        ("a header alone", b"%PDF-1.7\n".to_vec(), "corrupt"),
        ("a document without pages", no_pages, "corrupt"),
    ] {
        let error = match Document::open(bytes) {
            Err(OpenError::NotAPdf) => "not a PDF",
            Err(OpenError::Corrupt(_)) => "corrupt",
            Err(other) => panic!("{name}: {other:?}"),
            Ok(_) => panic!("{name} opened"),
        };
        assert_eq!(error, expected, "{name}");
    }
}

#[test]
fn a_header_may_follow_other_bytes() {
    let file = [vec![b' '; 1000], manual()].concat();
    assert_eq!(Document::open(file).unwrap().page_count(), 1);
}

#[test]
fn a_file_cut_off_anywhere_opens_or_is_refused() {
    let file = manual();
    for end in 0..file.len() {
        let Ok(document) = Document::open(&file[..end]) else { continue };
        for number in 1..=document.page_count() {
            let page = document.page(number).unwrap();
            page.text();
            page.paths();
        }
    }
}

#[test]
fn a_file_without_its_table_is_repaired() {
    let mut file = manual();
    let table = file.windows(4).position(|window| window == b"xref").unwrap();
    file[table..table + 4].fill(b' ');
    let document = Document::open(file).unwrap();
    assert_eq!(document.page(1).unwrap().text().runs[0].text, "Division 03");
}

#[test]
fn pages_are_counted_from_one() {
    let document = Document::open(manual()).unwrap();
    assert!(document.page(1).is_ok());
    for number in [0, 2, u32::MAX] {
        assert!(matches!(document.page(number), Err(PageError::OutOfRange)), "page {number}");
    }
}

#[test]
fn only_an_empty_user_password_opens() {
    for key_length in [40, 128] {
        let open = Document::open(encrypted("", key_length)).unwrap();
        assert!(open.is_encrypted());
        assert_eq!(open.page(1).unwrap().text().runs[0].text, "Division 03");
        assert!(matches!(Document::open(encrypted("secret", key_length)), Err(OpenError::PasswordRequired)));
    }
    assert!(!Document::open(manual()).unwrap().is_encrypted());
}

fn encrypted(user_password: &str, key_length: usize) -> Vec<u8> {
    let mut document = lopdf::Document::load_mem(&manual()).unwrap();
    let id = lopdf::Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    let mut file = vec![];
    document.save_to(&mut file).unwrap();
    file
}
