//! The thread that owns an engine, and its queue. Runs execute one after the other, in the order of their requests.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use thiserror::Error;
use tokio::sync::oneshot;

use crate::cost::Graph;
use crate::engine::{Engine, Network, UnsupportedModel};
use crate::tensor::Tensor;
use crate::tensor_spec::TensorSpec;

/// Why a call to a device got no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceLost {
    /// The engine panicked.
    #[error("the engine crashed: {0}")]
    Crashed(String),
    /// The device's thread has ended.
    #[error("the device is gone")]
    Gone,
}

/// A model that is open on the device.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The model's index on the device.
    pub(crate) id: usize,
    pub(crate) inputs: Vec<TensorSpec>,
    pub(crate) outputs: Vec<String>,
    pub(crate) graph: Arc<Graph>,
}

/// The queue of a device. The thread ends when this is dropped or closed.
#[derive(Debug)]
pub(crate) struct Device {
    name: &'static str,
    queue: mpsc::Sender<Call>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A call to the engine, executed on the device's thread.
type Call = Box<dyn FnOnce(&mut Worker) + Send>;

impl Device {
    /// Starts the thread and creates the engine on it.
    ///
    /// # Errors
    ///
    /// The system cannot start another thread.
    pub(crate) fn start(
        name: &'static str,
        engine: impl FnOnce() -> Box<dyn Engine> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (queue, calls) = mpsc::channel::<Call>();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut worker = Worker { networks: Vec::new(), engine: engine(), is_closed: false };
            for call in calls {
                call(&mut worker);
                if worker.is_closed {
                    break;
                }
            }
        })?;
        Ok(Self { name, queue, thread: Mutex::new(Some(thread)) })
    }

    /// Returns the name of the device and of its thread.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Ends the thread after its current call and waits for that. Calls in the queue and all later ones fail with
    /// [`DeviceLost::Gone`].
    pub(crate) fn close(&self) {
        // A thread that has ended accepts no call, but can still be joined.
        let _ = self.queue.send(Box::new(|worker| worker.is_closed = true));
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Err(_panic)) = thread.map(JoinHandle::join) {
            tracing::warn!("the thread of a device for inference panicked");
        }
    }

    /// Opens a model on the device.
    pub(crate) async fn open(&self, onnx: Arc<[u8]>) -> Result<Result<Opened, UnsupportedModel>, DeviceLost> {
        self.ask(move |worker| worker.open(onnx)).await
    }

    /// Runs the model with this index on checked inputs.
    pub(crate) async fn run(&self, id: usize, inputs: Vec<Tensor>) -> Result<Result<Vec<Tensor>, String>, DeviceLost> {
        self.ask(move |worker| worker.run(id, &inputs)).await
    }

    /// Queues a call and waits for its answer. A call that is no longer awaited never starts, and its inputs are
    /// freed at once: the call at the head of the queue may take long.
    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Worker) -> Result<T, DeviceLost> + Send + 'static,
    ) -> Result<T, DeviceLost> {
        let (answer, coming) = oneshot::channel();
        let waiting = Waiting(Arc::new(Mutex::new(Some(work))));
        let queued = waiting.0.clone();
        let call = Box::new(move |worker: &mut Worker| {
            let work = queued.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(work) = work {
                // The receiver may have been dropped while the call ran.
                let _ = answer.send(work(worker));
            }
        });
        self.queue.send(call).map_err(|_gone| DeviceLost::Gone)?;
        coming.await.map_err(|_gone| DeviceLost::Gone)?
    }
}

/// A queued call that is withdrawn when this is dropped.
struct Waiting<W>(Arc<Mutex<Option<W>>>);

