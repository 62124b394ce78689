//! Components that do harm before a function of theirs is called, and files that are not what they seem. Each is refused
//! when it is loaded, and a healthy model beside it runs.

use std::fs;
use std::time::{Duration, Instant};

use fanlight_sandbox::{Grants, Package, Sandbox};
use fanlight_tests::plugins::{Plugins, write_stand_in};
use fanlight_tests::server::{Options, Server};
use fanlight_tests::{document, installed};
use reqwest::StatusCode;
use strum::{EnumIter, IntoEnumIterator};
use tempfile::TempDir;
use wasm_encoder::{
    BlockType, CodeSection, ComponentSection, Function, FunctionSection, InstanceSection, Instruction, MemorySection,
    MemoryType, Module, ModuleArg, ModuleSection, RefType, StartSection, TableSection, TableType, TypeSection,
};

/// What a component does or asks for when an instance of it is made. It is the guest `stand-in` otherwise, with
/// [`LIMITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
enum StartDeed {
    /// Computes without end.
    Loop,
    /// Traps.
    Trap,
    /// Calls itself without end.
    OverflowTheStack,
    /// Grows two memories to 100 MB each, which is more than the limit together.
    GrowMemories,
    /// Has a memory of 4 GB from the beginning.
    HaveALargeMemory,
    /// Has 50 small memories.
    HaveManyMemories,
    /// Has 50 small tables.
    HaveManyTables,
    /// Has tables with 270,000 elements together.
    HaveLargeTables,
    /// Has one table with 50 million elements.
    HaveAnEndlessTable,
    /// Consists of 200 modules without anything in them.
    HaveManyModules,
    /// Is machine code for this processor, which a careless host would map into its memory and run.
    BeMachineCode,
}

/// The limits of a component with a deed, in its package.
const LIMITS: &str = "[limits]\nmemory_mb = 192\n";
/// Pages of 64 KiB in 100 MiB.
const HUNDRED_MEGABYTES: i32 = 1600;
/// More memories or tables than a component may have, in fewer modules than it may have.
const SEVERAL: usize = 50;
/// More modules than a component may have.
const MANY: usize = 200;

impl StartDeed {
    /// Returns the file of a plugin that does this: the guest `stand-in` with modules of ours behind its own.
    fn component(self, guest: &[u8]) -> Vec<u8> {
        let pages = |minimum| module(Some(minimum), None, None);
        let elements = |minimum| module(None, Some(minimum), None);
        let at_start = |memory, code: &[Instruction<'_>]| module(memory, None, Some(code));
        match self {
            Self::Loop => {
                let forever = [Instruction::Loop(BlockType::Empty), Instruction::Br(0), Instruction::End];
                with_instances(guest, &at_start(None, &forever), 1)
            }
            Self::Trap => with_instances(guest, &at_start(None, &[Instruction::Unreachable]), 1),
            Self::OverflowTheStack => with_instances(guest, &at_start(None, &[Instruction::Call(0)]), 1),
            Self::GrowMemories => {
                let grow = [
                    Instruction::I32Const(HUNDRED_MEGABYTES),
                    Instruction::MemoryGrow(0),
                    Instruction::I32Const(-1),
                    Instruction::I32Eq,
                    Instruction::If(BlockType::Empty),
                    Instruction::Unreachable,
                    Instruction::End,
                ];
                with_instances(guest, &at_start(Some(0), &grow), 2)
            }
            Self::HaveALargeMemory => with_instances(guest, &pages(65536), 1),
            Self::HaveManyMemories => with_instances(guest, &pages(1), SEVERAL),
            Self::HaveManyTables => with_instances(guest, &elements(1), SEVERAL),
            Self::HaveLargeTables => with_instances(guest, &elements(90_000), 3),
            Self::HaveAnEndlessTable => with_instances(guest, &elements(50_000_000), 1),
            Self::HaveManyModules => with_instances(guest, &Module::new(), MANY),
            Self::BeMachineCode => machine_code(),
        }
    }

    /// Returns words of the sentence that refuses the plugin. A deed without one does not compile.
    fn refusal(self) -> &'static str {
        match self {
            Self::Loop => "the plugin took more than 5 seconds",
            Self::Trap => "wasm `unreachable` instruction executed",
            Self::OverflowTheStack => "call stack exhausted",
            Self::GrowMemories | Self::HaveALargeMemory => "the plugin needs more than 192 MB of memory",
            Self::HaveManyMemories => "linear memories, which exceeds the configured maximum",
            Self::HaveManyTables => "tables, which exceeds the configured maximum",
            Self::HaveLargeTables => "table minimum size of 90000 elements exceeds table limits",
            Self::HaveAnEndlessTable => "a minimum element size of 50000000 which exceeds the limit",
            Self::HaveManyModules => "core module instances, which exceeds the configured maximum",
            Self::BeMachineCode => "is not a usable component",
        }
    }
}

/// Returns a module with a memory of at least so many pages, a table of at least so many elements, and a function that runs
/// when an instance is made.
fn module(pages: Option<u64>, elements: Option<u64>, start: Option<&[Instruction<'_>]>) -> Module {
    let (mut types, mut functions) = (TypeSection::new(), FunctionSection::new());
    let (mut tables, mut memories, mut code) = (TableSection::new(), MemorySection::new(), CodeSection::new());
    if let Some(minimum) = elements {
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, table64: false, minimum, maximum: None, shared: false });
    }
    if let Some(minimum) = pages {
        memories.memory(MemoryType { minimum, maximum: None, memory64: false, shared: false, page_size_log2: None });
    }
    let mut module = Module::new();
    let Some(instructions) = start else {
        module.section(&tables).section(&memories);
        return module;
    };
    types.ty().function([], []);
    functions.function(0);
    let mut function = Function::new([]);
    for instruction in instructions {
        function.instruction(instruction);
    }
    function.instruction(&Instruction::End);
    code.function(&function);
    module.section(&types).section(&functions).section(&tables).section(&memories);
    module.section(&StartSection { function_index: 0 }).section(&code);
    module
}

