//! Checks that the GPU gives the results of the CPU.
//!
//! Each test runs itself again with an adapter named, because wgpu takes its settings only from the environment. The
//! adapter is llvmpipe (Debian's `mesa-vulkan-drivers`), or the one that `WGPU_ADAPTER_NAME` already names, as on a
//! machine with a GPU.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::env;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use deadline::PATIENCE;
use fanlight_inference::{Choice, Inference, Model, Processor, Settings, Tensor};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};

/// Returns whether an adapter is named in this process. If not, runs the test to its end in a process in which one
/// is.
fn adapter_is_named(test: &str) -> bool {
    if env::var_os("WGPU_ADAPTER_NAME").is_some() {
        return true;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", test, "--nocapture"]).env("WGPU_ADAPTER_NAME", "llvmpipe");
    let ended = deadline::output(&mut again, PATIENCE);
    let (printed, errors) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    print!("{printed}");
    assert!(ended.status.success(), "with llvmpipe, of Debian's package mesa-vulkan-drivers: {errors}");
    false
}

/// Closes the devices when it is dropped: llvmpipe crashes if a thread still holds it at the end of the process.
struct Closing(Inference);

impl Deref for Closing {
    type Target = Inference;

    fn deref(&self) -> &Inference {
        &self.0
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn inference(models: &Path, choice: Choice) -> Closing {
    Closing(Inference::open(Settings { models: models.to_owned(), choice }).unwrap())
}

async fn open(inference: &Inference, models: &Path, name: &str) -> Model {
    let onnx = fs::read(models.join(name).join("model.onnx")).unwrap();
    inference.model(name, &hex::encode(Sha256::digest(onnx))).await.unwrap()
}

/// Returns values from 0 to 1 for each input of the model.
fn random(model: &Model, seed: u64) -> Vec<(String, Tensor)> {
    let mut random = SmallRng::seed_from_u64(seed);
    let tensor = |shape: &[Option<usize>]| {
        let shape: Vec<usize> = shape.iter().map(|size| size.unwrap()).collect();
        let values = (0..shape.iter().product()).map(|_| random.random()).collect();
        Tensor::new(shape, values).unwrap()
    };
    let shapes: Vec<_> = model.inputs().iter().map(fanlight_inference::TensorSpec::shape).collect();
    let tensors: Vec<Tensor> = shapes.into_iter().map(tensor).collect();
    model.inputs().iter().map(|spec| spec.name().to_owned()).zip(tensors).collect()
}

/// Writes this project's models and a test network into a folder and returns their names.
fn models() -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let install = |name: &str, onnx: &[u8]| {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("model.onnx"), onnx).unwrap();
    };
    install("detector", &onnx_writer::detector());
    let mut names = vec!["detector".to_owned()];
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for entry in fs::read_dir(project).unwrap() {
        let path = entry.unwrap().path();
        let Ok(onnx) = fs::read(path.join("model.onnx")) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        install(&name, &onnx);
        names.push(name);
    }
    (folder, names)
}

/// Networks whose input sizes are open, since pictures of text have any size. They run on the CPU.
const OPEN_SIZES: [&str; 2] = ["text-detector", "text-recognizer"];

#[tokio::test]
async fn every_model_gives_the_same_on_gpu_and_cpu() {
    if !adapter_is_named("every_model_gives_the_same_on_gpu_and_cpu") {
        return;
    }
    let (folder, names) = models();
    let (gpu, cpu) = (inference(folder.path(), Choice::Gpu), inference(folder.path(), Choice::Cpu));
    assert!(matches!(gpu.processor(), Processor::Gpu(_)));
    for name in names {
        if OPEN_SIZES.contains(&name.as_str()) {
            let on_cpu = open(&cpu, folder.path(), &name).await;
            assert!(on_cpu.inputs().iter().any(|spec| spec.shape().contains(&None)), "{name} could run on the GPU");
            continue;
        }
        let (on_gpu, on_cpu) = (open(&gpu, folder.path(), &name).await, open(&cpu, folder.path(), &name).await);
        assert_eq!(on_gpu.inputs(), on_cpu.inputs());
        let mut furthest = 0.0_f32;
        let (mut gpu_seconds, mut cpu_seconds) = (0.0, 0.0);
        for seed in 0..3 {
            let inputs = random(&on_cpu, seed);
            let started = Instant::now();
            let expected = on_cpu.run(inputs.clone()).await.unwrap();
            cpu_seconds = started.elapsed().as_secs_f64();
            let started = Instant::now();
            let found = on_gpu.run(inputs).await.unwrap();
            gpu_seconds = started.elapsed().as_secs_f64();
            for ((name, expected), (found_name, found)) in expected.iter().zip(&found) {
                assert_eq!((name, expected.shape()), (found_name, found.shape()));
                let pairs = expected.values().iter().zip(found.values());
                furthest = pairs.map(|(a, b)| (a - b).abs()).fold(furthest, f32::max);
            }
        }
        println!(
            "{name}: off by {furthest:e} at most; {gpu_seconds:.4} s on {}, {cpu_seconds:.4} s on the CPU",
            gpu.processor()
        );
        assert!(furthest <= 1e-3, "{name} is off by {furthest}");
    }
}

#[tokio::test]
async fn a_model_the_gpu_cannot_run_is_refused_or_runs_on_the_cpu() {
    if !adapter_is_named("a_model_the_gpu_cannot_run_is_refused_or_runs_on_the_cpu") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, onnx) in [("open-sizes", onnx_writer::doubling()), ("without-bias", onnx_writer::without_bias())] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("model.onnx"), onnx).unwrap();
    }
    let refused = async |name: &str| {
        let onnx = fs::read(folder.path().join(name).join("model.onnx")).unwrap();
        let inference = inference(folder.path(), Choice::Gpu);
        inference.model(name, &hex::encode(Sha256::digest(onnx))).await.unwrap_err().to_string()
    };
    assert_eq!(
        refused("open-sizes").await,
        "the model `open-sizes` can't be run by the GPU's engine: it leaves sizes of `x` open"
    );
    let wrong = refused("without-bias").await;
    assert!(wrong.contains("gives something else on the GPU than on the CPU: its output `y` is off by "), "{wrong}");

    let auto = inference(folder.path(), Choice::Auto);
    for name in ["open-sizes", "without-bias"] {
        open(&auto, folder.path(), name).await;
    }
    let x = Tensor::new(vec![2], vec![1.0, 2.0]).unwrap();
    let doubled = open(&auto, folder.path(), "open-sizes").await.run(vec![("x".to_owned(), x)]).await.unwrap();
    assert_eq!(doubled[0].1.values(), [2.0, 4.0]);
}

