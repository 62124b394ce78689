//! The one wasmtime engine, and the sandbox around it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fanlight_composition::{
    COMPOSITION, Capability, Engines, Grants, Limits, Offer, PDF, Package, Refusal, check_imports, compose,
    is_same_interface,
};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre, Linker, ResourceType};
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Strategy};

use crate::bindings::composed::ComposedPre;
use crate::bindings::engine::EnginePre;
use crate::document::Document;
use crate::functions::CompiledFunctions;
use crate::guest::Guest;
use crate::inspection::{Inspection, OpenError, PageGeometry, PdfInspector, Purpose};
use crate::linking;
use crate::machine_code::MachineCode;
use crate::model::{Description, Model};
use crate::nn::Networks;
use crate::picture::{Picture, PictureError, PixelArea};

/// What a sandbox compiles components for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compilation {
    /// Jobs, by Cranelift: the fastest code.
    ForJobs,
    /// A description, which takes a millisecond however slow the code, by Winch: in a tenth of the time. Winch does not
    /// know every instruction. What it refuses, another sandbox may compile for jobs.
    ForChecks,
}

/// Settings of a sandbox.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the PDF engine's package.
    pub pdf_engine: PathBuf,
    /// The folder of the OCR engine's package. Without one, and without [`Sandbox::with_ocr`], this host does not offer
    /// the capability `ocr`.
    pub ocr_engine: Option<PathBuf>,
    /// The folder in which machine code is kept between starts. Created for this user alone if it is missing.
    pub cache: PathBuf,
    /// Machine code that is shipped with the plugins, taken from the cache of another [`Sandbox`]. It is read only,
    /// and used only if nobody but this user and the superuser can have written it.
    pub machine_code: Option<PathBuf>,
    /// Guests that may run at once, over all tasks. As many inspections of uploads, reads of documents and
    /// presentations of results may run besides.
    pub parallel: usize,
    /// Upper bound of every package's limits.
    pub ceiling: Limits,
    /// What components are compiled for. Each kind has machine code of its own.
    pub compilation: Compilation,
    /// The client behind the capability `language`. Without one, this host does not offer it.
    pub language: Option<Arc<fanlight_language::Client>>,
    /// The service behind the capability `nn`. Without one, this host does not offer it.
    pub inference: Option<Arc<fanlight_inference::Inference>>,
}

/// Loads models and inspects documents. A process has one.
pub struct Sandbox {
    core: Arc<Core>,
    linker: Linker<Guest>,
    machine_code: Arc<MachineCode>,
    functions: Arc<CompiledFunctions>,
    engine_package: Arc<Package>,
    /// The OCR engine, if this host has one and runs networks.
    ocr_package: Option<Arc<Package>>,
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
    /// Starts the engine. The PDF engine is loaded if its machine code is cached. Otherwise [`Sandbox::prepare`] or
    /// the first question about a document compiles it.
    ///
    /// # Errors
    ///
    /// The cache is not private, the PDF engine's package is invalid, or wasmtime rejects its configuration.
    pub fn open(settings: &Settings) -> anyhow::Result<Self> {
        let parallel = settings.parallel.max(1);
        let functions = Arc::new(CompiledFunctions::default());
        let engine = engine(parallel, settings.compilation, functions.clone())?;
        tick(&engine)?;
        let machine_code = MachineCode::open(&settings.cache, settings.machine_code.as_deref())?;
        let linker = linking::linker(&engine)?;
        let engine_package = Package::read(&settings.pdf_engine)?;
        if engine_package.is_model() {
            bail!("the package {} is a model, not a PDF engine", settings.pdf_engine.display());
        }
        let ocr_package = settings.ocr_engine.as_deref().filter(|_| settings.inference.is_some());
        let ocr_package = ocr_package.map(Package::read).transpose()?;
        if let Some(package) = ocr_package.as_ref().filter(|package| !package.is_ocr_engine()) {
            bail!("the package `{}` is not an OCR engine", package.name());
        }
        let compiled = machine_code.find(&engine, engine_package.sha256());
        let compiled =
            compiled.map(|component| EngineComponent::new(&linker, &engine_package, &component)).transpose()?;
        let permits = || Arc::new(Semaphore::new(parallel));
        let core = Core {
            engine,
            permits: permits(),
            inspections: permits(),
            reads: permits(),
            presentations: permits(),
            parallel,
            language: settings.language.clone(),
            ocr: None,
        };
        let offer = offer(&core, ocr_package.is_some());
        Ok(Self {
            core: Arc::new(core),
            linker,
            machine_code: Arc::new(machine_code),
            functions,
            engine_package: Arc::new(engine_package),
            ocr_package: ocr_package.map(Arc::new),
            engine_component: OnceCell::new_with(compiled),
            ceiling: settings.ceiling,
            offer,
            inference: settings.inference.clone(),
        })
    }

