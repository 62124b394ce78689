"""What the fully convolutional networks here are built of, and how they are written as ONNX files that every engine runs:
convolutions with a bias, ReLU, sums and nearest doubling only, each tensor's shape in the file."""

import hashlib

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional


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
