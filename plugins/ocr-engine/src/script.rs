//! Tells in which script a picture's lines are, and writes each Cyrillic word in one script and case.
//!
//! The network reads each line three times: with a head for Latin and Greek letters, one for Cyrillic letters, and one that knows
//! Chinese and Japanese characters, too. The others read letters of theirs in few Latin lines, but in some. So a picture has
//! lines of another script only if enough of its lines surely are in it.

use std::collections::BTreeSet;

use crate::ctc::ReadCharacter;

/// Fewest letters of a line that surely is Cyrillic, which no Latin letter looks like. Of 3,016 lines of real sheets in Latin
/// letters one would be with two letters, and none with three; of 233 in Cyrillic letters 154 are with two, 149 with three.
const FEWEST_CYRILLIC: usize = 3;
/// Fewest different letters among these. A row of dashes or dots may be read as one letter again and again.
const FEWEST_DIFFERENT: usize = 2;
/// Fewest different Chinese and Japanese characters of a line that surely is in one of these languages. In those lines the head for
/// them read one with two, at a confidence of 0.15.
const FEWEST_HAN: usize = 2;
/// Characters that rules, dashes, boxes and Latin letters look like.
const PLAIN_HAN: &str = "一二三十口日工人入八へノハニロエトイ";
/// Least mean confidence of a line that surely is in another script than the Latin one. Noise of worn scans is read as Cyrillic
/// letters, but not surely: of 109 such lines of manuals that were blurred, reduced or made black and white, three have as much.
/// All of 122 Cyrillic lines that were treated in the same way have it.
const SURE: f32 = 0.8;
/// Least share of lines of a picture that surely are in another script, among those that tell one. Sheets in two languages have
/// about a half.
const LEAST_SHARE: f32 = 0.1;
/// Fewest letters of a line in Latin letters that tells its script.
const FEWEST_LATIN: usize = 4;
/// Letters of a word that is written in one case.
const LONG_WORD: usize = 5;
/// Cyrillic letters and the Latin ones that look like them, in the same places: confusables of Unicode Technical Standard 39
/// within the alphabets of Europe.
const CYRILLIC_LOOKALIKES: &str = "АВЕЁІЇЈКМНОРЅСТУХаеёіїјорѕсух";
const LATIN_LOOKALIKES: &str = "ABEËIÏJKMHOPSCTYXaeëiïjopscyx";
/// Latin letters that some small Cyrillic ones look like in italics and in the lettering of GOST 2.304, and these.
const ITALIC_LATIN: &str = "mugnb";
const ITALIC_CYRILLIC: &str = "тидпв";

/// A script that the network has a head for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin and Greek letters.
    Latin,
    /// Cyrillic letters.
    Cyrillic,
    /// Chinese and Japanese characters.
    Han,
}

/// A line as each head of the network reads it.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    /// In Latin and Greek letters.
    pub(crate) latin: Vec<ReadCharacter>,
    /// In Cyrillic and Latin letters.
    pub(crate) cyrillic: Vec<ReadCharacter>,
    /// In Chinese and Japanese characters, and Latin and Greek letters.
    pub(crate) han: Vec<ReadCharacter>,
}

impl Readings {
    /// Returns the line as the head of a script reads it.
    pub(crate) fn by_head_of(&self, script: Script) -> &[ReadCharacter] {
        match script {
            Script::Latin => &self.latin,
            Script::Cyrillic => &self.cyrillic,
            Script::Han => &self.han,
        }
    }

    /// Returns the script that the line surely is in; the Latin one if it is in no other.
    pub(crate) fn sure_script(&self) -> Script {
        if self.are_surely_han() {
            Script::Han
        } else if self.are_surely_cyrillic() {
            Script::Cyrillic
        } else {
            Script::Latin
        }
    }

    /// Returns the script of the line in a picture of a script: that or the Latin one.
    pub(crate) fn script_in(&self, picture: Script) -> Script {
        let is_of_picture = match picture {
            Script::Latin => false,
            Script::Cyrillic => self.are_mostly_cyrillic(),
            Script::Han => self.han.iter().any(|read| is_han(read.character)),
        };
        if is_of_picture { picture } else { Script::Latin }
    }

    /// Returns whether some letters that the head for Cyrillic letters reads look like no Latin letter, and most are Cyrillic.
    fn are_surely_cyrillic(&self) -> bool {
        let letters = self.cyrillic.iter().map(|read| read.character);
        let own: Vec<char> = letters.filter(|letter| is_cyrillic(*letter) && latin(*letter).is_none()).collect();
        own.len() >= FEWEST_CYRILLIC
            && BTreeSet::from_iter(&own).len() >= FEWEST_DIFFERENT
            && self.are_mostly_cyrillic()
            && self.beats_latin(&self.cyrillic)
    }

    fn are_surely_han(&self) -> bool {
        let characters = self.han.iter().map(|read| read.character);
        let own: BTreeSet<char> = characters.filter(|own| is_han(*own) && !PLAIN_HAN.contains(*own)).collect();
        own.len() >= FEWEST_HAN && self.beats_latin(&self.han)
    }

