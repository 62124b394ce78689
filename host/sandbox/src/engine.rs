//! The one wasmtime engine, and the sandbox around it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre, Linker, ResourceType};
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::bindings::composed::ComposedPre;
use crate::bindings::engine::EnginePre;
use crate::capability::{Capability, Grants, Offer, Refusal, check_imports};
use crate::composition::{COMPOSITION, PDF, compose};
use crate::document::Document;
use crate::functions::CompiledFunctions;
use crate::guest::Guest;
use crate::inspection::{Inspection, OpenError, PageGeometry, PdfInspector, Purpose};
use crate::limits::Limits;
use crate::linking;
use crate::machine_code::MachineCode;
use crate::model::{Description, Model};
use crate::nn::Networks;
use crate::package::Package;
use crate::picture::{Picture, PictureError};

/// How a sandbox is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the PDF engine's package.
    pub pdf_engine: PathBuf,
    /// Where machine code is kept between starts. Made for this user alone where it is missing.
    pub cache: PathBuf,
    /// Machine code that came with the plugins, as [`Sandbox`]s left it in their caches. It is only read, and used only
    /// if nobody but this user and the superuser can have written it.
    pub machine_code: Option<PathBuf>,
    /// Guests that may run at once, over all tasks; and as many inspections of uploads, reads of documents and
    /// presentations of results beside them.
    pub parallel: usize,
    /// What no package gets more of.
    pub ceiling: Limits,
    /// What stands behind the capability `language`; without one this host doesn't offer it.
    pub language: Option<Arc<fanlight_language::Client>>,
    /// What stands behind the capability `nn`; without it this host doesn't offer it.
    pub inference: Option<Arc<fanlight_inference::Inference>>,
}

/// The sandbox: loads models and inspects documents. One a process.
pub struct Sandbox {
    core: Arc<Core>,
    linker: Linker<Guest>,
    machine_code: Arc<MachineCode>,
    functions: Arc<CompiledFunctions>,
    engine_package: Arc<Package>,
    /// Empty until the PDF engine is compiled.
    engine_component: OnceCell<EngineComponent>,
    ceiling: Limits,
    offer: Offer,
    inference: Option<Arc<fanlight_inference::Inference>>,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sandbox").field("ceiling", &self.ceiling).finish_non_exhaustive()
    }
}