    /// Returns this sandbox with a reader of the host's behind the capability `ocr`, for plugins without the OCR engine.
    ///
    /// It is not a setting, because finding an OCR engine takes as long as opening the sandbox, and both can be done
    /// at once.
    #[must_use]
    pub fn with_ocr(mut self, reader: Arc<fanlight_ocr::Reader>) -> Self {
        let core = Core { ocr: Some(reader), ..Arc::unwrap_or_clone(self.core) };
        self.offer = offer(&core, self.ocr_package.is_some());
        self.core = Arc::new(core);
        self
    }

    /// Loads a model: checks its requests, composes and compiles it, and asks for its description.
    ///
    /// Takes milliseconds with a warm cache, else seconds. Needs a runtime of several threads, which continue other
    /// work.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of the plugin.
    pub async fn load(&self, package: &Package, grants: &Grants) -> Result<Model, Refusal> {
        let component = tokio::task::block_in_place(|| self.compile(package, grants))?;
        self.model(component, package, grants).await
    }

    /// As [`Sandbox::load`], for a model with cached machine code. Returns `None` if it would have to be compiled.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of the plugin.
    pub async fn load_compiled(&self, package: &Package, grants: &Grants) -> Result<Option<Model>, Refusal> {
        let linked = tokio::task::block_in_place(|| {
            let component = self.machine_code.find(self.core.engine(), &self.composition_key(package, grants))?;
            Some(self.linked(&component, package, grants))
        });
        match linked {
            Some(component) => Ok(Some(self.model(component?, package, grants).await?)),
            None => Ok(None),
        }
    }

    /// Asks a model for its description without compiling the PDF engine with it, in a fraction of
    /// [`Sandbox::load`]'s time.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that [`Sandbox::load`] would return, except for a component that cannot be compiled with the
    /// engine.
    pub async fn describe(&self, package: &Package, grants: &Grants) -> Result<Outline, Refusal> {
        let component = tokio::task::block_in_place(|| self.compile_alone(package, grants))?;
        Ok(Outline(self.model(component, package, grants).await?))
    }

    /// Compiles the PDF engine unless it is loaded.
    ///
    /// # Errors
    ///
    /// The PDF engine cannot be compiled or linked.
    pub async fn prepare(&self) -> anyhow::Result<()> {
        self.pdf_engine().await.map(|_| ())
    }

    /// Returns whether documents can be opened without compiling first.
    pub fn is_prepared(&self) -> bool {
        self.engine_component.initialized()
    }

    /// Frees the memory that is held for further compilations.
    pub fn all_compiled(&self) {
        self.functions.close();
    }

    /// Deletes cached machine code that nothing was loaded from since the sandbox was opened.
    ///
    /// # Errors
    ///
    /// The cache cannot be read, or a file cannot be deleted.
    pub fn delete_unused_machine_code(&self) -> anyhow::Result<()> {
        self.machine_code.delete_unused()
    }

    /// Opens the model's networks and asks for its description.
    async fn model(&self, component: ComposedPre<Guest>, package: &Package, grants: &Grants) -> Result<Model, Refusal> {
        let mut networks = Networks::open(package, grants, self.inference.as_deref()).await?;
        if let Some(ocr) = self.ocr_for(package, grants) {
            networks.open_for_ocr(ocr, self.inference.as_deref()).await;
        }
        let rights = self.offer.to(package, grants);
        Model::describe(self.core.clone(), component, package, rights, networks, self.ceiling).await
    }

    /// Returns the OCR engine if a plugin asks for `ocr` and is granted it.
    fn ocr_for(&self, package: &Package, grants: &Grants) -> Option<&Package> {
        self.ocr_package.as_deref().filter(|_| self.offer.to(package, grants).contains(&Capability::Ocr))
    }