/// Returns a component with so many instances of a module behind its own instances.
fn with_instances(component: &[u8], module: &Module, count: usize) -> Vec<u8> {
    let index = core_modules(component);
    let mut instances = InstanceSection::new();
    for _ in 0..count {
        instances.instantiate(index, std::iter::empty::<(&str, ModuleArg)>());
    }
    let mut bytes = component.to_vec();
    ModuleSection(module).append_to_component(&mut bytes);
    instances.append_to_component(&mut bytes);
    bytes
}

/// Bytes before the sections of a component: the magic number and the version.
const HEADER: usize = 8;
/// The id of a section that holds a core module.
const CORE_MODULE: u8 = 1;

/// Returns how many core modules a component has, apart from those of components in it.
fn core_modules(component: &[u8]) -> u32 {
    let (mut at, mut count) = (HEADER, 0);
    while let Some(&id) = component.get(at) {
        count += u32::from(id == CORE_MODULE);
        // The size is an unsigned LEB128 number.
        let length = component[at + 1..].iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
        let digits = component[at + 1..=at + length].iter().rev();
        let size = digits.fold(0_usize, |size, byte| (size << 7) | usize::from(byte & 0x7f));
        at += 1 + length + size;
    }
    count
}

/// Returns machine code that this host has compiled for itself.
fn machine_code() -> Vec<u8> {
    let mut files = fs::read_dir(installed::cache()).unwrap().map(|entry| entry.unwrap().path());
    let code = files.find(|path| path.extension().is_some_and(|extension| extension == "cwasm"));
    let code = fs::read(code.unwrap()).unwrap();
    assert!(code.starts_with(b"\x7fELF"), "wasmtime writes machine code as ELF");
    code
}

/// Writes the package of a model, its component changed by `change`.
fn package(change: impl Fn(&[u8]) -> Vec<u8>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_stand_in(&installed::guest("stand-in"), folder.path(), "intruder", "1.0.0");
    let (manifest, component) = (folder.path().join("plugin.toml"), folder.path().join("plugin.wasm"));
    fs::write(&manifest, fs::read_to_string(&manifest).unwrap() + LIMITS).unwrap();
    fs::write(&component, change(&fs::read(&component).unwrap())).unwrap();
    folder
}

/// Loads a package as the server does, and returns the sentence that refuses it.
async fn load(sandbox: &Sandbox, package: &TempDir) -> Result<(), String> {
    let package = Package::read(package.path()).unwrap();
    sandbox.load(&package, &Grants::none()).await.map(|_| ()).map_err(|refusal| refusal.to_string())
}

/// Longest time until a component is refused: compilation on two busy cores, and the five seconds in which it must describe itself.
const LONGEST_REFUSAL: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_does_harm_at_its_start_is_refused() {
    let cache = tempfile::tempdir().unwrap();
    let sandbox = installed::sandbox_with_cache(2, cache.path());
    let mut unexpected = Vec::new();
    for deed in StartDeed::iter() {
        let (package, healthy) = (package(|guest| deed.component(guest)), package(<[u8]>::to_vec));
        let started = Instant::now();
        // Beside it, a healthy component of the same package is loaded.
        let (loaded, beside) = tokio::join!(load(&sandbox, &package), load(&sandbox, &healthy));
        let (took, refusal) = (started.elapsed(), loaded.err().unwrap_or_default());
        println!("{deed:?}: {refusal} ({took:?})");
        if !refusal.contains(deed.refusal()) || took > LONGEST_REFUSAL || beside.is_err() {
            unexpected.push(format!("{deed:?} after {took:?}: {refusal:?}, and beside it {beside:?}"));
        }
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_behind_those_of_a_component_does_no_harm_by_itself() {
    let cache = tempfile::tempdir().unwrap();
    let sandbox = installed::sandbox_with_cache(1, cache.path());
    let package = package(|guest| with_instances(guest, &module(Some(1), Some(1), Some(&[])), 1));
    assert_eq!(load(&sandbox, &package).await, Ok(()));
}

/// Machine code takes the place of a component's file while the server runs, and lies in a new package.
#[tokio::test(flavor = "multi_thread")]
async fn machine_code_in_place_of_wasm_is_never_run() {
    let plugins = Plugins::default().with_stand_in("steady").with_stand_in("changed");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), keep_log: true, ..Options::default() });
    let client = server.client("office", "pro");
    let document = client.document(document::titled("any", 1)).await;
    assert_eq!(client.ended("changed", &document).await["status"], "complete");

    fs::write(plugins.folder().join("changed/plugin.wasm"), machine_code()).unwrap();
    // In one step, as `plugin install` does.
    let intruder = package(|_| machine_code());
    fs::rename(intruder.keep(), plugins.folder().join("intruder@1.0.0")).unwrap();
    for (folder, model) in [("changed", "changed"), ("intruder@1.0.0", "intruder")] {
        server.logged(&format!("skipped a plugin plugin=\"{folder}\""));
        let log = server.log();
        let refused = log.iter().find(|line| line.contains("skipped") && line.contains(folder)).unwrap();
        assert!(refused.contains("is not a usable component"), "{refused}");
        assert_eq!(client.submit(model, &document).await.status, StatusCode::NOT_FOUND, "{model} takes no jobs");
    }
    assert_eq!(client.ended("steady", &document).await["status"], "complete", "other models run on");
}
