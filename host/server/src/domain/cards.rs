//! Cards: what a model and its networks are made for, how well they do it, and what they miss, in Markdown. Each lies
//! as `card.md` beside what it describes.

use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use fanlight_sandbox::Grant;
use tokio::task::spawn_blocking;

use crate::configuration::Configuration;

/// The file of a card.
const CARD: &str = "card.md";
/// Most bytes of a card that are shown. Ours have 2 to 10 kB.
const LONGEST_BYTES: u64 = 256 * 1024;

/// Where cards are.
#[derive(Clone, Debug)]
pub(crate) struct Cards {
    plugins: PathBuf,
    networks: PathBuf,
}

/// The cards of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModelCards {
    /// The model's own card, if its package has one.
    pub(crate) own: Option<String>,
    /// The networks that it may run, each with its card, if there is one.
    pub(crate) networks: Vec<(String, Option<String>)>,
}

impl Cards {
    /// Finds the folders of plugins and networks.
    ///
    /// # Errors
    ///
    /// Fails if the configuration names none and the path of this program is unknown.
    pub(crate) fn new(configuration: &Configuration) -> anyhow::Result<Self> {
        Ok(Self { plugins: configuration.plugins_folder()?, networks: configuration.models_folder()? })
    }

    /// Reads the cards of the model in this folder of the plugins' folder, which has these permissions.
    ///
    /// # Errors
    ///
    /// Fails if a card is there and cannot be read.
    pub(crate) async fn read(&self, folder: &str, permissions: &[String]) -> io::Result<ModelCards> {
        let package = self.plugins.join(folder);
        let names: Vec<String> = permissions.iter().filter_map(|permission| network_of(permission)).collect();
        let networks = self.networks.clone();
        let reading = spawn_blocking(move || {
            let own = card_in(&package)?;
            let cards = names.into_iter().map(|name| card_in(&networks.join(&name)).map(|card| (name, card)));
            Ok(ModelCards { own, networks: cards.collect::<io::Result<_>>()? })
        });
        reading.await.map_err(io::Error::other)?
    }
}

/// Returns the network that a permission is about.
fn network_of(permission: &str) -> Option<String> {
    match Grant::try_from(permission.to_owned()) {
        Ok(Grant::Model(name)) => Some(name),
        _ => None,
    }
}

/// Reads the card in a folder. `None` if there is none. What is not UTF-8 is replaced: a card is only shown.
fn card_in(folder: &Path) -> io::Result<Option<String>> {
    let file = match std::fs::File::open(folder.join(CARD)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(LONGEST_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[tokio::test]
    async fn a_model_has_its_card_and_those_of_its_networks() {
        let folder = tempfile::tempdir().unwrap();
        let cards = Cards { plugins: folder.path().join("plugins"), networks: folder.path().join("models") };
        for (place, text) in
            [("plugins/doors@1.0.0", "# Doors"), ("models/classifier", "# Classifier"), ("models/bare", "")]
        {
            fs::create_dir_all(folder.path().join(place)).unwrap();
            if !text.is_empty() {
                fs::write(folder.path().join(place).join(CARD), text).unwrap();
            }
        }
        let permissions = ["ocr", "nn:classifier", "nn:bare", "nn:carried"].map(str::to_owned);
        let read = cards.read("doors@1.0.0", &permissions).await.unwrap();
        assert_eq!(read.own.as_deref(), Some("# Doors"));
        let networks = [("classifier", Some("# Classifier")), ("bare", None), ("carried", None)];
        let networks = networks.map(|(name, card)| (name.to_owned(), card.map(str::to_owned)));
        assert_eq!(read.networks, networks);
        assert_eq!(cards.read("windows", &[]).await.unwrap(), ModelCards::default());
    }
}