    /// Returns the engines that a plugin is composed with.
    fn engines(&self, package: &Package, grants: &Grants) -> Engines<'_> {
        Engines { pdf: &self.engine_package, ocr: self.ocr_for(package, grants) }
    }

    /// Returns the cache's key of a package composed with its engines.
    fn composition_key(&self, package: &Package, grants: &Grants) -> String {
        let engines = self.engines(package, grants);
        let ocr = engines.ocr.map(|engine| format!("+{}", engine.sha256())).unwrap_or_default();
        // The OCR engine's imports hide those of the plugin, so a component that was composed for a package that asks for
        // inference is not found for one that does not.
        let asks_for_nn = if package.asks_for(Capability::Nn) { "+nn" } else { "" };
        format!("{}+{}{ocr}{asks_for_nn}, {COMPOSITION}", package.sha256(), engines.pdf.sha256())
    }

    /// Composes and compiles a plugin, or finds its machine code.
    fn compile(&self, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        let composed = || compose(package, self.engines(package, grants), grants, &self.offer);
        let key = self.composition_key(package, grants);
        let refuse = |error| not_usable(package, &error);
        let component = self.machine_code.component(self.core.engine(), &key, composed, refuse)?;
        self.linked(&component, package, grants)
    }

    /// Links a composed component.
    ///
    /// Checks the plugin's requests again, because the component may come from the cache and the grants may have
    /// changed since. The document's bytes are the PDF engine's own import here, and inference is the OCR engine's;
    /// `compose` has refused a plugin that may not import them.
    fn linked(&self, component: &Component, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        let component_type = component.component_type();
        let imports = component_type.imports(self.core.engine()).map(|(name, _)| name);
        let has_ocr_engine = self.ocr_for(package, grants).is_some();
        let asked = imports.filter(|name| !name.starts_with("fanlight:plugin/source@"));
        let asked = asked.filter(|name| !(has_ocr_engine && name.starts_with("wasi:nn/")));
        check_imports(package, asked, grants, &self.offer)?;
        let linked = self.linker.instantiate_pre(component).and_then(ComposedPre::new);
        linked.map_err(|error| not_usable(package, &error))
    }

    /// Compiles a plugin without the PDF engine. Its calls of the engine trap.
    fn compile_alone(&self, package: &Package, grants: &Grants) -> Result<ComposedPre<Guest>, Refusal> {
        compose(package, self.engines(package, grants), grants, &self.offer)?;
        let compiled = self.machine_code.compile(self.core.engine(), package.wasm());
        let component = compiled.map_err(|error| not_usable(package, &error))?;
        self.link_alone(&component, package)
    }

    /// Returns the PDF engine's package.
    pub(crate) fn engine_package(&self) -> &Package {
        &self.engine_package
    }

    /// As [`Self::compile_alone`], for a plugin whose imports are checked. The machine code is kept, because an author
    /// checks one component several times: also after each change of `plugin.toml`, and whenever it is packed.
    ///
    /// Also returns the time of compilation; `None` if the machine code was kept from before.
    pub(crate) fn compile_alone_and_keep(
        &self,
        package: &Package,
    ) -> Result<(ComposedPre<Guest>, Option<Duration>), Refusal> {
        if let Some(component) = self.machine_code.find(self.core.engine(), package.sha256()) {
            return Ok((self.link_alone(&component, package)?, None));
        }
        let started = Instant::now();
        let compiled = self.machine_code.package(self.core.engine(), package);
        let component = compiled.map_err(|error| not_usable(package, &error))?;
        let compilation = started.elapsed();
        Ok((self.link_alone(&component, package)?, Some(compilation)))
    }

    /// Links a plugin that is compiled without the PDF engine.
    fn link_alone(&self, component: &Component, package: &Package) -> Result<ComposedPre<Guest>, Refusal> {
        let mut linker = self.linker.clone();
        let linked = stub_pdf(&mut linker, self.core.engine(), component)
            .and_then(|()| linker.instantiate_pre(component))
            .and_then(ComposedPre::new);
        linked.map_err(|error| not_usable(package, &error))
    }

    /// Returns the PDF engine. The first caller compiles it, and the others wait.
    async fn pdf_engine(&self) -> anyhow::Result<&EngineComponent> {
        self.engine_component.get_or_try_init(|| self.compile_pdf_engine()).await
    }

    /// Compiles and links the PDF engine on a thread for blocking work.
    async fn compile_pdf_engine(&self) -> anyhow::Result<EngineComponent> {
        let (core, linker, package) = (self.core.clone(), self.linker.clone(), self.engine_package.clone());
        let machine_code = self.machine_code.clone();
        let compiling = tokio::task::spawn_blocking(move || {
            let compiled = machine_code.package(core.engine(), &package);
            let component = compiled.map_err(anyhow::Error::from).context("can't compile the PDF engine")?;
            EngineComponent::new(&linker, &package, &component)
        });
        compiling.await?
    }

    /// Opens a document in the PDF engine and returns its properties.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it cannot be opened.
    pub async fn inspect(&self, document: &Document) -> Result<Inspection, OpenError> {
        self.inspector(document).await?.inspect().await
    }

    /// Returns the geometry of the pages from `first` (1-based), `count` of them or as many as the document has.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the document cannot be opened.
    pub async fn pages(&self, document: &Document, first: u32, count: u32) -> Result<Vec<PageGeometry>, OpenError> {
        self.inspector(document).await?.pages(first, count).await
    }

    /// Renders a page (1-based) at `dpi` pixels per inch, at most 1200, or at fewer if the picture would be too
    /// large.
    ///
    /// # Errors
    ///
    /// [`PictureError`] if the document has no such page or the page cannot be rendered.
    pub async fn picture(&self, document: &Document, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        self.inspector(document).await?.picture(page, dpi).await
    }

    /// Renders a part of a page (1-based) as it is displayed, at `dpi` pixels per inch. Returns none if the part lies
    /// beyond the page.
    ///
    /// # Errors
    ///
    /// [`PictureError`] if the document has no such page or the page cannot be rendered.
    pub async fn part(
        &self,
        document: &Document,
        page: u32,
        dpi: f32,
        area: PixelArea,
    ) -> Result<Option<Picture>, PictureError> {
        self.inspector(document).await?.part(page, dpi, area).await
    }

    /// Compiles and links the component of a package that is not a model.
    pub(crate) fn component(&self, package: &Package) -> anyhow::Result<InstancePre<Guest>> {
        let compiled = self.machine_code.package(self.core.engine(), package);
        let component = compiled.map_err(anyhow::Error::from)?;
        Ok(self.linker.instantiate_pre(&component)?)
    }

    pub(crate) fn core(&self) -> Arc<Core> {
        self.core.clone()
    }

    pub(crate) fn ceiling(&self) -> Limits {
        self.ceiling
    }

    /// Returns the inspector of a document.
    async fn inspector<'a>(&'a self, document: &'a Document) -> Result<PdfInspector<'a>, OpenError> {
        let engine = self.pdf_engine().await.map_err(|error| OpenError::Engine(format!("{error:#}")))?;
        Ok(PdfInspector { core: &self.core, engine, document, ceiling: self.ceiling })
    }
}

