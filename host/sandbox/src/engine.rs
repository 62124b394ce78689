//! The one wasmtime engine, and the sandbox around it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::{InstancePre, Linker};
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::bindings::composed::ComposedPre;
use crate::bindings::engine::EnginePre;
use crate::capability::{Capability, Grants, Offer, Refusal, check_imports};
use crate::composition::{COMPOSITION, compose};
use crate::document::Document;
use crate::guest::Guest;
use crate::inspection::{Desk, Inspection, OpenError, PageGeometry, Purpose};
use crate::limits::Limits;
use crate::linking;
use crate::machine_code::MachineCode;
use crate::model::Model;
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
    machine_code: MachineCode,
    engine_package: Package,
    engine_component: EngineComponent,
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
    /// Starts the engine and loads the PDF engine. Blocks: with a cold cache it compiles for seconds.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let parallel = settings.parallel.max(1);
        let engine = engine(parallel)?;
        tick(&engine)?;
        let machine_code = MachineCode::open(&settings.cache)?;
        let linker = linking::linker(&engine)?;
        let engine_package = Package::read(&settings.pdf_engine)?;
        if engine_package.is_model() {
            bail!("the package {} is a model, not a PDF engine", settings.pdf_engine.display());
        }
        let component = machine_code
            .component(&engine, engine_package.sha256(), || Ok(engine_package.wasm().to_vec()), |error| error)
            .map_err(anyhow::Error::from)
            .context("can't compile the PDF engine")?;
        let component = linker
            .instantiate_pre(&component)
            .and_then(EnginePre::new)
            .map_err(anyhow::Error::from)
            .context("the PDF engine does not fit this host")?;
        let engine_component = EngineComponent { name: engine_package.name().into(), component };
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
            machine_code,
            engine_package,
            engine_component,
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
        let networks = Networks::open(package, grants, self.inference.as_deref()).await?;
        let rights = self.offer.to(package, grants);
        Model::describe(self.core.clone(), component, package, rights, networks, self.ceiling).await
    }

    fn compile(&self, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        let not_usable = |error: wasmtime::Error| Refusal::NotAComponent {
            plugin: package.name().to_owned(),
            detail: format!("{error:#}"),
        };
        let key = format!("{}+{}, {COMPOSITION}", package.sha256(), self.engine_package.sha256());
        let composed = || compose(package, &self.engine_package, grants, &self.offer);
        let component = self.machine_code.component(self.core.engine(), &key, composed, not_usable)?;
        // Once more on what came out of the cache: what is granted may have changed since it was composed. The
        // document's bytes are the engine's own import now; `compose` has refused a plugin that asks for them.
        let component_type = component.component_type();
        let imports = component_type.imports(self.core.engine()).map(|(name, _)| name);
        let asked = imports.filter(|name| !name.starts_with("fanlight:plugin/source@"));
        check_imports(package, asked, grants, &self.offer)?;
        self.linker.instantiate_pre(&component).and_then(ComposedPre::new).map_err(not_usable)
    }

    /// Opens a document in the PDF engine and says what it is.
    pub async fn inspect(&self, document: &Document) -> Result<Inspection, OpenError> {
        self.desk(document).inspect().await
    }

    /// How the pages from `first` (1-based) on lie, `count` of them or as many as the document has.
    pub async fn pages(&self, document: &Document, first: u32, count: u32) -> Result<Vec<PageGeometry>, OpenError> {
        self.desk(document).pages(first, count).await
    }

    /// A picture of a page (1-based) at so many pixels an inch, at most 1200, or at fewer where it would get too large.
    pub async fn picture(&self, document: &Document, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        self.desk(document).picture(page, dpi).await
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

    fn desk<'a>(&'a self, document: &'a Document) -> Desk<'a> {
        Desk { core: &self.core, engine: &self.engine_component, document, ceiling: self.ceiling }
    }
}

/// The PDF engine, ready to be instantiated.
pub(crate) struct EngineComponent {
    pub(crate) name: Arc<str>,
    pub(crate) component: EnginePre<Guest>,
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
    Offer::of(language.into_iter().chain(ocr))
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
fn engine(parallel: usize) -> anyhow::Result<Engine> {
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(parallel)))
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        .wasm_memory64(false)
        .memory_init_cow(true)
        .concurrency_support(false);
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
