//! The host with failpoints, for the tests that kill it between two steps.

use std::env;
use std::fs;

use anyhow::{Context, Result};

use crate::workspace::{binary, cargo, run as run_command, say, target};

/// Builds the host with its failpoints and lays it out beside the test programs.
///
/// The build is of the whole workspace, as the ordinary one is, so that dependencies have the same features in both and
/// only the crates that have failpoints are compiled twice. It leaves its binary in the ordinary one's place, so the
/// ordinary build comes after it.
pub(crate) fn build() -> Result<()> {
    say("building the host with failpoints");
    run_command(cargo().args(["build", "--release", "--workspace", "--bins", "--features", "fanlight/failpoints"]))?;
    let folder = target().join("release").join("test-programs");
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let copy = folder.join(format!("fanlight-failpoints{}", env::consts::EXE_SUFFIX));
    // A test may still run the one before: it is replaced rather than written into.
    let fresh = copy.with_extension("new");
    fs::copy(binary(), &fresh).with_context(|| format!("can't write {}", fresh.display()))?;
    fs::rename(&fresh, &copy).with_context(|| format!("can't replace {}", copy.display()))
}