impl<W> Drop for Waiting<W> {
    fn drop(&mut self) {
        // Bound to a name so that it is dropped after the lock is released.
        let _abandoned = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The state of the device's thread.
struct Worker {
    // Dropped before the engine that opened them.
    networks: Vec<Slot>,
    engine: Box<dyn Engine>,
    is_closed: bool,
}

/// An open model.
struct Slot {
    onnx: Arc<[u8]>,
    /// `None` after a failure, which may leave any state behind. The next run opens the model again.
    network: Option<Box<dyn Network>>,
}

impl Worker {
    /// Opens a model and assigns its index.
    fn open(&mut self, onnx: Arc<[u8]>) -> Result<Result<Opened, UnsupportedModel>, DeviceLost> {
        let network = match catch_panic(|| self.engine.open(&onnx))? {
            Ok(network) => network,
            Err(unsupported) => return Ok(Err(unsupported)),
        };
        let id = self.networks.len();
        let (inputs, outputs) = (network.inputs().to_vec(), network.outputs().to_vec());
        let opened = Opened { id, inputs, outputs, graph: network.graph().clone() };
        self.networks.push(Slot { onnx, network: Some(network) });
        Ok(Ok(opened))
    }

    /// Runs a model, and opens it again first if its last run failed.
    fn run(&mut self, id: usize, inputs: &[Tensor]) -> Result<Result<Vec<Tensor>, String>, DeviceLost> {
        let Some(slot) = self.networks.get_mut(id) else {
            return Err(DeviceLost::Gone);
        };
        let mut network = match slot.network.take() {
            Some(network) => network,
            None => match catch_panic(|| self.engine.open(&slot.onnx))? {
                Ok(network) => network,
                Err(unsupported) => return Ok(Err(format!("it {unsupported}"))),
            },
        };
        let ran = catch_panic(|| network.run(inputs));
        if let Ok(Ok(_)) = ran {
            slot.network = Some(network);
        } else {
            // A network that failed may panic again while it is dropped.
            let _ = catch_panic(|| drop(network));
        }
        ran
    }
}

/// Calls `work` and returns its panic as an error.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, DeviceLost> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| DeviceLost::Crashed(panic_message(panic.as_ref())))
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it does not say why").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine whose networks double their input, panic over a negative number, and fail at zero.
    struct Doubling;

    struct Doubler {
        inputs: Vec<TensorSpec>,
        outputs: Vec<String>,
        graph: Arc<Graph>,
        /// Number of runs since it was opened.
        runs: f32,
    }

    impl Engine for Doubling {
        fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel> {
            assert!(!onnx.is_empty(), "no file");
            let inputs = vec![TensorSpec::new("x".to_owned(), vec![Some(1)])];
            let outputs = vec!["doubled".to_owned(), "runs".to_owned()];
            let graph = Arc::new(Graph::read(&[]).unwrap());
            Ok(Box::new(Doubler { inputs, outputs, graph, runs: 0.0 }))
        }
    }

    impl Network for Doubler {
        fn inputs(&self) -> &[TensorSpec] {
            &self.inputs
        }

        fn outputs(&self) -> &[String] {
            &self.outputs
        }

        fn graph(&self) -> &Arc<Graph> {
            &self.graph
        }

        fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
            self.runs += 1.0;
            let value = inputs[0].values()[0];
            assert!(value >= 0.0, "a negative number");
            if value == 0.0 {
                return Err("nothing to double".to_owned());
            }
            Ok(vec![one(2.0 * value), one(self.runs)])
        }
    }

    fn one(value: f32) -> Tensor {
        Tensor::new(vec![1], vec![value]).unwrap()
    }

    fn device() -> Device {
        Device::start("doubling", || Box::new(Doubling)).unwrap()
    }

    #[tokio::test]
    async fn a_failed_run_reopens_the_model_for_the_next() {
        let device = device();
        let opened = device.open(b"onnx".as_slice().into()).await.unwrap().unwrap();
        let run = async |value| device.run(opened.id, vec![one(value)]).await;
        assert_eq!(run(1.0).await, Ok(Ok(vec![one(2.0), one(1.0)])));
        assert_eq!(run(3.0).await, Ok(Ok(vec![one(6.0), one(2.0)])));
        assert_eq!(run(-1.0).await, Err(DeviceLost::Crashed("a negative number".to_owned())));
        assert_eq!(run(1.0).await, Ok(Ok(vec![one(2.0), one(1.0)])));
        assert_eq!(run(0.0).await, Ok(Err("nothing to double".to_owned())));
        assert_eq!(run(1.0).await, Ok(Ok(vec![one(2.0), one(1.0)])));
    }

    #[tokio::test]
    async fn a_panic_while_opening_is_an_error() {
        let lost = device().open(b"".as_slice().into()).await.unwrap_err();
        assert_eq!(lost, DeviceLost::Crashed("no file".to_owned()));
    }

    #[tokio::test]
    async fn an_abandoned_call_never_starts() {
        let device = device();
        let opened = device.open(b"onnx".as_slice().into()).await.unwrap().unwrap();
        let (held, hold) = mpsc::channel::<()>();
        let holding = device.queue.send(Box::new(move |_| hold.recv().unwrap()));
        assert!(holding.is_ok());
        {
            let abandoned = device.run(opened.id, vec![one(1.0)]);
            tokio::pin!(abandoned);
            assert!(poll_once(&mut abandoned).await.is_none());
        }
        held.send(()).unwrap();
        let next = device.run(opened.id, vec![one(1.0)]).await;
        assert_eq!(next, Ok(Ok(vec![one(2.0), one(1.0)])), "the abandoned run did not execute");
    }

    #[tokio::test]
    async fn inputs_of_an_abandoned_call_are_freed_at_once() {
        let device = device();
        let (held, hold) = mpsc::channel::<()>();
        let holding = device.queue.send(Box::new(move |_| hold.recv().unwrap()));
        assert!(holding.is_ok());
        let inputs = Arc::new(());
        let watched = Arc::downgrade(&inputs);
        {
            let abandoned = device.ask(move |_| {
                drop(inputs);
                Ok(())
            });
            tokio::pin!(abandoned);
            assert!(poll_once(&mut abandoned).await.is_none());
            assert!(watched.upgrade().is_some());
        }
        assert!(watched.upgrade().is_none());
        held.send(()).unwrap();
    }

    #[tokio::test]
    async fn runs_on_a_closed_device_fail() {
        let device = device();
        let opened = device.open(b"onnx".as_slice().into()).await.unwrap().unwrap();
        device.close();
        assert_eq!(device.run(opened.id, vec![one(1.0)]).await, Err(DeviceLost::Gone));
        device.close();
    }

    /// Polls a future once and returns its output if it is ready.
    async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        tokio::select! {
            biased;
            output = future => Some(output),
            () = std::future::ready(()) => None,
        }
    }
}