    /// Returns whether a head reads the line surely, and more of it or more surely than the head for Latin letters.
    fn beats_latin(&self, read: &[ReadCharacter]) -> bool {
        let confidence = mean_confidence(read);
        confidence >= SURE && (count(read) > count(&self.latin) || confidence > mean_confidence(&self.latin))
    }

    /// Returns whether most letters that the head for Cyrillic letters reads are Cyrillic.
    fn are_mostly_cyrillic(&self) -> bool {
        let letters = self.cyrillic.iter().filter(|read| read.character.is_alphabetic());
        let cyrillic = letters.clone().filter(|read| is_cyrillic(read.character)).count();
        cyrillic * 2 > letters.count()
    }

    /// Returns whether the line has letters enough to tell that it is in the Latin script, if it surely is in no other.
    fn tell_latin(&self) -> bool {
        self.latin.iter().filter(|read| read.character.is_alphabetic()).count() >= FEWEST_LATIN
    }
}

/// Returns the script of a picture's lines, as far as they are not in the Latin one.
pub(crate) fn of_picture<'a>(lines: impl Iterator<Item = &'a Readings>) -> Script {
    let (mut latin, mut cyrillic, mut han) = (0_usize, 0_usize, 0_usize);
    for line in lines {
        match line.sure_script() {
            Script::Latin => latin += usize::from(line.tell_latin()),
            Script::Cyrillic => cyrillic += 1,
            Script::Han => han += 1,
        }
    }
    let telling = latin + cyrillic + han;
    let (script, lines) = if han > cyrillic { (Script::Han, han) } else { (Script::Cyrillic, cyrillic) };
    if lines > 0 && lines as f32 >= LEAST_SHARE * telling as f32 { script } else { Script::Latin }
}

/// Writes a word in one script, where letters of two scripts that look alike stand side by side: in that of most of its
/// letters that look like none of the other script.
pub(crate) fn in_one_script(word: &str) -> String {
    let own_cyrillic = word.chars().filter(|letter| is_cyrillic(*letter) && latin(*letter).is_none()).count();
    let own_latin =
        word.chars().filter(|letter| letter.is_alphabetic() && !is_cyrillic(*letter) && !may_be_cyrillic(*letter));
    let own_latin = own_latin.count();
    match own_cyrillic.cmp(&own_latin) {
        std::cmp::Ordering::Greater => {
            word.chars().map(|letter| cyrillic(letter).or_else(|| in_italics(letter)).unwrap_or(letter)).collect()
        }
        std::cmp::Ordering::Less => word.chars().map(|letter| latin(letter).unwrap_or(letter)).collect(),
        std::cmp::Ordering::Equal => word.to_owned(),
    }
}

/// Writes a long word in one case, as most of its letters are, but for the first one: most small Cyrillic letters look like the
/// large ones. A short word may be a unit or an abbreviation: `кВт`, `СНиП`.
pub(crate) fn in_one_case(word: &str) -> String {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let large = word.chars().filter(|letter| letter.is_uppercase()).count();
    if letters < LONG_WORD || large == letters || large == 0 {
        return word.to_owned();
    }
    if large * 2 > letters {
        return word.to_uppercase();
    }
    let first = word.chars().take(1);
    first.chain(word.chars().skip(1).flat_map(char::to_lowercase)).collect()
}

/// Returns the mean confidence of a line's characters, 0 for none. Spaces are left out: one that is just likely enough says
/// nothing of how well the letters are read.
pub(crate) fn mean_confidence(read: &[ReadCharacter]) -> f32 {
    let letters = read.iter().filter(|read| read.character != ' ');
    letters.map(|read| read.confidence).sum::<f32>() / count(read).max(1) as f32
}

/// Returns the number of characters without spaces.
fn count(read: &[ReadCharacter]) -> usize {
    read.iter().filter(|read| read.character != ' ').count()
}

fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{52f}')
}

/// Returns whether a character is Chinese or Japanese: an ideograph of the Unified Repertoire, or a syllable. The dot and the stroke
/// between syllables are none: leaders and dashes look like them.
fn is_han(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}')
}

/// Returns the Latin letter that looks like a Cyrillic one.
fn latin(letter: char) -> Option<char> {
    lookalike(letter, CYRILLIC_LOOKALIKES, LATIN_LOOKALIKES)
}

/// Returns the Cyrillic letter that looks like a Latin one.
fn cyrillic(letter: char) -> Option<char> {
    lookalike(letter, LATIN_LOOKALIKES, CYRILLIC_LOOKALIKES)
}

/// Returns the Cyrillic letter that looks like a Latin one in italics.
fn in_italics(letter: char) -> Option<char> {
    lookalike(letter, ITALIC_LATIN, ITALIC_CYRILLIC)
}

/// Returns whether a Latin letter looks like a Cyrillic one.
fn may_be_cyrillic(letter: char) -> bool {
    cyrillic(letter).or_else(|| in_italics(letter)).is_some()
}

