//! The pages before the contents.

use super::project::Project;
use super::sheet::{Frame, Ink, Sheet, frame};
use super::style::Style;
use super::wording::wording;
use crate::chance::Chance;
use crate::pdf::{Face, Page};

/// Returns the pages before the contents: a cover and then what the seed decides.
pub(crate) fn pages(project: &Project, style: &Style, chance: &mut Chance) -> Vec<Page> {
    let kinds: [fn(&mut Paperwork); 4] = [certification, seals, invitation, directory];
    (0..usize::from(style.front_pages))
        .map(|index| {
            if index == 0 {
                return cover(project, style, None);
            }
            let mut work = Paperwork::new(project, style);
            kinds[(index - 1) % kinds.len()](&mut work);
            if index > kinds.len() {
                work.paragraph(&format!("Sheet {} of this form.", chance.between(2, 9)));
            }
            work.page
        })
        .collect()
}

/// Returns a cover, with the number of the volume if there are several.
pub(crate) fn cover(project: &Project, style: &Style, volume: Option<(usize, usize)>) -> Page {
    let words = wording(style.language);
    let mut page = Sheet::blank(style);
    let frame = frame(style);
    let middle = f32::midpoint(frame.left, frame.right);
    let bold = Face::new(style.family, true);
    let plain = Face::new(style.family, false);
    let mut y = frame.top - 60.0;
    page.text_centred(middle, y, bold, 24.0, &words.manual.to_uppercase());
    if let Some((number, of)) = volume {
        y -= 30.0;
        page.text_centred(
            middle,
            y,
            bold,
            14.0,
            &format!("{} {number} {} {of}", words.volume, words.of).to_uppercase(),
        );
    }
    for (size, gap, text) in [
        (18.0, 70.0, project.name.as_str()),
        (12.0, 30.0, project.owner.as_str()),
        (11.0, 40.0, &format!("{} {}", words.project_number, project.number)),
        (11.0, 18.0, project.phase),
        (11.0, 18.0, project.date.as_str()),
        (11.0, 90.0, project.architect.as_str()),
        (10.0, 16.0, project.address.as_str()),
    ] {
        y -= gap;
        page.text_centred(middle, y, plain, size, text);
    }
    page
}

/// A page of paragraphs.
struct Paperwork<'a> {
    project: &'a Project,
    style: &'a Style,
    page: Page,
    frame: Frame,
    y: f32,
}

impl<'a> Paperwork<'a> {
    fn new(project: &'a Project, style: &'a Style) -> Self {
        let frame = frame(style);
        Self { project, style, page: Sheet::blank(style), frame, y: frame.top }
    }

    fn ink(&self, bold: bool, size: f32) -> Ink {
        Ink { face: Face::new(self.style.family, bold), size, small_capitals: false }
    }

    fn head(&mut self, text: &str) {
        self.y -= 24.0;
        let ink = self.ink(true, 13.0);
        ink.draw_centred(&mut self.page, f32::midpoint(self.frame.left, self.frame.right), self.y, text);
        self.y -= 14.0;
    }

    fn paragraph(&mut self, text: &str) {
        let ink = self.ink(false, 10.0);
        let width = self.frame.right - self.frame.left;
        for line in ink.wrap(text, width, width) {
            self.y -= 13.0;
            ink.draw(&mut self.page, self.frame.left, self.y, &line);
        }
        self.y -= 8.0;
    }
}

fn certification(work: &mut Paperwork) {
    work.head("CERTIFICATIONS PAGE");
    let (name, architect) = (work.project.name.clone(), work.project.architect.clone());
    work.paragraph(&format!(
        "The undersigned certify that the technical sections listed below for {name} were prepared by them or under their direct supervision."
    ));
    for (who, what) in [
        (architect.as_str(), "Divisions 01 through 14, 32 except as noted"),
        ("Structural engineer of record", "Sections 03 30 00, 04 20 00 and 05 12 00"),
        ("Mechanical engineer of record", "Divisions 21, 22, 23"),
        ("Electrical engineer of record", "Divisions 26 27 28"),
    ] {
        work.paragraph(&format!("{who}: {what}. License No. {} Expires 12 31 28", 10_000 + what.len() * 733));
        work.paragraph("Signature ______________________________   Date ______________");
    }
}

fn seals(work: &mut Paperwork) {
    work.head("SEALS PAGE");
    for who in ["Architect", "Civil Engineer", "Structural Engineer", "Plumbing Engineer"] {
        work.y -= 96.0;
        let (left, y) = (work.frame.left, work.y);
        for (from, to) in [
            ((left, y), (left + 90.0, y)),
            ((left + 90.0, y), (left + 90.0, y + 80.0)),
            ((left + 90.0, y + 80.0), (left, y + 80.0)),
            ((left, y + 80.0), (left, y)),
        ] {
            work.page.stroke(from, to, 0.6);
        }
        let ink = work.ink(false, 10.0);
        ink.draw(&mut work.page, left + 110.0, y + 36.0, who);
    }
}

fn invitation(work: &mut Paperwork) {
    work.head("INVITATION TO BID");
    let (name, owner, date) = (work.project.name.clone(), work.project.owner.clone(), work.project.date.clone());
    work.paragraph(&format!(
        "{owner} will receive sealed bids for {name} until 2:00 p.m. local time at the office of the Owner. Bids received after that time will be returned unopened."
    ));
    work.paragraph(&format!("Documents dated {date} may be examined at the Architect's office from 8:00 to 4:30."));
    work.paragraph(
        "Each bid shall be accompanied by security of 5 percent as described in Document 00 21 13, Instructions to Bidders, and in Section 01 10 00, Summary.",
    );
    work.paragraph("A conference for bidders takes place at the site. Attendance is recommended but not required.");
}

fn directory(work: &mut Paperwork) {
    work.head("PROJECT DIRECTORY");
    let (architect, address) = (work.project.architect.clone(), work.project.address.clone());
    for (role, who) in
        [("OWNER", work.project.owner.clone()), ("ARCHITECT", architect), ("CIVIL", "Blackthorn Survey".to_owned())]
    {
        work.paragraph(role);
        work.paragraph(&who);
        work.paragraph(&address);
    }
}