/// Links `pdf` with functions that trap, so that a plugin can be instantiated without the PDF engine.
fn stub_pdf(linker: &mut Linker<Guest>, engine: &Engine, component: &Component) -> wasmtime::Result<()> {
    for (name, import) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(interface) = import.ty else { continue };
        if !is_same_interface(name, PDF) {
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

/// Returns the refusal of a component that cannot be compiled or linked.
fn not_usable(package: &Package, error: &wasmtime::Error) -> Refusal {
    Refusal::NotAComponent { plugin: package.name().to_owned(), detail: format!("{error:#}") }
}

/// A model that can describe itself but cannot run.
#[derive(Debug)]
pub struct Outline(Model);

impl Outline {
    /// Returns the model's description.
    pub fn description(&self) -> &Description {
        self.0.description()
    }

    /// Returns whether the model will have a capability once it is loaded.
    pub fn has(&self, capability: Capability) -> bool {
        self.0.has(capability)
    }
}

/// The PDF engine, linked.
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

/// What all models share.
#[derive(Clone)]
pub(crate) struct Core {
    engine: Engine,
    permits: Arc<Semaphore>,
    inspections: Arc<Semaphore>,
    reads: Arc<Semaphore>,
    presentations: Arc<Semaphore>,
    parallel: usize,
    language: Option<Arc<fanlight_language::Client>>,
    ocr: Option<Arc<fanlight_ocr::Reader>>,
}

/// Returns the capabilities that this host can serve.
fn offer(core: &Core, has_ocr_engine: bool) -> Offer {
    let language = core.language.is_some().then_some(Capability::Language);
    let ocr = (has_ocr_engine || core.ocr.is_some()).then_some(Capability::Ocr);
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

    /// Waits for the permit to ask one more question. A client waits for the answer, so questions have permits apart
    /// from jobs', and uploads apart from reads.
    pub(crate) async fn question_permit(&self, purpose: Purpose) -> Option<OwnedSemaphorePermit> {
        let permits = match purpose {
            Purpose::Upload => &self.inspections,
            Purpose::Read => &self.reads,
        };
        permits.clone().acquire_owned().await.ok()
    }

    /// Waits for the permit to present one more result. A client waits for it, so presentations have permits of their
    /// own.
    pub(crate) async fn presentation_permit(&self) -> Option<OwnedSemaphorePermit> {
        self.presentations.clone().acquire_owned().await.ok()
    }

    /// Waits for the permit to run one more guest. `None` only if the semaphore is closed, which never happens.
    pub(crate) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        self.permits.clone().acquire_owned().await.ok()
    }
}

/// Bytes of a guest's wasm stack. The deepest recursion is the PDF engine's, over nested forms.
const WASM_STACK: usize = 1024 * 1024;
/// Bytes of the native stack of async guests; must exceed the wasm stack.
const ASYNC_STACK: usize = 2 * 1024 * 1024;
/// How often a running guest yields to others and is checked for its limits.
const TICK: Duration = Duration::from_millis(10);

/// Creates the engine. Its configuration is defined only here, because machine code depends on it.
///
/// Multiple memories stay enabled: the adapters between a plugin and the PDF engine copy from one memory to another.
fn engine(parallel: usize, compilation: Compilation, functions: Arc<CompiledFunctions>) -> anyhow::Result<Engine> {
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(parallel)))
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        .wasm_memory64(false)
        .memory_init_cow(true)
        .concurrency_support(false);
    match compilation {
        Compilation::ForJobs => config.enable_incremental_compilation(functions)?,
        // wasmtime supports Winch in full on this architecture only.
        Compilation::ForChecks if cfg!(target_arch = "x86_64") => config.strategy(Strategy::Winch),
        Compilation::ForChecks => config.cranelift_opt_level(OptLevel::None),
    };
    Ok(Engine::new(&config)?)
}

