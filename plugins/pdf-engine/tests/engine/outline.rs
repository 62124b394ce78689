use std::fmt::Write as _;

use pdf_engine::{Document, Metadata, OutlineItem};

use crate::file::{pdf, with_catalog};

/// Two pages, and an outline with the items as objects 5 and on.
fn outlined(catalog: &str, items: &[String]) -> Document {
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R /Outlines << /First 5 0 R >> {catalog} >>"),
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 10 10] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R >>".to_owned(),
    ];
    objects.extend_from_slice(items);
    Document::open(pdf(&objects)).unwrap()
}

fn item(title: &str, level: u32, page: Option<u32>) -> OutlineItem {
    OutlineItem { title: title.to_owned(), level, page }
}

#[test]
fn items_are_in_reading_order_with_their_levels() {
    let document = outlined(
        "",
        &[
            "<< /Title (Division 01) /Dest [3 0 R /Fit] /First 6 0 R /Next 8 0 R >>".to_owned(),
            "<< /Title (01 10 00) /Dest [3 0 R /Fit] /First 7 0 R >>".to_owned(),
            "<< /Title (Part 1) /Dest [4 0 R /Fit] >>".to_owned(),
            "<< /Title <FEFF00440069007600690073006900F3006E00200030003300A0002D> /Dest [4 0 R /Fit] >>".to_owned(),
        ],
    );
    let expected = [
        item("Division 01", 0, Some(1)),
        item("01 10 00", 1, Some(1)),
        item("Part 1", 2, Some(2)),
        item("Divisi\u{f3}n 03\u{a0}-", 0, Some(2)),
    ];
    assert_eq!(document.outline(), expected);
}

#[test]
fn every_kind_of_destination_leads_to_its_page() {
    let catalog = "/Dests << /old [4 0 R /Fit] /held << /D [4 0 R /Fit] >> >> /Names << /Dests 100 0 R >>";
    for (destination, page) in [
        ("/Dest [4 0 R /XYZ 0 0 0]", Some(2)),
        ("/Dest [1 /Fit]", Some(2)),
        ("/Dest /old", Some(2)),
        ("/Dest /held", Some(2)),
        ("/Dest (new)", Some(2)),
        ("/A << /S /GoTo /D [3 0 R /Fit] >>", Some(1)),
        ("/A << /S /GoTo /D (new) >>", Some(2)),
        ("/A << /S /URI /URI (https://example.org) >>", None),
        ("/A << /S /GoToR /D [0 /Fit] /F (other.pdf) >>", None),
        ("/Dest (missing)", None),
        ("/Dest [99 0 R /Fit]", None),
        ("/Dest [7 /Fit]", None),
        ("", None),
    ] {
        let catalog = catalog.replace("100 0 R", "6 0 R");
        let tree = "<< /Kids [<< /Limits [(new) (new)] /Names [(new) << /D [4 0 R /Fit] >>] >>] >>";
        let document = outlined(&catalog, &[format!("<< /Title (T) {destination} >>"), tree.to_owned()]);
        assert_eq!(document.outline(), [item("T", 0, page)], "{destination}");
    }
}

#[test]
fn a_cyclic_chain_of_items_ends() {
    let document = outlined(
        "",
        &[
            "<< /Title (A) /First 6 0 R /Next 5 0 R >>".to_owned(),
            "<< /Title (B) /First 5 0 R /Next 6 0 R >>".to_owned(),
        ],
    );
    assert_eq!(document.outline(), [item("A", 0, None), item("B", 1, None)]);
}

#[test]
fn depth_and_length_are_bounded() {
    let deep: Vec<String> = (6..206).map(|next| format!("<< /Title (T) /First {next} 0 R >>")).collect();
    assert_eq!(outlined("", &deep).outline().len(), 64);

    let long: Vec<String> = (6..100_106).map(|next| format!("<< /Title (T) /Next {next} 0 R >>")).collect();
    assert_eq!(outlined("", &long).outline().len(), 100_000);
}

#[test]
fn missing_metadata_is_none() {
    let mut file = with_catalog("", "/MediaBox [0 0 10 10]", "", "", &[]);
    let text = String::from_utf8(file.clone()).unwrap();
    let information = "/Info << /Title (Project Manual) /Author <FEFF00C40042> /Subject () /Producer (a press) >>";
    file = text
        .replace("/Root 1 0 R", &{
            let mut root = "/Root 1 0 R ".to_owned();
            write!(root, "{information}").unwrap();
            root
        })
        .into_bytes();
    let expected = Metadata {
        title: Some("Project Manual".to_owned()),
        author: Some("ÄB".to_owned()),
        producer: Some("a press".to_owned()),
        ..Metadata::default()
    };
    assert_eq!(Document::open(file).unwrap().metadata(), expected);
}
