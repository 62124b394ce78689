//! Builds the host with failpoints, for tests that kill it between two steps.

use std::env;
use std::fs;

use anyhow::{Context, Result};

use crate::workspace::{binary, cargo, run as run_command, say, target};

/// Builds the host with failpoints and copies it beside the test programs.
///
/// It builds the whole workspace, as the ordinary build does, so that dependencies have the same features in both and
/// only crates with failpoints are compiled twice. Its binary takes the place of the ordinary one, so the ordinary build
/// must follow.
pub(crate) fn build() -> Result<()> {
    say("building the host with failpoints");
    run_command(cargo().args(["build", "--release", "--workspace", "--bins", "--features", "fanlight/failpoints"]))?;
    let folder = target().join("release").join("test-programs");
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let copy = folder.join(format!("fanlight-failpoints{}", env::consts::EXE_SUFFIX));
    // A test may still run the previous copy, so it is replaced, not overwritten.
    let fresh = copy.with_extension("new");
    fs::copy(binary(), &fresh).with_context(|| format!("can't write {}", fresh.display()))?;
    fs::rename(&fresh, &copy).with_context(|| format!("can't replace {}", copy.display()))
}
