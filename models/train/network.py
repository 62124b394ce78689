"""What the networks here have in common: where and how long they train, what the fully convolutional ones are built of,
and how they are written as ONNX files that every engine runs: convolutions with a bias, ReLU, sums and nearest doubling
only, each tensor's shape in the file."""

import hashlib
import math
import time

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional


def processor():
    """The first GPU where there is one, else the CPU, of which one thread is used."""
    torch.set_num_threads(1)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def parts(folder, name):
    """The files of a set, which may be written in parts: NAME.bin, or NAME-0.bin, NAME-1.bin and so on, by name and
    without their ending."""
    found = sorted(path.with_suffix("") for path in folder.glob(f"{name}*.bin")
                   if path.stem == name or path.stem.startswith(f"{name}-"))
    assert found, f"no {name} in {folder}"
    return found


class Budget:
    """So many minutes, of the processor or, on a GPU, of the clock. Training ends with them and its learning rate follows
    them, up for a twelfth and then down to nothing, so that the cost is bounded wherever it runs."""

    def __init__(self, minutes, device):
        self.seconds, self.clock = 60 * minutes, time.monotonic if device.type == "cuda" else time.process_time
        self.started = self.clock()

    def spent(self):
        """Seconds."""
        return self.clock() - self.started

    def is_left(self):
        return self.spent() < self.seconds

    def rate(self, most):
        share = self.spent() / self.seconds
        return max(most * min(share * 12, 0.5 * (1 + math.cos(math.pi * min(share, 1)))), 1e-6)

    def set_rate(self, optimizer, most):
        for group in optimizer.param_groups:
            group["lr"] = self.rate(most)


def passed(count, size, device):
    """The steps of a pass over so many things: their numbers in any order, `size` a step; a rest is left out."""
    assert count >= size, f"{count} are too few for a step of {size}"
    return list(torch.randperm(count, device=device)[:count - count % size].split(size))


def autocast(device):
    """Half as many bits where a GPU is quicker by it."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


def chosen(count, share, like):
    """For each of `count`, 1 in `share` of all cases and else 0, shaped to be multiplied with a batch of maps."""
    return (torch.rand(count, 1, 1, 1, device=like.device) < share).float()


def between(count, low, high, like):
    """For each of `count` a number from `low` to `high`, shaped to be multiplied with a batch of maps."""
    return torch.rand(count, 1, 1, 1, device=like.device) * (high - low) + low


def inked(maps, shares):
    """Maps of which a share each has thicker lines, thinner ones and blurred ones; `shares` are where each of the three
    ends, between 0 and 1."""
    count, chance = len(maps), torch.rand(len(maps), 1, 1, 1, device=maps.device)
    thick = functional.max_pool2d(maps, 3, 1, 1) * between(count, 0.6, 1.0, maps)
    thin = (maps - between(count, 0.05, 0.3, maps)).clamp(0)
    blurred = torch.lerp(maps, functional.avg_pool2d(maps, 3, 1, 1, count_include_pad=False),
                         between(count, 0.3, 1.0, maps))
    thicker, thinner, softer = shares
    others = torch.where(chance < thinner, thin, torch.where(chance < softer, blurred, maps))
    return torch.where(chance < thicker, thick, others)


class Block(nn.Module):
    """A 3 x 3 convolution and ReLU, added to its input where it halves nothing and changes no width."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, 1)
        self.norm = nn.BatchNorm2d(outputs)
        self.adds = stride == 1 and inputs == outputs

    def forward(self, maps):
        out = functional.relu(self.norm(self.conv(maps)))
        return maps + out if self.adds else out


def doubled(maps):
    return functional.interpolate(maps, scale_factor=2, mode="nearest")


def folded(model):
    """The same network, its batch normalisation folded into the convolutions, in place."""
    for block in [module for module in model.modules() if isinstance(module, Block)]:
        block.conv = nn.utils.fuse_conv_bn_eval(block.conv.eval(), block.norm.eval())
        block.norm = nn.Identity()
    return model.eval()


class Graph:
    """The exported file, node by node, so that it holds these operators, biases and shapes and nothing else."""

    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def add(self, operator, inputs, output=None, **attributes):
        self.count += 1
        output = output or f"t{self.count}"
        self.nodes.append(onnx.helper.make_node(operator, inputs, [output], **attributes))
        return output

    def constant(self, values, name):
        self.weights.append(onnx.numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def conv(self, module, name, output=None):
        index = self.count
        weight = self.constant(module.weight.detach().numpy(), f"w{index}")
        bias = self.constant(module.bias.detach().numpy(), f"b{index}")
        pad = list(module.padding)
        return self.add("Conv", [name, weight, bias], output, kernel_shape=list(module.kernel_size), pads=pad + pad,
                        strides=list(module.stride), dilations=[1, 1], group=1)

    def blocks(self, sequence, name):
        for block in sequence:
            out = self.add("Relu", [self.conv(block.conv, name)])
            name = self.add("Add", [name, out]) if block.adds else out
        return name

    def doubled(self, name):
        if not any(weight.name == "scales" for weight in self.weights):
            self.constant(np.array([1, 1, 2, 2], np.float32), "scales")
        return self.add("Resize", [name, "", "scales"], mode="nearest", coordinate_transformation_mode="asymmetric",
                        nearest_mode="floor")

    def save(self, path, inputs, outputs):
        """Writes `path` and its SHA-256 beside it. `inputs` and `outputs` are a name and a shape each. Returns the
        hash."""
        value = lambda name, shape: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        made = onnx.helper.make_graph(self.nodes, path.parent.name, [value(*inputs)], [value(*outputs)], self.weights)
        made = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
        made = onnx.shape_inference.infer_shapes(made, strict_mode=True)
        onnx.checker.check_model(made, full_check=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(made, path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        (path.parent / f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
        return digest