#[tokio::test]
async fn auto_gives_the_results_of_the_cpu() {
    if !adapter_is_named("auto_gives_the_results_of_the_cpu") {
        return;
    }
    let (folder, _) = models();
    let [cpu, auto] = [Choice::Cpu, Choice::Auto].map(|choice| inference(folder.path(), choice));
    for name in ["detector", "symbol-classifier"] {
        let (on_cpu, chosen) = (open(&cpu, folder.path(), name).await, open(&auto, folder.path(), name).await);
        let inputs = random(&on_cpu, 1);
        let expected = on_cpu.run(inputs.clone()).await.unwrap();
        let found = chosen.run(inputs).await.unwrap();
        let pairs = expected.iter().zip(&found).flat_map(|(a, b)| a.1.values().iter().zip(b.1.values()));
        let furthest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0_f32, f32::max);
        assert!(furthest <= 1e-3, "{name} is off by {furthest}");
    }
}

#[test]
fn llvmpipe_counts_as_a_gpu_only_if_named() {
    // This test checks the process in which no adapter is named.
    if env::var_os("WGPU_ADAPTER_NAME").is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let auto = inference(folder.path(), Choice::Auto);
    assert!(!auto.processor().to_string().contains("llvmpipe"), "{}", auto.processor());
    if *auto.processor() == Processor::Cpu {
        let refused = Inference::open(Settings { models: folder.path().to_owned(), choice: Choice::Gpu });
        assert!(refused.unwrap_err().to_string().contains("WGPU_ADAPTER_NAME"));
    }
}
