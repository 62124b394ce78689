//! What the small print of title blocks says, in the languages that [`crate::drawing_type`] reads.

use crate::words::{fold, squeeze};

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    /// The sheet's number.
    Number,
    /// The sheet's title.
    Title,
    /// The project's name.
    Project,
    /// A date.
    Date,
    /// A scale.
    Scale,
    /// Something else: a person, a number of another kind.
    Other,
}

/// Letters and digits of labels, capitals without accents.
#[rustfmt::skip]
const LABELS: &[(Label, &[&str])] = &[
    (Label::Number, &["SHEET", "SHEETNO", "SHEETNUMBER", "SHEETNUM", "SHEETNR", "DRAWINGNO", "DRAWINGNUMBER", "DWGNO", "DWGNUMBER", "DWG", "SHTNO", "DOCUMENTNUMBER", "DRGNO", "DRAWINGNR",
        "PLANO", "PLANONO", "PLANON", "NUMERODEPLANO", "NDEPLANO", "NPLANO", "NOPLANO", "LAMINA", "LAMINAN", "LAMINANO", "HOJA", "HOJAN", "HOJANO", "NDEPLAN", "NUMERODEPLAN", "NODEPLAN", "PLANN",
        "FEUILLE", "FEUILLEN", "FEUILLET", "NDEFEUILLE", "NODUDESSIN", "DESSINN", "NDEDESSIN", "NUMERODUDESSIN", "PLANCHE", "PLANCHEN", "PLANNR", "PLANNUMMER", "BLATT", "BLATTNR", "BLATTNUMMER",
        "ZEICHNUNGSNR", "ZEICHNUNGSNUMMER", "ZEICHNUNGNR", "FOLHA", "FOLHAN", "FOLHANO", "DESENHON", "DESENHONO", "NDODESENHO", "NUMERODODESENHO", "PRANCHA", "PAFTANO", "PAFTA", "CIZIMNO",
        "TAVOLA", "TAVOLAN", "TAVN", "TAV", "ELABORATO", "ELABORATON", "NTAVOLA", "TEKENINGNUMMER", "TEKENINGNR", "TEKNR", "BLAD", "BLADNR", "BLADNUMMER", "NOLUKISAN", "NOMBORLUKISAN", "NOGAMBAR",
        "NOMORGAMBAR", "NOMORLEMBAR", "NUMMER", "RITNINGSNUMMER", "RITNINGSNR", "RITNNR", "TEGNINGSNR", "TEGNINGSNUMMER", "TEGNNR", "TEGNINGNR",
        "PIIRUSTUSNUMERO", "PIIRNRO", "NRRYSUNKU", "NUMERRYSUNKU"]),
    (Label::Title, &["SHEETTITLE", "DRAWINGTITLE", "DRAWING", "DRAWINGNAME", "SHEETNAME", "TITLE", "SHEETCONTENTS", "CONTENTS", "DWGTITLE", "SHTTITLE", "DRGTITLE", "SUBJECT",
        "TITULODELPLANO", "TITULO", "NOMBREDELPLANO", "CONTENIDO", "DESIGNACION", "CONTENIDODELPLANO", "TITREDUDESSIN", "TITRE", "TITREDUPLAN", "TITREDELAFEUILLE", "DESIGNATION", "OBJET", "PLANINHALT",
        "INHALT", "PLANTITEL", "BEZEICHNUNG", "TITEL", "DARSTELLUNG", "PLANBEZEICHNUNG", "BLATTINHALT", "TITULODODESENHO", "DESIGNACAO", "CONTEUDO", "TITULODAPRANCHA", "DESENHO", "PAFTAADI", "PAFTAKONUSU", "CIZIMADI",
        "CIZIM", "PAFTAICERIGI", "TITOLOTAVOLA", "TITOLO", "OGGETTO", "TITOLODELLATAVOLA", "TITOLODELDISEGNO", "CONTENUTO", "ONDERDEEL", "ONDERWERP", "OMSCHRIJVING", "TEKENING", "TAJUKLUKISAN", "TAJUK", "PERKARA",
        "JUDULGAMBAR", "NAMAGAMBAR", "GAMBAR", "INNEHALL", "RITNINGENSINNEHALL", "TEGNINGSTITEL", "EMNE", "INDHOLD", "TEGNING", "PIIRUSTUKSENSISALTO", "SISALTO", "PIIRUSTUS",
        "TYTULRYSUNKU", "NAZWARYSUNKU", "RYSUNEK"]),
    (Label::Project, &["PROJECT", "PROJECTNAME", "PROJECTTITLE", "JOB", "JOBTITLE", "PROYECTO", "OBRA", "PROJET", "OPERATION", "AFFAIRE", "BAUVORHABEN", "PROJEKT", "VORHABEN", "OBJEKT", "EMPREENDIMENTO",
        "PROJETO", "PROJE", "PROJEADI", "PROJENINADI", "PROGETTO", "LAVORI", "OPERA", "PROJEK", "NAMAPROJEK", "PROYEK", "PROJECTLOCATION", "SAG", "PROSJEKT", "INWESTYCJA", "OBIEKT"]),
    (Label::Date, &["DATE", "ISSUEDATE", "DATEISSUED", "PLOTDATE", "PRINTDATE", "FECHA", "DATUM", "DATA", "TARIH", "TARIKH", "TANGGAL", "DATO", "PAIVAYS", "DATEOFISSUE"]),
    (Label::Scale, &["SCALE", "SCALES", "ESCALA", "ECHELLE", "MASSSTAB", "MASSTAB", "OLCEK", "SCALA", "SCHAAL", "SKALA", "UKURAN", "SHEETSCALE", "MALESTOK", "MALESTOKK", "MITTAKAAVA"]),
    (Label::Other, &["DRAWN", "DRAWNBY", "DRAWINGBY", "CHECKED", "CHECKEDBY", "CHKD", "CHECK", "APPROVED", "APPROVEDBY", "DESIGNED", "DESIGNEDBY", "REVIEWEDBY", "CAD", "CADFILE", "CADFILENO", "FILE", "FILENAME", "PROJECTNO",
        "PROJECTNUMBER", "PROJECTNR", "JOBNO", "JOBNUMBER", "COMMNO", "COMMISSIONNO", "CONTRACTNO", "REV", "REVISION", "REVISIONS", "REVNO", "REVISIONNO", "NO", "DESCRIPTION", "ISSUE", "ISSUED", "ISSUEDFOR", "STATUS",
        "CLIENT", "OWNER", "ARCHITECT", "ENGINEER", "CONSULTANT", "CONSULTANTS", "CONTRACTOR", "SEAL", "STAMP", "KEYPLAN", "NORTH", "BY", "PHASE", "PHASENO", "COPYRIGHT", "PAPERSIZE", "SIZE", "OF", "MEPENGINEER",
        "STRUCTURALENGINEER", "EXPEDITER", "NOTES", "DIBUJO", "DIBUJADO", "REVISO", "REVISADO", "APROBO", "EXPEDIENTE", "PROPIETARIO", "CLIENTE", "ARQUITECTO", "PROMOTOR", "DESSINEPAR", "DESSINE", "VERIFIEPAR", "VERIFIE",
        "NDAFFAIRE", "INDICE", "MAITREDOUVRAGE", "MAITREDOEUVRE", "ARCHITECTE", "GEZEICHNET", "GEZ", "GEPRUFT", "GEPR", "BEARBEITET", "PROJEKTNR", "PROJEKTNUMMER", "INDEX", "BAUHERR", "BAUHERRIN", "ARCHITEKT", "PLANVERFASSER",
        "BLATTGROSSE", "VERIFICADO", "VERIFICOU", "DESENHOU", "PROCESSO", "REVISAO", "PROPRIETARIO", "REQUERENTE", "ARQUITETO", "CIZEN", "KONTROL", "KONTROLEDEN", "PROJENO", "REVIZYON", "ISVEREN", "MIMAR", "DISEGNATO",
        "VERIFICATO", "APPROVATO", "COMMESSA", "COMMITTENTE", "REVISIONE", "PROGETTISTA", "GETEKEND", "GETEK", "GECONTROLEERD", "PROJECTNUMMER", "WIJZIGING", "WIJZ", "OPDRACHTGEVER", "FORMAAT", "STATUSTEKENING",
        "DILUKIS", "DILUKISOLEH", "DISEMAK", "DISEMAKOLEH", "PINDAAN", "PELANGGAN", "ARKITEK", "JURUTERA", "DIGAMBAR", "DIPERIKSA", "BET", "ANDRINGENAVSER", "RITADAV", "RITAD", "HANDLAGGARE", "UPPDRAGNR", "BYGGHERRE", "TEGNET", "TEGN", "KONTROLLERET", "SAGSNR", "TILTAKSHAVER", "PIIRT", "INWESTOR",
        "PROJEKTANT", "SPRAWDZIL"]),
];

