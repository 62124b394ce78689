//! Optional content: the layers of a document, and which of them are visible.

use std::collections::HashSet;
use std::rc::Rc;

use hayro::hayro_syntax::object::{Array, Dict, Name, ObjectIdentifier, String as PdfString};
use hayro::hayro_syntax::xref::XRef;

use crate::text_string::text_string;

/// The hidden groups of the document's default configuration, which viewers and hayro's renderer
/// use (ISO 32000-2, 8.11.4.3).
pub(crate) struct OptionalContent {
    hidden: HashSet<ObjectIdentifier>,
}

/// The layer of some content, from its `/OC` entry.
#[derive(Clone)]
pub(crate) struct Membership {
    /// Whether the content is visible.
    pub(crate) visible: bool,
    /// The name of the group, or of the first of several.
    pub(crate) layer: Option<Rc<str>>,
}

impl OptionalContent {
    pub(crate) fn new(xref: &XRef) -> Self {
        Self { hidden: hidden_groups(xref).unwrap_or_default() }
    }

    /// Reads the entry `key` of `dict`, which names a group or a membership dictionary; `None`
    /// without such an entry.
    pub(crate) fn membership(&self, dict: &Dict<'_>, key: &[u8]) -> Option<Membership> {
        let content = dict.get::<Dict<'_>>(key)?;
        if content.get::<Name<'_>>(b"Type").as_deref() == Some(b"OCMD") {
            return Some(self.membership_of_groups(&content));
        }
        let visible = dict.get_ref(key).is_none_or(|group| !self.hidden.contains(&group.into()));
        Some(Membership { visible, layer: name(&content) })
    }

    fn membership_of_groups(&self, membership: &Dict<'_>) -> Membership {
        let mut groups: Vec<ObjectIdentifier> = vec![];
        let mut layer = None;
        if let Some(list) = membership.get::<Array<'_>>(b"OCGs") {
            groups.extend(listed_groups(&list));
            layer = list.iter::<Dict<'_>>().next().and_then(|group| name(&group));
        } else if let Some(group) = membership.get_ref(b"OCGs") {
            groups.push(group.into());
            layer = membership.get::<Dict<'_>>(b"OCGs").and_then(|group| name(&group));
        }
        let hidden = |group: &ObjectIdentifier| self.hidden.contains(group);
        let visible = match membership.get::<Name<'_>>(b"P").as_deref() {
            _ if groups.is_empty() => true,
            Some(b"AllOn") => !groups.iter().any(hidden),
            Some(b"AnyOff") => groups.iter().any(hidden),
            Some(b"AllOff") => groups.iter().all(hidden),
            _ => !groups.iter().all(hidden),
        };
        Membership { visible, layer }
    }
}

fn name(group: &Dict<'_>) -> Option<Rc<str>> {
    group.get::<PdfString<'_>>(b"Name").map(|name| text_string(name.as_bytes()).into())
}

fn hidden_groups(xref: &XRef) -> Option<HashSet<ObjectIdentifier>> {
    let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
    let properties = catalog.get::<Dict<'_>>(b"OCProperties")?;
    let configuration = properties.get::<Dict<'_>>(b"D")?;
    let mut hidden = HashSet::new();
    if configuration.get::<Name<'_>>(b"BaseState").as_deref() == Some(b"OFF") {
        hidden.extend(properties.get::<Array<'_>>(b"OCGs").iter().flat_map(listed_groups));
    }
    for group in configuration.get::<Array<'_>>(b"ON").iter().flat_map(listed_groups) {
        hidden.remove(&group);
    }
    hidden.extend(configuration.get::<Array<'_>>(b"OFF").iter().flat_map(listed_groups));
    Some(hidden)
}

/// Returns the groups that a list refers to.
fn listed_groups(list: &Array<'_>) -> impl Iterator<Item = ObjectIdentifier> {
    list.raw_iter().filter_map(|item| item.as_obj_ref()).map(ObjectIdentifier::from)
}