impl Sandbox {
    /// Starts the engine. The PDF engine is loaded if its machine code is there; else [`Sandbox::prepare`] or the first
    /// question about a document compiles it.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let parallel = settings.parallel.max(1);
        let functions = Arc::new(CompiledFunctions::default());
        let engine = engine(parallel, functions.clone())?;
        tick(&engine)?;
        let machine_code = MachineCode::open(&settings.cache, settings.machine_code.as_deref())?;
        let linker = linking::linker(&engine)?;
        let engine_package = Package::read(&settings.pdf_engine)?;
        if engine_package.is_model() {
            bail!("the package {} is a model, not a PDF engine", settings.pdf_engine.display());
        }
        let compiled = machine_code.find(&engine, engine_package.sha256());
        let compiled =
            compiled.map(|component| EngineComponent::new(&linker, &engine_package, &component)).transpose()?;
        let turns = || Arc::new(Semaphore::new(parallel));
        let core = Core {
            engine,
            turns: turns(),
            inspections: turns(),
            reads: turns(),
            presentations: turns(),
            parallel,
            language: settings.language.clone(),
            ocr: None,
        };
        let offer = offer(&core);
        Ok(Self {
            core: Arc::new(core),
            linker,
            machine_code: Arc::new(machine_code),
            functions,
            engine_package: Arc::new(engine_package),
            engine_component: OnceCell::new_with(compiled),
            ceiling: settings.ceiling,
            offer,
            inference: settings.inference.clone(),
        })
    }

    /// The same sandbox with what stands behind the capability `ocr`; without it this host doesn't offer it. It is no setting,
    /// since to look for an OCR engine takes as long as to open the sandbox, and both can be done at once.
    #[must_use]
    pub fn with_ocr(mut self, reader: Arc<fanlight_ocr::Reader>) -> Self {
        let core = Core { ocr: Some(reader), ..Arc::unwrap_or_clone(self.core) };
        self.offer = offer(&core);
        self.core = Arc::new(core);
        self
    }

    /// Loads a model: checks what it asks for, composes, compiles, and asks it what it is.
    ///
    /// With a warm cache this takes milliseconds, else seconds: needs a runtime of several threads, which go on with
    /// other work meanwhile.
    pub async fn load(&self, package: &Package, grants: &Grants) -> Result<Model, Refusal> {
        let component = tokio::task::block_in_place(|| self.compile(package, grants))?;
        self.model(component, package, grants).await
    }

    /// As [`Sandbox::load`], for a model whose machine code is there; None if it would have to be compiled.
    pub async fn load_compiled(&self, package: &Package, grants: &Grants) -> Result<Option<Model>, Refusal> {
        let found = || {
            let component = self.machine_code.find(self.core.engine(), &self.composition_key(package))?;
            Some(self.linked(&component, package, grants))
        };
        match tokio::task::block_in_place(found) {
            Some(component) => Ok(Some(self.model(component?, package, grants).await?)),
            None => Ok(None),
        }
    }

    /// Asks a model what it is without compiling the PDF engine with it: takes a fraction of [`Sandbox::load`]'s time.
    ///
    /// What [`Sandbox::load`] would refuse is refused here, but for machine code that can't be made.
    pub async fn describe(&self, package: &Package, grants: &Grants) -> Result<Outline, Refusal> {
        let component = tokio::task::block_in_place(|| self.compile_alone(package, grants))?;
        Ok(Outline(self.model(component, package, grants).await?))
    }

    /// Compiles the PDF engine, if it is not loaded yet. Does nothing the second time.
    pub async fn prepare(&self) -> anyhow::Result<()> {
        self.pdf_engine().await.map(|_| ())
    }

    /// Whether documents can be opened without anything being compiled first.
    pub fn is_prepared(&self) -> bool {
        self.engine_component.initialized()
    }

    /// Gives back the memory that is kept for further compilations.
    pub fn all_compiled(&self) {
        self.functions.close();
    }

    /// Deletes machine code from the cache that nothing has been loaded from since the sandbox was opened.
    pub fn delete_unused_machine_code(&self) -> anyhow::Result<()> {
        self.machine_code.delete_unused()
    }

    async fn model(&self, component: ComposedPre<Guest>, package: &Package, grants: &Grants) -> Result<Model, Refusal> {
        let networks = Networks::open(package, grants, self.inference.as_deref()).await?;
        let rights = self.offer.to(package, grants);
        Model::describe(self.core.clone(), component, package, rights, networks, self.ceiling).await
    }

    fn composition_key(&self, package: &Package) -> String {
        format!("{}+{}, {COMPOSITION}", package.sha256(), self.engine_package.sha256())
    }

    fn compile(&self, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        let composed = || compose(package, &self.engine_package, grants, &self.offer);
        let key = self.composition_key(package);
        let refuse = |error| not_usable(package, &error);
        let component = self.machine_code.component(self.core.engine(), &key, composed, refuse)?;
        self.linked(&component, package, grants)
    }

    /// A composed component with what it imports.
    ///
    /// Checks once more what the plugin asks for, since the component may come out of the cache: what is granted may
    /// have changed since it was composed. The document's bytes are the engine's own import now; `compose` has refused
    /// a plugin that asks for them.
    fn linked(&self, component: &Component, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        let component_type = component.component_type();
        let imports = component_type.imports(self.core.engine()).map(|(name, _)| name);
        let asked = imports.filter(|name| !name.starts_with("fanlight:plugin/source@"));
        check_imports(package, asked, grants, &self.offer)?;
        let linked = self.linker.instantiate_pre(component).and_then(ComposedPre::new);
        linked.map_err(|error| not_usable(package, &error))
    }

    /// A plugin without the PDF engine: what it asks of the engine traps.
    fn compile_alone(&self, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        compose(package, &self.engine_package, grants, &self.offer)?;
        let mut linker = self.linker.clone();
        let linked = self.machine_code.compile(self.core.engine(), package.wasm()).and_then(|component| {
            stub_pdf(&mut linker, self.core.engine(), &component)?;
            linker.instantiate_pre(&component).and_then(ComposedPre::new)
        });
        linked.map_err(|error| not_usable(package, &error))
    }

    /// The PDF engine. Whoever asks first has it compiled, the others wait.
    async fn pdf_engine(&self) -> anyhow::Result<&EngineComponent> {
        let compile = async || {
            let (core, linker, package) = (self.core.clone(), self.linker.clone(), self.engine_package.clone());
            let machine_code = self.machine_code.clone();
            let compiling = move || {
                let bytes = || Ok(package.wasm().to_vec());
                let compiled = machine_code.component(core.engine(), package.sha256(), bytes, |error| error);
                let component = compiled.map_err(anyhow::Error::from).context("can't compile the PDF engine")?;
                EngineComponent::new(&linker, &package, &component)
            };
            tokio::task::spawn_blocking(compiling).await?
        };
        self.engine_component.get_or_try_init(compile).await
    }

    /// Opens a document in the PDF engine and says what it is.
    pub async fn inspect(&self, document: &Document) -> Result<Inspection, OpenError> {
        self.desk(document).await?.inspect().await
    }

    /// How the pages from `first` (1-based) on lie, `count` of them or as many as the document has.
    pub async fn pages(&self, document: &Document, first: u32, count: u32) -> Result<Vec<PageGeometry>, OpenError> {
        self.desk(document).await?.pages(first, count).await
    }

    /// A picture of a page (1-based) at so many pixels an inch, at most 1200, or at fewer where it would get too large.
    pub async fn picture(&self, document: &Document, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        self.desk(document).await?.picture(page, dpi).await
    }

    /// The component of a package that is no model, with what it imports.
    pub(crate) fn component(&self, package: &Package) -> anyhow::Result<InstancePre<Guest>> {
        let component = self.machine_code.component(
            self.core.engine(),
            package.sha256(),
            || Ok(package.wasm().to_vec()),
            |error| error,
        );
        let component = component.map_err(anyhow::Error::from)?;
        Ok(self.linker.instantiate_pre(&component)?)
    }

    pub(crate) fn core(&self) -> Arc<Core> {
        self.core.clone()
    }

    pub(crate) fn ceiling(&self) -> Limits {
        self.ceiling
    }

    async fn desk<'a>(&'a self, document: &'a Document) -> Result<PdfInspector<'a>, OpenError> {
        let engine = self.pdf_engine().await.map_err(|error| OpenError::Engine(format!("{error:#}")))?;
        Ok(PdfInspector { core: &self.core, engine, document, ceiling: self.ceiling })
    }
}

