use toc_parser::{Leaf, Manual};
#[path = "../tests/native/mod.rs"]
mod native;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let leaf = native::NativeManual::open(std::fs::read(&a[1]).unwrap()).unwrap().leaf(a[2].parse().unwrap()).unwrap();
    let text = leaf.text();
    for run in text.runs.iter().skip(a[3].parse().unwrap()).take(30) {
        println!("{:?} x{:.2} y{:.2} size{:.2} adv{:?} font{} codes{:?}", run.text, run.x, run.y, run.size, run.advances, text.fonts[run.font as usize].name, run.codes);
    }
}
