//! The fixed words of a manual in its language.

use super::style::Language;

/// Fixed words, in the case of running text.
pub(crate) struct Wording {
    pub(crate) contents: &'static str,
    pub(crate) index: &'static str,
    pub(crate) manual: &'static str,
    pub(crate) division: &'static str,
    pub(crate) section: &'static str,
    pub(crate) document: &'static str,
    pub(crate) not_used: &'static str,
    pub(crate) continued: &'static str,
    pub(crate) contd: &'static str,
    pub(crate) page: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) of: &'static str,
    pub(crate) through: &'static str,
    pub(crate) to: &'static str,
    pub(crate) volume: &'static str,
    pub(crate) drawings: &'static str,
    pub(crate) appendices: &'static str,
    pub(crate) appendix: &'static str,
    pub(crate) exhibit: &'static str,
    pub(crate) attachment: &'static str,
    pub(crate) project_number: &'static str,
    pub(crate) number: &'static str,
    pub(crate) title: &'static str,
    pub(crate) date: &'static str,
    pub(crate) discipline: &'static str,
    pub(crate) revision: &'static str,
    pub(crate) part: &'static str,
    pub(crate) end: &'static str,
    pub(crate) end_of_document: &'static str,
    /// The names of a section's three parts.
    pub(crate) parts: [&'static str; 3],
    /// What is below the last line of the contents.
    pub(crate) end_of_contents: &'static str,
    /// A note above the list; `{}` are section numbers.
    pub(crate) note: &'static str,
    /// What general sections mention instead of a product.
    pub(crate) work: &'static str,
}

const ENGLISH: Wording = Wording {
    contents: "Table of Contents",
    index: "Index of Specifications",
    manual: "Project Manual",
    division: "Division",
    section: "Section",
    document: "Document",
    not_used: "Not Used",
    continued: "(continued)",
    contd: "Cont'd",
    page: "Page",
    pages: "Pages",
    of: "of",
    through: "through",
    to: "to",
    volume: "Volume",
    drawings: "List of Drawings",
    appendices: "Appendices",
    appendix: "Appendix",
    exhibit: "Exhibit",
    attachment: "Attachment",
    project_number: "Project No.",
    number: "Section",
    title: "Title",
    date: "Issued",
    discipline: "By",
    revision: "Rev.",
    part: "PART",
    end: "END OF SECTION",
    end_of_document: "END OF DOCUMENT",
    parts: ["GENERAL", "PRODUCTS", "EXECUTION"],
    end_of_contents: "END OF TABLE OF CONTENTS",
    note: "Sections that govern all others are bound first. Section {} applies to every division and is not repeated there, nor is the information that Section {} asks for. Lines marked by the Architect were changed after the first issue.",
    work: "the Work",
};

const FRENCH: Wording = Wording {
    contents: "Table des matières",
    index: "Index du devis",
    manual: "Cahier des charges",
    division: "Division",
    section: "Section",
    document: "Document",
    not_used: "Non utilisé",
    continued: "(suite)",
    contd: "suite",
    page: "Page",
    pages: "Pages",
    of: "de",
    through: "à",
    to: "à",
    volume: "Volume",
    drawings: "Liste des dessins",
    appendices: "Annexes",
    appendix: "Annexe",
    exhibit: "Pièce",
    attachment: "Pièce jointe",
    project_number: "Projet no",
    number: "Section",
    title: "Titre",
    date: "Émission",
    discipline: "Disc.",
    revision: "Rév.",
    part: "PARTIE",
    end: "FIN DE LA SECTION",
    end_of_document: "FIN DU DOCUMENT",
    parts: ["GÉNÉRALITÉS", "PRODUITS", "EXÉCUTION"],
    end_of_contents: "FIN DE LA TABLE DES MATIÈRES",
    note: "Les sections générales viennent en premier. La section {} vise toutes les divisions et n'y est pas reprise, ni les renseignements que demande la section {}.",
    work: "les travaux",
};

const SPANISH: Wording = Wording {
    contents: "Tabla de contenido",
    index: "Índice de especificaciones",
    manual: "Manual del proyecto",
    division: "División",
    section: "Sección",
    document: "Documento",
    not_used: "No se utiliza",
    continued: "(continuación)",
    contd: "cont.",
    page: "Página",
    pages: "Páginas",
    of: "de",
    through: "a",
    to: "a",
    volume: "Tomo",
    drawings: "Lista de planos",
    appendices: "Anexos",
    appendix: "Anexo",
    exhibit: "Documento anexo",
    attachment: "Adjunto",
    project_number: "Proyecto n.º",
    number: "Sección",
    title: "Título",
    date: "Emisión",
    discipline: "Disc.",
    revision: "Rev.",
    part: "PARTE",
    end: "FIN DE LA SECCIÓN",
    end_of_document: "FIN DEL DOCUMENTO",
    parts: ["GENERALIDADES", "PRODUCTOS", "EJECUCIÓN"],
    end_of_contents: "FIN DE LA TABLA DE CONTENIDO",
    note: "Las secciones generales van primero. La sección {} rige para todas las divisiones y no se repite en ellas, ni los datos que pide la sección {}.",
    work: "la obra",
};

/// Returns the wording of a language.
pub(crate) fn wording(language: Language) -> &'static Wording {
    match language {
        Language::English => &ENGLISH,
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
    }
}

const UNDER_TWENTY: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const TENS: [&str; 5] = ["", "Ten", "Twenty", "Thirty", "Forty"];

/// Returns a division number below 50 in English words: `Twenty-Six`.
pub(crate) fn in_words(number: usize) -> String {
    if let Some(word) = UNDER_TWENTY.get(number) {
        return (*word).to_owned();
    }
    let ten = TENS.get(number / 10).copied().unwrap_or_default();
    match number % 10 {
        0 => ten.to_owned(),
        one => format!("{ten}-{}", UNDER_TWENTY[one]),
    }
}

/// Returns a number in lower-case Roman figures.
pub(crate) fn roman(mut number: usize) -> String {
    let mut text = String::new();
    for (value, figure) in
        [(100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")]
    {
        while number >= value {
            text.push_str(figure);
            number -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_words_and_roman_figures() {
        let cases = [
            (0, "Zero", ""),
            (1, "One", "i"),
            (14, "Fourteen", "xiv"),
            (26, "Twenty-Six", "xxvi"),
            (40, "Forty", "xl"),
        ];
        for (number, words, figures) in cases {
            assert_eq!(in_words(number), words);
            assert_eq!(roman(number), figures);
        }
    }
}
