//! Rebuilds the crate when a migration is added.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