/// Guests that may exist without a permit: models that describe themselves while they are loaded.
const BESIDE_PERMITS: usize = 16;
/// Most core modules of a composed component: the plugin, the engines, the adapters between them, and a toolchain's
/// additions.
const CORE_INSTANCES: u32 = 64;
/// Most linear memories of those modules. Usually only the plugin and each engine have one.
const MEMORIES: u32 = 8;
/// Most tables of those modules.
const TABLES: u32 = 32;
/// Most functions that a module may take the address of.
const TABLE_ELEMENTS: usize = 100_000;
/// Most bytes of the host's data for each module: offsets of its functions, memories and tables.
const INSTANCE_BYTES: usize = 8 * 1024 * 1024;
/// The range of 32-bit addresses. [`Limits`] bound the memory that a guest gets.
const ADDRESSABLE: usize = 4 * 1024 * 1024 * 1024;
/// Bytes that a slot keeps resident for the next guest, overwritten with zeros: about the memory for a dense sheet.
/// Fresh pages from the kernel would take longer, by a fifth of the time of a rendering.
///
/// The first guest that uses more makes the process grow by as much, for good. At most two slots for each guest that may run
/// at once are kept so.
pub const KEPT_RESIDENT: usize = 256 * 1024 * 1024;

/// Kinds of guests with permits of their own: jobs, inspections of uploads, reads, presentations.
const PERMIT_KINDS: u32 = 4;

/// Returns the pool of slots for guests. It reserves addresses, not memory.
fn pool(parallel: usize) -> PoolingAllocationConfig {
    let permits = u32::try_from(parallel).unwrap_or(u32::MAX / 1024).min(u32::MAX / 1024);
    let guests = permits.saturating_mul(PERMIT_KINDS) + BESIDE_PERMITS as u32;
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
        .max_unused_warm_slots(permits.saturating_mul(2))
        .linear_memory_keep_resident(KEPT_RESIDENT)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// Increments the epoch on a thread of its own, because a runtime's timer stops while a guest occupies its worker.
fn tick(engine: &Engine) -> anyhow::Result<()> {
    let weak = engine.weak();
    let thread = thread::Builder::new().name("epoch".to_owned()).spawn(move || {
        while let Some(engine) = weak.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    });
    thread.context("can't start the epoch's thread")?;
    Ok(())
}
