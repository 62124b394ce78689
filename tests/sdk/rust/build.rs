//! Generates the client from the document that `OPENAPI` names.
use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-env-changed=OPENAPI");
    let document = env::var("OPENAPI").expect("OPENAPI names the document");
    println!("cargo::rerun-if-changed={document}");
    let document = fs::read_to_string(document).expect("the document can be read");
    let document = serde_json::from_str(&document).expect("it is an OpenAPI 3.0 document");
    let mut settings = progenitor::GenerationSettings::default();
    settings.with_interface(progenitor::InterfaceStyle::Builder);
    let client = progenitor::Generator::new(&settings).generate_tokens(&document).expect("a client can be made of it");
    let client = prettyplease::unparse(&syn::parse2(client).expect("the client is Rust"));
    let folder = env::var("OUT_DIR").expect("cargo gives a folder");
    fs::write(Path::new(&folder).join("client.rs"), client).expect("the client can be written");
}
