//! Maps BCP 47 tags to the names of Tesseract's data.

use std::collections::BTreeSet;

use crate::OcrError;

/// Primary language subtags (BCP 47) and the names of Tesseract's data (mostly ISO 639-2/T; `tessdoc`, "Data files").
const NAMES: [(&str, &str); 26] = [
    ("ar", "ara"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("he", "heb"),
    ("hu", "hun"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("nb", "nor"),
    ("nl", "nld"),
    ("no", "nor"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sv", "swe"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("vi", "vie"),
];

/// Most languages of one picture.
const MOST_LANGUAGES: usize = 16;
/// Most bytes of a tag. BCP 47 (RFC 5646, section 4.4.1) requires implementations to accept 35.
const TAG_BYTES: usize = 35;

/// Returns the installed languages among the expected ones, joined for the program's argument.
///
/// # Errors
///
/// [`OcrError::BadPicture`] for too many or too long tags, [`OcrError::Unavailable`] if none is installed.
pub(crate) fn names(expected: &[String], installed: &BTreeSet<String>) -> Result<String, OcrError> {
    if expected.is_empty() {
        return names(&["en".to_owned()], installed);
    }
    if expected.len() > MOST_LANGUAGES || expected.iter().any(|tag| tag.len() > TAG_BYTES) {
        return Err(OcrError::BadPicture(format!(
            "at most {MOST_LANGUAGES} languages are expected, by tags of at most {TAG_BYTES} bytes"
        )));
    }
    let known = expected.iter().filter_map(|tag| name(tag)).filter(|name| installed.contains(*name));
    let joined = known.collect::<Vec<_>>().join("+");
    if joined.is_empty() {
        return Err(OcrError::Unavailable(format!("no data for the languages {expected:?}")));
    }
    Ok(joined)
}

/// Returns the name of Tesseract's data for a tag.
fn name(tag: &str) -> Option<&'static str> {
    let primary = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    NAMES.iter().find(|(subtag, _)| *subtag == primary).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_languages_keep_their_order() {
        let installed: BTreeSet<String> = ["eng", "fra", "osd"].map(str::to_owned).into();
        let cases: [(&[&str], Option<&str>); 6] = [
            (&[], Some("eng")),
            (&["fr-CA", "en"], Some("fra+eng")),
            (&["EN-us"], Some("eng")),
            (&["de", "en"], Some("eng")),
            (&["de"], None),
            (&["osd", "../eng"], None),
        ];
        for (expected, joined) in cases {
            let tags: Vec<String> = expected.iter().map(|tag| (*tag).to_owned()).collect();
            assert_eq!(names(&tags, &installed).ok().as_deref(), joined, "{expected:?}");
        }
    }

    #[test]
    fn too_many_languages_are_refused() {
        let installed: BTreeSet<String> = ["eng".to_owned()].into();
        for tags in [vec!["en".to_owned(); 17], vec!["\u{7f}".repeat(36)]] {
            let error = names(&tags, &installed).unwrap_err();
            assert!(matches!(&error, OcrError::BadPicture(why) if why.len() < 100), "{error}");
        }
    }
}
