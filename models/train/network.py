"""What the training programs share: device and time budget, augmentation, building blocks, and the export to ONNX.

Exported files use only operators that each engine supports, convolutions with a bias, ReLU, sums and nearest-neighbour
upsampling, and state each tensor's shape."""

import hashlib
import math
import time
import zlib

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def best_device():
    """Returns the first GPU if there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def set_files(folder, name):
    """Returns the files of a set without their suffix, sorted: NAME.bin, or the parts NAME-0.bin, NAME-1.bin and so on."""
    found = sorted(path.with_suffix("") for path in folder.glob(f"{name}*.bin")
                   if path.stem == name or path.stem.startswith(f"{name}-"))
    assert found, f"no {name} in {folder}"
    return found


def half_of(office):
    """Returns 0 or 1: the half of the offices that an office belongs to."""
    return zlib.crc32(office.encode()) % 2


def run_folder(arguments):
    """Returns the folder of DATA with what a run leaves beside the model, by what the model has learnt from."""
    folder = arguments.data / ("synthetic" if not arguments.real else "half" if arguments.leave_half is not None else "all")
    folder.mkdir(exist_ok=True)
    return folder


class Budget:
    """A budget of minutes.

    It ends training and schedules the learning rate: a linear warm-up over a twelfth, then cosine decay. So the cost is
    bounded on each machine."""

    def __init__(self, minutes):
        self.seconds, self.started = 60 * minutes, time.monotonic()

    def spent(self):
        """Returns the seconds spent."""
        return time.monotonic() - self.started

    def is_left(self):
        return self.spent() < self.seconds

    def rate(self, most):
        share = self.spent() / self.seconds
        return max(most * min(share * 12, 0.5 * (1 + math.cos(math.pi * min(share, 1)))), 1e-6)

    def set_rate(self, optimizer, most):
        for group in optimizer.param_groups:
            group["lr"] = self.rate(most)


def epoch_batches(count, size, device):
    """Returns the batches of an epoch over `count` examples: indices in random order, `size` each, without the rest."""
    assert count >= size, f"{count} are too few for a step of {size}"
    return list(torch.randperm(count, device=device)[:count - count % size].split(size))


# The weights of the last steps are averaged: how much of the average each step keeps.
AVERAGED_OVER = 0.9995


def averaging(model, over=AVERAGED_OVER):
    """Returns the exponential moving average of a model's weights and statistics, to be updated after each step."""
    return AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(over), use_buffers=True)


def autocast(device):
    """Enables bfloat16 on a GPU and on processors that multiply it."""
    enabled = device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=enabled)


def random_mask(count, share, like):
    """Returns a random 0 or 1 for each of `count`, 1 with probability `share`, shaped to multiply a batch of maps."""
    return (torch.rand(count, 1, 1, 1, device=like.device) < share).float()


def random_uniform(count, low, high, like):
    """Returns a random number from `low` to `high` for each of `count`, shaped to multiply a batch of maps."""
    return torch.rand(count, 1, 1, 1, device=like.device) * (high - low) + low


def with_varied_lines(maps, shares):
    """Makes the lines of some maps thicker, of some thinner, and blurs some; `shares` are the cumulative probabilities of the
    three."""
    count, chance = len(maps), torch.rand(len(maps), 1, 1, 1, device=maps.device)
    thick = functional.max_pool2d(maps, 3, 1, 1) * random_uniform(count, 0.6, 1.0, maps)
    thin = (maps - random_uniform(count, 0.05, 0.3, maps)).clamp(0)
    blurred = torch.lerp(maps, functional.avg_pool2d(maps, 3, 1, 1, count_include_pad=False),
                         random_uniform(count, 0.3, 1.0, maps))
    thicker, thinner, softer = shares
    others = torch.where(chance < thinner, thin, torch.where(chance < softer, blurred, maps))
    return torch.where(chance < thicker, thick, others)


class Block(nn.Module):
    """A 3 x 3 convolution and ReLU, with a residual connection if it keeps resolution and width."""

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
    """Folds batch normalization into the convolutions, in place."""
    blocks = [module for module in model.modules() if isinstance(module, Block)]
    for block in [block for block in blocks if isinstance(block.norm, nn.BatchNorm2d)]:
        block.conv = nn.utils.fuse_conv_bn_eval(block.conv.eval(), block.norm.eval())
        block.norm = nn.Identity()
    return model.eval()


def exported_weights(path):
    """Returns the weights of an exported network by their names."""
    return {own.name: torch.from_numpy(onnx.numpy_helper.to_array(own).copy()) for own in onnx.load(path).graph.initializer}


def with_exported_weights(model, path):
    """Returns a network with the weights of an exported one of the same make. It has no batch normalization."""
    model, weights = folded(model), exported_weights(path)
    model.load_state_dict({name: weights[name] for name in model.state_dict()})
    return model


class Graph:
    """The exported graph, built node by node, so that it has only the operators named above."""

    def __init__(self, model):
        self.names = {module: name for name, module in model.named_modules()}
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
        """Adds a convolution. Its weights have the names that they have in the model."""
        weight = self.constant(module.weight.detach().numpy(), f"{self.names[module]}.weight")
        bias = self.constant(module.bias.detach().numpy(), f"{self.names[module]}.bias")
        pad = list(module.padding)
        return self.add("Conv", [name, weight, bias], output, kernel_shape=list(module.kernel_size), pads=pad + pad,
                        strides=list(module.stride), dilations=[1, 1], group=module.groups)

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

    def pyramid(self, deep, levels):
        """Adds the way up from low resolution. Each level is the shallower maps, the convolution that gives the deeper ones as
        many channels, and the block after their sum."""
        for shallow, to_shallow, again in levels:
            deep = self.add("Add", [shallow, self.doubled(self.conv(to_shallow, deep))])
            deep = self.blocks([again], deep)
        return deep

    def save(self, path, inputs, output):
        """Writes `path` and its SHA-256 beside it, and returns the hash. `output` and each of `inputs` are a name and a shape."""
        value = lambda name, shape: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        given = [value(*own) for own in inputs]
        made = onnx.helper.make_graph(self.nodes, path.parent.name, given, [value(*output)], self.weights)
        made = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
        made = onnx.shape_inference.infer_shapes(made, strict_mode=True)
        onnx.checker.check_model(made, full_check=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(made, path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        (path.parent / f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
        return digest
