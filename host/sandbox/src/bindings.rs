//! The host's bindings of `wit/`, generated for three worlds: a plugin composed with the PDF engine, the engine
//! alone, and the annotator.

/// A plugin that contains the PDF engine: its remaining imports, and the model that it exports.
pub(crate) mod composed {
    wasmtime::component::bindgen!({
        inline: "
            package fanlight:host;
            world composed {
                import fanlight:plugin/source@0.1.0;
                import fanlight:plugin/job@0.1.0;
                import fanlight:plugin/language@0.1.0;
                import fanlight:plugin/ocr@0.1.0;
                import wasi:nn/tensor@0.2.0-rc-2024-10-28;
                import wasi:nn/graph@0.2.0-rc-2024-10-28;
                import wasi:nn/inference@0.2.0-rc-2024-10-28;
                import wasi:nn/errors@0.2.0-rc-2024-10-28;
                export fanlight:plugin/model@0.1.0;
            }
        ",
        path: "../../wit",
        imports: {
            "fanlight:plugin/source@0.1.0.read": async | trappable,
            "fanlight:plugin/language@0.1.0.complete": async | trappable,
            "fanlight:plugin/ocr@0.1.0.recognize": async | trappable,
            "wasi:nn/inference@0.2.0-rc-2024-10-28.[method]graph-execution-context.compute": async | trappable,
            default: trappable,
        },
        exports: { default: async },
        with: {
            "wasi:nn/tensor@0.2.0-rc-2024-10-28.tensor": crate::nn::Tensor,
            "wasi:nn/graph@0.2.0-rc-2024-10-28.graph": crate::nn::Graph,
            "wasi:nn/inference@0.2.0-rc-2024-10-28.graph-execution-context": crate::nn::Context,
            "wasi:nn/errors@0.2.0-rc-2024-10-28.error": crate::nn::Error,
        },
    });
}

/// The PDF engine alone, for the host's own questions about a document.
pub(crate) mod engine {
    wasmtime::component::bindgen!({
        inline: "
            package fanlight:host;
            world engine {
                import fanlight:plugin/source@0.1.0;
                export fanlight:plugin/inspect@0.1.0;
            }
        ",
        path: "../../wit",
        exports: { default: async },
        with: { "fanlight:plugin/source@0.1.0": super::composed::fanlight::plugin::source },
    });
}

/// The annotator, which draws into a document.
pub(crate) mod annotator {
    wasmtime::component::bindgen!({
        inline: "
            package fanlight:host;
            world annotator {
                import fanlight:plugin/source@0.1.0;
                export fanlight:plugin/annotate@0.1.0;
            }
        ",
        path: "../../wit",
        exports: { default: async },
        additional_derives: [PartialEq],
        with: { "fanlight:plugin/source@0.1.0": super::composed::fanlight::plugin::source },
    });
}