fn lookalike(letter: char, from: &str, to: &str) -> Option<char> {
    from.chars().zip(to.chars()).find(|(known, _)| *known == letter).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, confidence: f32) -> Vec<ReadCharacter> {
        text.chars().map(|character| ReadCharacter { character, confidence, place: 0.0 }).collect()
    }

    fn cyrillic_line(latin: &str, cyrillic: &str) -> Readings {
        Readings { latin: read(latin, 0.9), cyrillic: read(cyrillic, 0.85), han: read(latin, 0.9) }
    }

    fn han_line(latin: &str, han: &str) -> Readings {
        Readings { latin: read(latin, 0.9), cyrillic: Vec::new(), han: read(han, 0.9) }
    }

    #[test]
    fn lookalikes_stand_in_the_same_places() {
        assert_eq!(CYRILLIC_LOOKALIKES.chars().count(), LATIN_LOOKALIKES.chars().count());
        assert_eq!(ITALIC_CYRILLIC.chars().count(), ITALIC_LATIN.chars().count());
        assert!(CYRILLIC_LOOKALIKES.chars().all(is_cyrillic));
        assert!(!LATIN_LOOKALIKES.chars().any(is_cyrillic));
    }

    #[test]
    fn a_line_of_which_the_latin_head_reads_less_is_of_another_script() {
        let unsure = Readings { latin: read("PLIJAH", 0.6), cyrillic: read("ПЛИЦАН", 0.9), han: Vec::new() };
        let noise = Readings { latin: Vec::new(), cyrillic: Vec::new(), han: read("原维", 0.15) };
        let worn = Readings { latin: read("BE", 0.47), cyrillic: read("ВБЦЯЭБЯИ", 0.55), han: Vec::new() };
        let cases = [
            (cyrillic_line("  M 1:100", "План этажа М 1:100"), Script::Cyrillic),
            (cyrillic_line("AP-06", "АР-06"), Script::Latin),
            (cyrillic_line("13H50", "13Ш50"), Script::Latin),
            (cyrillic_line("FLOOR PLAN", "FLООР РLАN"), Script::Latin),
            (cyrillic_line("PLIJAH", "ПЛИЦАН"), Script::Latin),
            (unsure, Script::Cyrillic),
            (han_line(" TOILET", "卫生间 TOILET"), Script::Han),
            (han_line("J", "つ"), Script::Latin),
            (han_line("SECTION 03", "SECTION・・・・・ー03"), Script::Latin),
            (han_line("- - -", "一 一 二"), Script::Latin),
            (cyrillic_line("", "ГГГГ"), Script::Latin),
            (noise, Script::Latin),
            (worn, Script::Latin),
        ];
        for (line, expected) in cases {
            assert_eq!(line.sure_script(), expected, "{line:?}");
        }
    }

    #[test]
    fn a_picture_with_one_odd_line_is_in_latin_letters() {
        let russian = cyrillic_line(" ", "Спецификация");
        let chinese = han_line("", "厨房");
        let english: Vec<Readings> = (0..20).map(|_| cyrillic_line("SCHEDULE", "SСНЕDULЕ")).collect();
        assert_eq!(of_picture(english.iter().chain([&russian])), Script::Latin);
        assert_eq!(of_picture(english[..3].iter().chain([&russian])), Script::Cyrillic);
        assert_eq!(of_picture(english[..3].iter().chain([&chinese])), Script::Han);
        assert_eq!(of_picture(english.iter()), Script::Latin);
        assert_eq!(of_picture([&russian].into_iter()), Script::Cyrillic);
    }

    #[test]
    fn lines_of_a_picture_without_its_letters_are_in_latin_ones() {
        assert_eq!(cyrillic_line("AP-06", "АР-06").script_in(Script::Cyrillic), Script::Cyrillic);
        assert_eq!(cyrillic_line("2400", "2400").script_in(Script::Cyrillic), Script::Latin);
        assert_eq!(han_line("J", "つ").script_in(Script::Han), Script::Han);
        assert_eq!(han_line("2400", "2400").script_in(Script::Han), Script::Latin);
        assert_eq!(han_line("J", "つ").script_in(Script::Cyrillic), Script::Latin);
    }

    #[test]
    fn a_long_word_is_written_in_one_case() {
        let cases = [
            ("аВтомобильную", "автомобильную"),
            ("МоскВа", "Москва"),
            ("ХОЛОдиЛЬНИк", "ХОЛОДИЛЬНИК"),
            ("ВЫПУсК", "ВЫПУСК"),
            ("кВт", "кВт"),
            ("СНиП", "СНиП"),
            ("План", "План"),
        ];
        for (word, expected) in cases {
            assert_eq!(in_one_case(word), expected);
        }
    }

    #[test]
    fn a_word_is_written_in_one_script() {
        let cases = [
            ("Урiзати", "Урізати"),
            ("KУXНЯ", "КУХНЯ"),
            ("Лuстоb", "Листов"),
            ("АFFL", "AFFL"),
            ("CTATУC", "CTATУC"),
            ("ОК-1", "ОК-1"),
            ("A-101", "A-101"),
        ];
        for (word, expected) in cases {
            assert_eq!(in_one_script(word), expected);
        }
    }
}
