//! Pages of hand-made runs, and how they are read.

use fanlight_contract::{Font, Geometry, PageText, Rect, TextRun};
use fanlight_text::{Page, Phrase};

const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };

fn geometry(rotation: u32) -> Geometry {
    Geometry { media_box: SHEET, crop_box: SHEET, rotation, user_unit: 1.0 }
}

/// Glyphs of half an em at 10 points, in font 0.
fn run(text: &str, x: f32, y: f32) -> TextRun {
    set(text, x, y, 0.0, &vec![5.0; text.chars().count()])
}

fn set(text: &str, x: f32, y: f32, angle: f32, advances: &[f32]) -> TextRun {
    let length: f32 = advances.iter().sum();
    let (sin, cos) = angle.to_radians().sin_cos();
    let corners = [(0.0, -2.0), (length, -2.0), (length, 8.0), (0.0, 8.0)]
        .map(|(along, up)| (x + along * cos - up * sin, y + along * sin + up * cos));
    let bound =
        |pick: fn(f32, f32) -> f32, of: fn(&(f32, f32)) -> f32, from: f32| corners.iter().map(of).fold(from, pick);
    TextRun {
        text: text.to_owned(),
        lengths: text.chars().map(|c| c.len_utf8() as u8).collect(),
        advances: advances.to_vec(),
        codes: text.chars().map(u32::from).collect(),
        x,
        y,
        size: 10.0,
        angle,
        bbox: Rect {
            x1: bound(f32::min, |c| c.0, f32::MAX),
            y1: bound(f32::min, |c| c.1, f32::MAX),
            x2: bound(f32::max, |c| c.0, f32::MIN),
            y2: bound(f32::max, |c| c.1, f32::MIN),
        },
        font: 0,
        color: 0,
        visible: true,
    }
}

fn page(runs: Vec<TextRun>, rotation: u32) -> Page {
    let fonts = vec![Font { name: "Test".to_owned(), bold: false, italic: false }];
    Page::read(&PageText { fonts, runs }, &geometry(rotation))
}

/// Lines as text: phrases in brackets, "…" before one that a leader leads to.
fn lines(page: &Page) -> Vec<String> {
    let show = |phrase: &Phrase| format!("{}[{}]", if phrase.after_leader { "…" } else { "" }, phrase.text());
    page.lines.iter().map(|line| line.phrases(1.0).iter().map(show).collect()).collect()
}

/// Each letter a run of its own, spaces not drawn.
fn letters(text: &str, x: f32, y: f32, pitch: f32) -> Vec<TextRun> {
    let placed = text.chars().enumerate().filter(|(_, c)| *c != ' ');
    placed.map(|(at, c)| run(&c.to_string(), x + at as f32 * pitch, y)).collect()
}

/// Each glyph a run of its own, `pitch` apart, with spaces of `space`.
fn placed(glyphs: &[&str], x: f32, y: f32, pitch: f32, space: f32) -> Vec<TextRun> {
    let mut x = x;
    let mut runs = Vec::new();
    for glyph in glyphs {
        let advance = if *glyph == " " { space } else { pitch };
        runs.push(set(glyph, x, y, 0.0, &[advance]));
        x += advance;
    }
    runs
}

/// A run further to the right.
fn shifted(run: TextRun, by: f32) -> TextRun {
    let bbox = Rect { x1: run.bbox.x1 + by, x2: run.bbox.x2 + by, ..run.bbox };
    TextRun { x: run.x + by, bbox, ..run }
}

/// A run of a font whose glyphs are condensed to a share of their width.
fn condensed(text: &str, x: f32, y: f32, share: f32) -> TextRun {
    set(text, x, y, 0.0, &vec![5.0 * share; text.chars().count()])
}

#[test]
fn short_words_beside_condensed_text_stay_whole() {
    let runs = vec![condensed("EXONIT", 50.0, 700.0, 0.6), run("No", 50.0, 650.0), run("EXIT", 50.0, 600.0)];
    assert_eq!(lines(&page(runs, 0)), ["[EXONIT]", "[No]", "[EXIT]"]);
}

/// A word of a scan's text layer: glyphs all equally wide, stretched over the word's picture.
fn stretched(text: &str, x: f32, y: f32, width: f32) -> TextRun {
    let count = text.chars().count();
    let advance = width / count as f32;
    TextRun { visible: false, ..set(text, x, y, 0.0, &vec![advance; count]) }
}

