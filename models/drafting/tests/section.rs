//! Checks that synthetic sections agree with their ground truth.

use drafting::section::{self, Style};

/// Every style preset, and random styles.
fn styles() -> Vec<(String, Style, u64)> {
    let named = section::styles().into_iter().map(|(name, style)| (name.to_owned(), style, 3));
    named.chain((0..40).map(|seed| (format!("seed {seed}"), Style::random(seed), seed))).collect()
}

#[test]
fn the_same_style_and_seed_give_the_same_bytes() {
    for (name, style, seed) in styles().into_iter().take(12) {
        let (one, two) = (section::generate(&style, seed), section::generate(&style, seed));
        assert_eq!(one.truth, two.truth, "{name}");
        assert!(one.pdf == two.pdf, "{name}: the bytes differ");
    }
}

#[test]
fn the_file_has_the_pages_that_the_truth_says() {
    for (name, style, seed) in styles() {
        let bound = section::generate(&style, seed);
        let file = lopdf::Document::load_mem(&bound.pdf).unwrap();
        assert_eq!(file.get_pages().len(), bound.truth.pages, "{name}");
    }
}

#[test]
fn sections_follow_each_other_and_hold_what_they_ask_for() {
    for (name, style, seed) in styles() {
        let truth = section::generate(&style, seed).truth;
        let mut page = 1;
        for section in &truth.sections {
            let span = section.start_page..=section.end_page;
            assert!(section.start_page >= page && section.end_page <= truth.pages, "{name}: {span:?}");
            page = section.end_page;
            assert!(section.paragraphs.iter().all(|paragraph| span.contains(&paragraph.page)), "{name}");
            for requirement in &section.requirements {
                let stands = |text: &str| text.contains(&requirement.text);
                assert!(section.paragraphs.iter().any(|paragraph| stands(&paragraph.text)), "{name}: {requirement:?}");
                assert!(span.contains(&requirement.page), "{name}: {requirement:?}");
            }
        }
    }
}