/// Lets a plugin be instantiated without the PDF engine: what it asks of the engine traps.
fn stub_pdf(linker: &mut Linker<Guest>, engine: &Engine, component: &Component) -> wasmtime::Result<()> {
    for (name, import) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(interface) = import.ty else { continue };
        if name.split('@').next() != Some(PDF) {
            continue;
        }
        let mut stub = linker.instance(name)?;
        for (item, export) in interface.exports(engine) {
            match export.ty {
                ComponentItem::ComponentFunc(_) => {
                    stub.func_new(item, |_, _, _, _| wasmtime::bail!("there is no document yet"))?;
                }
                ComponentItem::Resource(_) => {
                    stub.resource(item, ResourceType::host::<()>(), |_, _| Ok(()))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn not_usable(package: &Package, error: &wasmtime::Error) -> Refusal {
    Refusal::NotAComponent { plugin: package.name().to_owned(), detail: format!("{error:#}") }
}

/// A model that can be asked what it is, but not run.
#[derive(Debug)]
pub struct Outline(Model);

impl Outline {
    /// What the model is.
    pub fn description(&self) -> &Description {
        self.0.description()
    }

    /// Whether the model will have a capability once it is loaded.
    pub fn has(&self, capability: Capability) -> bool {
        self.0.has(capability)
    }
}

/// The PDF engine, ready to be instantiated.
pub(crate) struct EngineComponent {
    pub(crate) name: Arc<str>,
    pub(crate) component: EnginePre<Guest>,
}

impl EngineComponent {
    fn new(linker: &Linker<Guest>, package: &Package, component: &Component) -> anyhow::Result<Self> {
        let linked = linker.instantiate_pre(component).and_then(EnginePre::new);
        let component = linked.map_err(anyhow::Error::from).context("the PDF engine does not fit this host")?;
        Ok(Self { name: package.name().into(), component })
    }
}

/// What models share.
#[derive(Clone)]
pub(crate) struct Core {
    engine: Engine,
    turns: Arc<Semaphore>,
    inspections: Arc<Semaphore>,
    reads: Arc<Semaphore>,
    presentations: Arc<Semaphore>,
    parallel: usize,
    language: Option<Arc<fanlight_language::Client>>,
    ocr: Option<Arc<fanlight_ocr::Reader>>,
}

/// The capabilities that something stands behind.
fn offer(core: &Core) -> Offer {
    let language = core.language.is_some().then_some(Capability::Language);
    let ocr = core.ocr.is_some().then_some(Capability::Ocr);
    Offer::new(language.into_iter().chain(ocr))
}

impl Core {
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn parallel(&self) -> usize {
        self.parallel
    }

    pub(crate) fn language(&self) -> Option<&Arc<fanlight_language::Client>> {
        self.language.as_ref()
    }

    pub(crate) fn ocr(&self) -> Option<&Arc<fanlight_ocr::Reader>> {
        self.ocr.as_ref()
    }

    /// Waits until one question more may be asked. A client waits for each, so they have permits apart from jobs', and
    /// uploads have theirs apart from reads'.
    pub(crate) async fn question_permit(&self, purpose: Purpose) -> Option<OwnedSemaphorePermit> {
        let permits = match purpose {
            Purpose::Upload => &self.inspections,
            Purpose::Read => &self.reads,
        };
        permits.clone().acquire_owned().await.ok()
    }

    /// Waits until one result more may be presented. They have turns of their own: a client waits for each.
    pub(crate) async fn presentation_turn(&self) -> Option<OwnedSemaphorePermit> {
        self.presentations.clone().acquire_owned().await.ok()
    }

    /// Waits until one guest more may run. None only where the semaphore is closed, which nobody does.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        self.turns.clone().acquire_owned().await.ok()
    }
}

/// wasm stack of a guest; the PDF engine's deepest recursion is over nested forms.
const WASM_STACK: usize = 1024 * 1024;
/// The native stack that async guests run on; must exceed the wasm stack.
const ASYNC_STACK: usize = 2 * 1024 * 1024;
/// How often a running guest is looked at: whether it must stop, and so that it lets others run.
const TICK: Duration = Duration::from_millis(10);

/// The engine's configuration, made here and nowhere else: machine code fits only the configuration it was made by.
///
/// Multiple memories stay on: the adapters between a plugin and the PDF engine copy from one memory to another.
fn engine(parallel: usize, functions: Arc<CompiledFunctions>) -> anyhow::Result<Engine> {
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(parallel)))
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        .wasm_memory64(false)
        .memory_init_cow(true)
        .concurrency_support(false)
        .enable_incremental_compilation(functions)?;
    Ok(Engine::new(&config)?)
}

/// Guests that may be alive beyond those that have a turn: models being described as they are loaded.
const BESIDE_TURNS: usize = 16;
/// Parts of a composed component: the plugin, the engine, the adapters between them and whatever a toolchain adds.
const CORE_INSTANCES: u32 = 64;
/// Linear memories of those parts; only the plugin and the engine have one of their own as a rule.
const MEMORIES: u32 = 8;
/// Tables of those parts.
const TABLES: u32 = 32;
/// Functions that a part may take the address of.
const TABLE_ELEMENTS: usize = 100_000;
/// What the host keeps of each part: offsets of its functions, memories and tables.
const INSTANCE_BYTES: usize = 8 * 1024 * 1024;
/// All that 32 bits can address; [`Limits`] bound what a guest really gets.
const ADDRESSABLE: usize = 4 * 1024 * 1024 * 1024;
/// What a slot keeps from one guest to the next, written over with zeros: about what a dense sheet takes. The kernel
/// needs longer to hand out fresh pages than this takes, by a fifth of the time of a rendering.
const KEPT_RESIDENT: usize = 256 * 1024 * 1024;

/// Kinds of guests that have turns of their own: jobs, inspections of uploads, reads, presentations.
const KINDS_OF_TURNS: u32 = 4;

/// Slots for guests, reserved once as addresses and not as memory.
fn pool(parallel: usize) -> PoolingAllocationConfig {
    let turns = u32::try_from(parallel).unwrap_or(u32::MAX / 1024).min(u32::MAX / 1024);
    let guests = turns.saturating_mul(KINDS_OF_TURNS) + BESIDE_TURNS as u32;
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(guests)
        .total_core_instances(guests.saturating_mul(CORE_INSTANCES / 4))
        .total_memories(guests.saturating_mul(MEMORIES / 2))
        .total_tables(guests.saturating_mul(TABLES / 4))
        .total_stacks(guests.saturating_mul(2))
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_component_instance_size(INSTANCE_BYTES)
        .max_core_instance_size(INSTANCE_BYTES)
        .table_elements(TABLE_ELEMENTS)
        .max_memory_size(ADDRESSABLE)
        .max_unused_warm_slots(turns.saturating_mul(2))
        .linear_memory_keep_resident(KEPT_RESIDENT)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// Counts the epoch up from a thread of its own: a runtime's timer stands still while a guest holds its worker.
fn tick(engine: &Engine) -> anyhow::Result<()> {
    let weak = engine.weak();
    let ticker = move || {
        while let Some(engine) = weak.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    };
    thread::Builder::new().name("epoch".to_owned()).spawn(ticker).context("can't start the epoch's thread")?;
    Ok(())
}