#[test]
fn words_that_ocr_stretched_over_their_pictures_stay_whole() {
    let runs = vec![
        stretched("SUBMITTALS ", 50.0, 700.0, 90.0),
        stretched("ILL ", 136.0, 700.0, 14.0),
        stretched("OF ", 151.0, 700.0, 24.0),
        stretched("MATERIALS ", 172.0, 700.0, 60.0),
        stretched("AMIABLE ", 231.0, 700.0, 70.0),
    ];
    assert_eq!(lines(&page(runs, 0)), ["[SUBMITTALS ILL OF MATERIALS AMIABLE]"]);
}

#[test]
fn a_move_parts_words_of_a_stretched_line() {
    let mut line = stretched("DOORFRAMES", 50.0, 700.0, 60.0);
    line.advances[3] = 9.0;
    assert_eq!(lines(&page(vec![line], 0)), ["[DOOR FRAMES]"]);
}

#[test]
fn runs_become_words_and_phrases() {
    let alphabet = run("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789", 50.0, 100.0);
    let cases: [(&str, Vec<TextRun>, &[&str]); 15] = [
        ("spaces part words", vec![run("Hollow Metal Doors", 50.0, 700.0)], &["[Hollow Metal Doors]"]),
        (
            "a wide gap parts phrases",
            vec![run("08 11 13", 50.0, 700.0), run("Doors", 120.0, 700.0)],
            &["[08 11 13][Doors]"],
        ),
        (
            "runs in any order are read from the left and the top",
            vec![run("second", 50.0, 680.0), run("right", 300.0, 700.0), run("left", 50.0, 700.0)],
            &["[left][right]", "[second]"],
        ),
        ("letters placed one by one are joined", letters("Hollow Metal", 50.0, 700.0, 5.0), &["[Hollow Metal]"]),
        ("letters spaced out are joined", letters("CONTENTS", 50.0, 700.0, 7.0), &["[CONTENTS]"]),
        (
            "a run of white space parts letters however narrow it is",
            placed(&["t", "o", " ", "D", "N", "6", "0"], 50.0, 700.0, 5.0, 1.0),
            &["[to DN60]"],
        ),
        (
            "letters spaced out in one column say nothing of another",
            [letters("CONTENTS", 50.0, 700.0, 7.0), placed(&["t", "o", "D", "N", "6", "0"], 300.0, 700.0, 5.0, 0.0)]
                .concat()
                .into_iter()
                .map(|run| if run.x >= 310.0 { shifted(run, 2.5) } else { run })
                .collect(),
            &["[CONTENTS][to DN60]"],
        ),
        (
            "a move that stands for a space parts words",
            vec![set("GlassDoors", 50.0, 700.0, 0.0, &[5.0, 5.0, 5.0, 5.0, 7.5, 5.0, 5.0, 5.0, 5.0, 5.0])],
            &["[Glass Doors]"],
        ),
        (
            "what is printed twice for bold is read once",
            vec![run("Doors", 50.0, 700.0), run("Doors", 50.3, 700.0)],
            &["[Doors]"],
        ),
        (
            "dots lead to a page, whether they hang on the words or not",
            vec![
                run("Doors........12", 50.0, 700.0),
                run("Glazing", 50.0, 680.0),
                run(". . . . .", 120.0, 680.0),
                run("14", 170.0, 680.0),
            ],
            &["[Doors]…[12]", "[Glazing]…[14]"],
        ),
        (
            "two dots that stand apart are left of a leader",
            vec![run("Glazing", 50.0, 680.0), run("..", 120.0, 680.0), run("14", 170.0, 680.0)],
            &["[Glazing]…[14]"],
        ),
        (
            "spaced dots in a title's run say nothing of its letters",
            vec![set(
                "GlassDoors......",
                50.0,
                700.0,
                0.0,
                &[[5.0, 5.0, 5.0, 5.0, 7.5, 5.0, 5.0, 5.0, 5.0, 7.5].as_slice(), &[7.5; 6]].concat(),
            )],
            &["[Glass Doors]"],
        ),
        ("a full stop is no leader", vec![run("Inc. of Ohio", 50.0, 700.0)], &["[Inc. of Ohio]"]),
        (
            "baselines that differ by rounding are one",
            vec![run("left", 50.0, 700.0), run("right", 200.0, 701.5)],
            &["[left][right]"],
        ),
        (
            "neighbouring lines stay apart",
            vec![run("above", 50.0, 700.0), run("below", 50.0, 691.0)],
            &["[above]", "[below]"],
        ),
    ];
    for (what, mut runs, wanted) in cases {
        runs.push(alphabet.clone());
        let page = page(runs, 0);
        let mut read = lines(&page);
        read.pop();
        assert_eq!(read, wanted, "{what}");
    }
}

