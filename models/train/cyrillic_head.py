#!/usr/bin/env python3
"""Trains the head of `text-recognizer` that reads Cyrillic letters: cyrillic_head.py MODEL [--lines N] [--minutes M]

MODEL is the folder `models/text-recognizer` with what `text_networks.py` has written. The network's own weights stay as they
are: a convolution and a linear layer are added on what its last layer reads, and learn from lines that `cyrillic_lines.py`
draws (connectionist temporal classification, Graves et al. 2006). The program adds them to `model.onnx`, with an output
`cyrillic`, and writes the characters of its classes to `cyrillic.txt`. Seeds are fixed; the result depends on the machine.
"""

import argparse
import random
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

import cyrillic_lines
import text_networks

# Pixels across for one step of the network's output.
STEP = 8
# Features of a step, inputs of the network's last layer.
FEATURES = 120
# Outputs of the convolution, and its width in steps.
HIDDEN, REACH = 192, 5
# Widest line that is learnt from, in pixels.
WIDEST = 1600
# Lines that are rendered at a time, and that the network or a step of training takes at once.
CHUNK, AT_ONCE, BATCH = 400, 8, 32
RATE = 2e-3
# Lines that are not learnt from.
HELD = 1200


class Head(torch.nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.around = torch.nn.Conv1d(FEATURES, HIDDEN, REACH, padding=REACH // 2)
        self.classes = torch.nn.Linear(FEATURES + HIDDEN, classes)

    def forward(self, features):
        around = torch.relu(self.around(features.transpose(1, 2))).transpose(1, 2)
        return self.classes(torch.cat([features, around], -1))


def drawn_lines(model, count):
    """Returns lines as pairs of text and features, steps x FEATURES."""
    graph = onnx.ModelProto()
    graph.CopyFrom(model)
    features, _ = text_networks.around_last_layer(graph.graph)
    graph.graph.output.append(helper.make_tensor_value_info(features, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    rng = random.Random(1)
    lines = []
    for start in range(0, count, CHUNK):
        drawn = [(text, cyrillic_lines.picture(text, rng)) for text in (cyrillic_lines.text(rng) for _ in range(CHUNK))]
        drawn = [(text, picture) for text, picture in drawn if picture is not None and picture.shape[1] <= WIDEST]
        drawn.sort(key=lambda line: line[1].shape[1])
        for at in range(0, len(drawn), AT_ONCE):
            lines += with_features(session, features, drawn[at:at + AT_ONCE])
        print(f"{start + CHUNK} lines drawn", flush=True)
    return lines


def with_features(session, name, drawn):
    """Runs the network on some lines."""
    steps = [-(-picture.shape[1] // STEP) for _, picture in drawn]
    # The padding is the zero of the network's own scale, as in the engine.
    pixels = np.full((len(drawn), 1, cyrillic_lines.HEIGHT, max(steps) * STEP), 0.5, np.float32)
    for line, (_, picture) in zip(pixels, drawn):
        line[0, :, :picture.shape[1]] = picture / 255
    found = session.run([name], {"image": pixels})[0]
    return [(text, torch.tensor(row[:count])) for (text, _), row, count in zip(drawn, found, steps)]


def trained(lines, characters, minutes):
    """Returns a head that has learnt from all lines but the first HELD."""
    torch.manual_seed(0)
    classes = {character: number for number, character in enumerate(characters, 1)}
    # The network needs a step for each character, and one between equal ones.
    fitting = [(text, features) for text, features in lines if len(features) >= len(text) + 2]
    held, learnt = fitting[:HELD], sorted(fitting[HELD:], key=lambda line: len(line[1]))
    batches = [learnt[at:at + BATCH] for at in range(0, len(learnt), BATCH)]
    head = Head(len(characters) + 1)
    optimizer = torch.optim.AdamW(head.parameters(), RATE, weight_decay=0.01)
    rng, started, step = random.Random(0), time.monotonic(), 0
    while (share := (time.monotonic() - started) / (minutes * 60)) < 1:
        optimizer.param_groups[0]["lr"] = RATE * max(0.02, 1 - share)
        batch = rng.choice(batches)
        features = torch.nn.utils.rnn.pad_sequence([features for _, features in batch], batch_first=True)
        likelihoods = torch.log_softmax(head(features), -1).transpose(0, 1)
        texts = torch.tensor([classes[character] for text, _ in batch for character in text])
        loss = torch.nn.functional.ctc_loss(
            likelihoods, texts, torch.tensor([len(features) for _, features in batch]),
            torch.tensor([len(text) for text, _ in batch]), zero_infinity=True)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 5.0)
        optimizer.step()
        step += 1
        if step % 2000 == 0:
            print(f"step {step}: {accuracy(head, held, characters):.4f} of the characters of held lines", flush=True)
    print(f"{step} steps, {accuracy(head, held, characters):.4f} of the characters of held lines")
    return head


@torch.no_grad()
def accuracy(head, lines, characters):
    """Returns 1 less the share of wrong characters by best-path decoding."""
    wrong = sum(min(distance(decoded(head(features[None])[0], characters), text), len(text)) for text, features in lines)
    return 1 - wrong / sum(len(text) for text, _ in lines)


def decoded(scores, characters):
    likeliest = scores.argmax(-1).tolist()
    return "".join(characters[now - 1] for now, before in zip(likeliest, [0, *likeliest]) if now not in (0, before))


def distance(a, b):
    """Returns the edit distance of Levenshtein."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1]


def add(model, head):
    """Adds a head to the network, as its output `cyrillic`."""
    graph = model.graph
    features, _ = text_networks.around_last_layer(graph)
    weights = {
        "cyrillic.around.weight": head.around.weight.detach().numpy()[:, :, None, :],
        "cyrillic.around.bias": head.around.bias.detach().numpy(),
        "cyrillic.classes.weight": head.classes.weight.detach().numpy().T,
        "cyrillic.classes.bias": head.classes.bias.detach().numpy(),
    }
    graph.initializer.extend(numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in weights.items())
    graph.node.extend([
        # n x steps x features to n x features x 1 x steps, and back.
        helper.make_node("Transpose", [features], ["cyrillic.turned"], perm=[0, 2, 1]),
        helper.make_node("Unsqueeze", ["cyrillic.turned"], ["cyrillic.rows"], axes=[2]),
        helper.make_node("Conv", ["cyrillic.rows", "cyrillic.around.weight", "cyrillic.around.bias"], ["cyrillic.convolved"],
                         kernel_shape=[1, REACH], pads=[0, REACH // 2, 0, REACH // 2]),
        helper.make_node("Relu", ["cyrillic.convolved"], ["cyrillic.kept"]),
        helper.make_node("Squeeze", ["cyrillic.kept"], ["cyrillic.squeezed"], axes=[2]),
        helper.make_node("Transpose", ["cyrillic.squeezed"], ["cyrillic.around"], perm=[0, 2, 1]),
        helper.make_node("Concat", [features, "cyrillic.around"], ["cyrillic.features"], axis=2),
        helper.make_node("MatMul", ["cyrillic.features", "cyrillic.classes.weight"], ["cyrillic.multiplied"]),
        helper.make_node("Add", ["cyrillic.multiplied", "cyrillic.classes.bias"], ["cyrillic.scores"]),
        helper.make_node("Softmax", ["cyrillic.scores"], ["cyrillic"], axis=2),
    ])
    classes = head.classes.out_features
    graph.output.append(helper.make_tensor_value_info("cyrillic", TensorProto.FLOAT, ["n", "steps", classes]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--lines", type=int, default=60_000, help="lines that are drawn")
    arguments.add_argument("--minutes", type=float, default=12)
    arguments = arguments.parse_args()
    file = arguments.model / "model.onnx"
    model = onnx.load(file)
    if any(output.name == "cyrillic" for output in model.graph.output):
        raise SystemExit(f"{file} has this head already: write it again with text_networks.py")
    lines = drawn_lines(model, arguments.lines)
    characters = "".join(sorted({character for text, _ in lines for character in text}))
    head = trained(lines, characters, arguments.minutes)
    add(model, head)
    text_networks.save(model, arguments.model)
    (arguments.model / "cyrillic.txt").write_text(characters + "\n")


if __name__ == "__main__":
    main()