/// The label that a text is, punctuation aside.
pub(crate) fn read(text: &str) -> Option<Label> {
    let letters = squeeze(text);
    LABELS.iter().find(|(_, words)| words.contains(&letters.as_str())).map(|(label, _)| *label)
}

/// A label and the value that follows it after a colon in one text: "SHEET TITLE: ROOF PLAN".
pub(crate) fn with_value(text: &str) -> Option<(Label, &str)> {
    let (label, value) = text.split_once(':')?;
    let value = value.trim();
    Some((read(label)?, value)).filter(|_| !value.is_empty())
}

/// Words that stand where a scale is, in place of one.
#[rustfmt::skip]
const NO_SCALE: [&str; 24] = ["ASNOTED", "ASSHOWN", "ASINDICATED", "NTS", "NOTTOSCALE", "NONE", "VARIES", "INDICADA", "INDICADAS", "SE", "INDIQUEE", "SIEHEPLAN", "BELIRTILDIGIGIBI", "COMEINDICATO", "VARIE", "ALSAANGEGEVEN",
    "DIVERS", "SEPERTITERTERA", "SEBAGAIMANADITUNJUKKAN", "OHNEMASSSTAB", "VARIAS", "SANSECHELLE", "NOSCALE", "GRAPHICSCALE"];