#[test]
fn small_raised_text_stays_on_its_line() {
    let mut raised = run("o", 60.0, 703.5);
    raised.size = 6.0;
    raised.advances = vec![3.0];
    let page = page(vec![run("N", 55.0, 700.0), raised, run("2", 70.0, 700.0)], 0);
    assert_eq!(lines(&page), ["[No 2]"]);
}

#[test]
fn bold_by_printing_twice_is_bold() {
    let page = page(vec![run("Doors", 50.0, 700.0), run("Doors", 50.3, 700.0), run("Glazing", 50.0, 680.0)], 0);
    let bold: Vec<bool> = page.lines.iter().map(|line| line.words[0].style.bold).collect();
    assert_eq!(bold, [true, false]);
}

#[test]
fn a_page_is_read_upright_however_it_lies() {
    // (direction of the text, /Rotate, where the two words start in user space)
    let cases = [
        (0.0, 0, [(50.0, 700.0), (50.0, 680.0)]),
        (90.0, 90, [(100.0, 50.0), (120.0, 50.0)]),
        (180.0, 180, [(500.0, 100.0), (500.0, 120.0)]),
        (270.0, 270, [(500.0, 700.0), (480.0, 700.0)]),
        // Set sideways against /Rotate: the text says how it is read.
        (90.0, 0, [(100.0, 50.0), (120.0, 50.0)]),
    ];
    for (angle, rotation, [first, second]) in cases {
        let advances = [5.0; 5];
        let runs =
            vec![set("below", second.0, second.1, angle, &advances), set("above", first.0, first.1, angle, &advances)];
        let boxes: Vec<Rect> = runs.iter().rev().map(|run| run.bbox).collect();
        let page = page(runs, rotation);
        assert_eq!(lines(&page), ["[above]", "[below]"], "{angle} {rotation}");
        for (line, wanted) in page.lines.iter().zip(boxes) {
            let back = page.frame.to_user_space(line.words[0].bbox);
            for (found, wanted) in
                [(back.x1, wanted.x1), (back.y1, wanted.y1), (back.x2, wanted.x2), (back.y2, wanted.y2)]
            {
                assert!((found - wanted).abs() < 0.1, "{angle} {rotation}: {back:?} {wanted:?}");
            }
        }
    }
}

#[test]
fn text_at_another_angle_is_kept_apart() {
    let runs = vec![run("the page's own text", 50.0, 700.0), set("margin", 20.0, 100.0, 90.0, &[5.0; 6])];
    let page = page(runs, 0);
    assert_eq!(lines(&page), ["[the page's own text]"]);
    assert_eq!(page.turned.len(), 1);
    assert_eq!(page.turned[0].lines[0].words[0].text, "margin");
}

#[test]
fn a_page_scanned_askew_is_read_in_its_own_lines() {
    let slope = 1.5_f32.to_radians().tan();
    let words = |y: f32| {
        (0..8).map(move |at| at as f32 * 60.0).map(move |x| set("word", 50.0 + x, y + x * slope, 1.5, &[5.0; 4]))
    };
    let page = page(words(700.0).chain(words(685.0)).collect(), 0);
    assert_eq!(page.lines.iter().map(|line| line.words.len()).collect::<Vec<_>>(), [8, 8]);
}

#[test]
fn malformed_runs_do_no_harm() {
    let mut short = run("Doors", 50.0, 700.0);
    short.lengths.truncate(2);
    let mut long = run("é", 50.0, 600.0);
    long.lengths = vec![1, 9];
    let mut nowhere = run("x", f32::NAN, 1.0);
    nowhere.size = f32::INFINITY;
    let mut flat = run("flat", 50.0, 500.0);
    flat.size = 0.0;
    let page = page(vec![short, long, nowhere, flat], 0);
    assert_eq!(lines(&page), ["[Do]"]);
}
