"""Boxes as results contain them, and identifiers of what is in them."""

import hashlib
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """An upright box in user space of the unrotated page: points, origin bottom-left."""

    x1: float
    y1: float
    x2: float
    y2: float

    def rounded(self) -> "Box":
        """Returns the box in hundredths of a point, the precision of lengths in results."""
        return Box(*(_hundredths(value) / 100 for value in (self.x1, self.y1, self.x2, self.y2)))


def identifier(prefix: str, document_sha256: str, page: int, box: Box) -> str:
    """Returns the same identifier for the same detection in the same document, as the SDK in Rust does."""
    digest = hashlib.sha256(document_sha256.encode())
    digest.update(page.to_bytes(4, "little"))
    for value in (box.x1, box.y1, box.x2, box.y2):
        digest.update(_hundredths(value).to_bytes(8, "little", signed=True))
    return f"{prefix}_{digest.hexdigest()[:12]}"


def _hundredths(value: float) -> int:
    """Returns the nearest hundredth; halves are rounded away from zero."""
    return int(math.copysign(math.floor(abs(value) * 100 + 0.5), value))