/// Whether a text is a scale: `1/4" = 1'-0"`, "1 : 100", "SCALE: AS NOTED".
pub(crate) fn is_scale(text: &str) -> bool {
    let (text, worded) = match with_value(text) {
        Some((Label::Scale, value)) => (value, true),
        _ => (text, false),
    };
    let folded = fold(text).replace(' ', "");
    let folded = folded.trim_start_matches(char::is_alphabetic).trim_start_matches([':', '(', '.']);
    if NO_SCALE.contains(&squeeze(text).as_str()) {
        return true;
    }
    if let Some((inches, feet)) = folded.split_once('=') {
        return inches.contains('"') && feet.starts_with(|c: char| c.is_ascii_digit());
    }
    let Some((one, many)) = folded.split_once(':') else { return false };
    let digits: String = many.chars().take_while(char::is_ascii_digit).collect();
    one == "1" && (worded || !digits.is_empty()) && digits.len() <= 5 && many.len() <= digits.len() + 3
}

/// Whether a text is a date in figures or begins with a month's name.
pub(crate) fn is_date(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let parted = text.chars().filter(|c| matches!(c, '/' | '.' | '-')).count() == 2;
    let figures = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-' | ' '));
    (figures && parted && (4..=8).contains(&digits)) || {
        let year = fold(text)
            .split(|c: char| !c.is_ascii_digit())
            .any(|run| run.len() == 4 && (run.starts_with("19") || run.starts_with("20")));
        year && text.chars().any(char::is_alphabetic) && text.len() <= 24
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_many_languages_are_known() {
        for (text, expected) in [
            ("SHEET NO.", Some(Label::Number)),
            ("N° DE PLAN", Some(Label::Number)),
            ("PLANO Nº", Some(Label::Number)),
            ("Drawing Title:", Some(Label::Title)),
            ("Planinhalt", Some(Label::Title)),
            ("ÖLÇEK", Some(Label::Scale)),
            ("Maßstab", Some(Label::Scale)),
            ("PROJECT NO.", Some(Label::Other)),
            ("ROOF PLAN", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(with_value("SHEET TITLE: ROOF PLAN"), Some((Label::Title, "ROOF PLAN")));
        assert_eq!(with_value("NOTE: SEE PLAN"), None);
    }

    #[test]
    fn scales_are_told_from_other_ratios() {
        for text in [
            "1/8\" = 1'-0\"",
            "SCALE: 1/4\"=1'-0\"",
            "1 : 100",
            "SCALE 1:50",
            "N.T.S.",
            "Scale: AS NOTED",
            "1:125 @ A3",
        ] {
            assert!(is_scale(text), "{text}");
        }
        for text in ["ROOF PLAN", "3:15 PM", "W = 12", "2 : 1 SLOPE", "NOTE: 5"] {
            assert!(!is_scale(text), "{text}");
        }
    }
}
