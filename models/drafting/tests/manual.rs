//! Checks that synthetic manuals agree with their ground truth.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use drafting::manual::{self, Bookmarks, Manual, Numbering, Source, Style, Truth};

/// Every style preset, and random styles; generated once for all tests.
fn manuals() -> &'static [(String, Manual)] {
    static MANUALS: OnceLock<Vec<(String, Manual)>> = OnceLock::new();
    MANUALS.get_or_init(|| {
        let named = manual::styles().into_iter().map(|(name, style)| (name.to_owned(), manual::generate(&style, 7)));
        let mixed = (0..60).map(|seed| (format!("seed {seed}"), manual::generate(&Style::random(seed), seed)));
        named.chain(mixed).collect()
    })
}

fn sections(truth: &Truth) -> impl Iterator<Item = &manual::Section> {
    truth.divisions.iter().flat_map(|division| &division.sections)
}

#[test]
fn the_same_style_and_seed_give_the_same_bytes() {
    for (name, style) in manual::styles().into_iter().take(12) {
        let (one, two) = (manual::generate(&style, 3), manual::generate(&style, 3));
        assert_eq!(one.truth, two.truth, "{name}");
        assert!(one.pdf == two.pdf, "{name}: the bytes differ");
    }
    assert_eq!(Style::random(11), Style::random(11));
}

#[test]
fn seeds_give_different_manuals() {
    let style = Style::default();
    assert_ne!(manual::generate(&style, 1).truth.divisions, manual::generate(&style, 2).truth.divisions);
    let styles: BTreeSet<String> = (0..50).map(|seed| format!("{:?}", Style::random(seed))).collect();
    assert_eq!(styles.len(), 50);
}

#[test]
fn a_style_that_names_its_pages_gets_them() {
    for pages in [20, 75, 1000] {
        for seed in 0..3 {
            let style = Style { pages, divisions: 30, sections: 30, ..Style::default() };
            let wanted = usize::from(pages);
            assert_eq!(manual::generate(&style, seed).truth.pages, wanted, "seed {seed}");
        }
    }
}

#[test]
fn the_file_has_the_pages_that_the_truth_says() {
    for (name, manual) in manuals() {
        let file = lopdf::Document::load_mem(&manual.pdf).unwrap();
        assert_eq!(file.get_pages().len(), manual.truth.pages, "{name}");
    }
}

#[test]
fn pages_carry_the_rotation_of_the_style() {
    for (name, style) in manual::styles().into_iter().filter(|(name, _)| name.starts_with("rotated")) {
        let file = lopdf::Document::load_mem(&manual::generate(&style, 1).pdf).unwrap();
        for page in file.get_pages().into_values() {
            let rotate = file.get_dictionary(page).unwrap().get(b"Rotate").unwrap().as_i64().unwrap();
            assert_eq!(rotate, i64::from(style.rotate), "{name}");
        }
    }
}

#[test]
fn codes_have_six_digits_and_stand_below_their_division() {
    for (name, manual) in manuals() {
        let digits = |code: &str, count: usize| code.len() == count && code.bytes().all(|b| b.is_ascii_digit());
        for division in &manual.truth.divisions {
            assert!(digits(&division.division_code, 2), "{name}: {division:?}");
            for section in &division.sections {
                assert!(digits(&section.section_code, 6), "{name}: {section:?}");
                assert!(section.section_code.starts_with(&division.division_code), "{name}: {section:?}");
                assert!(!section.section_title.is_empty(), "{name}: {section:?}");
            }
        }
    }
}

#[test]
fn divisions_and_sections_stand_in_document_order() {
    for (name, manual) in manuals() {
        let codes: Vec<&str> = manual.truth.divisions.iter().map(|division| division.division_code.as_str()).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{name}: {codes:?}");
        let pages: Vec<usize> = sections(&manual.truth).map(|section| section.page).collect();
        assert!(pages.is_sorted(), "{name}: {pages:?}");
    }
}

#[test]
fn no_number_is_printed_twice() {
    for (name, manual) in manuals() {
        let numbers: Vec<&str> = sections(&manual.truth).map(|section| section.printed_code.as_str()).collect();
        let distinct: BTreeSet<&&str> = numbers.iter().collect();
        assert_eq!(distinct.len(), numbers.len(), "{name}: {numbers:?}");
    }
}

#[test]
fn lines_of_the_contents_stand_on_contents_pages() {
    for (name, manual) in manuals() {
        let truth = &manual.truth;
        assert_eq!(truth.source == Source::Contents, !truth.toc_pages.is_empty(), "{name}");
        assert!(truth.toc_pages.iter().all(|page| (1..=truth.pages).contains(page)), "{name}");
        if truth.source == Source::Contents {
            assert!(sections(truth).all(|section| truth.toc_pages.contains(&section.page)), "{name}");
        }
    }
}

#[test]
fn bodies_follow_each_other_inside_the_file() {
    for (name, manual) in manuals() {
        let truth = &manual.truth;
        let mut last = 0;
        assert!(!truth.bodies.is_empty(), "{name}");
        for body in &truth.bodies {
            assert!(last < body.start_page && body.start_page <= body.end_page, "{name}: {body:?}");
            assert!(body.end_page <= truth.pages, "{name}: {body:?}");
            assert!(sections(truth).any(|section| section.section_code == body.section_code), "{name}: {body:?}");
            last = body.end_page;
        }
    }
}

#[test]
fn the_outline_in_the_file_is_the_one_in_the_truth() {
    for (name, style) in manual::styles().into_iter().filter(|(_, style)| style.bookmarks != Bookmarks::None) {
        let manual = manual::generate(&style, 5);
        let file = lopdf::Document::load_mem(&manual.pdf).unwrap();
        let outline = file.get_toc().unwrap().toc;
        let found: Vec<(usize, usize)> = outline.iter().map(|entry| (entry.level - 1, entry.page)).collect();
        let wanted: Vec<(usize, usize)> = manual.truth.bookmarks.iter().map(|mark| (mark.level, mark.page)).collect();
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn numbers_are_printed_in_the_form_of_the_style() {
    let cases = [
        (Numbering::Pairs, "## ## ##"),
        (Numbering::Joined, "######"),
        (Numbering::Halved, "## ####"),
        (Numbering::Hyphened, "##-##-##"),
        (Numbering::Dotted, "##.##.##"),
        (Numbering::FiveDigits, "#####"),
    ];
    for (numbering, form) in cases {
        let style = Style { numbering, level_four: 0, ..Style::default() };
        let truth = manual::generate(&style, 2).truth;
        for section in sections(&truth) {
            let shape: String =
                section.printed_code.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
            assert_eq!(shape, form, "{section:?}");
        }
    }
}

#[test]
fn what_a_style_strikes_or_leaves_unused_is_marked() {
    let style = Style { struck: 30, unused_sections: 30, ..Style::default() };
    let truth = manual::generate(&style, 1).truth;
    let of = |pick: fn(&manual::Section) -> bool| sections(&truth).filter(|section| pick(section)).count();
    assert!(of(|section| section.struck) > 5);
    assert!(of(|section| section.not_used) > 5);
    assert_eq!(of(|section| section.struck && section.not_used), 0);
}

#[test]
fn truth_survives_json() {
    let truth = manual::generate(&Style::random(9), 9).truth;
    let spelled = serde_json::to_string(&truth).unwrap();
    assert_eq!(serde_json::from_str::<Truth>(&spelled).unwrap(), truth);
}
