"""Lists labelled pages for `training-views`, a line of JSON each: view_pages.py LABELS PDFS (open|closed). See README.md.

LABELS is `models/labels/pages` and PDFS the corpus' `wild`, or both are folders of `models/invented`. `open` lists the pages that
may be trained on, `closed` the others.
"""

import argparse
import json
from pathlib import Path

from real_pages import is_open

# The classes of `reading/sheet/src/views/network_input.rs` by the kinds of the labels.
CLASSES = {
    "plan": "Plan", "enlarged_plan": "Plan", "roof_plan": "Plan", "reflected_ceiling_plan": "Plan", "structural_plan": "Plan",
    "site_plan": "SitePlan", "key_plan": "KeyPlan", "interior_elevation": "InteriorElevation",
    "exterior_elevation": "ExteriorElevation", "building_section": "Section", "wall_section": "Section", "detail": "Detail",
    "door_window_types": "OpeningTypes", "schedule": "Schedule", "legend": "Legend", "notes": "Notes",
    "title_block": "TitleBlock", "rendering": "Rendering", "diagram": "Diagram",
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("labels", type=Path)
    arguments.add_argument("pdfs", type=Path)
    arguments.add_argument("licence", choices=("open", "closed"))
    arguments.add_argument("--source", default="", help="what the names of pages and offices begin with, such as `invented-`")
    arguments = arguments.parse_args()
    for file in sorted(arguments.labels.glob("*.json")):
        label = json.loads(file.read_text())
        if is_open(label) != (arguments.licence == "open"):
            continue
        views = [{"classes": [CLASSES[view["kind"]]], "bbox": view["bbox"]} for view in label["views"]]
        page = {"id": arguments.source + label["id"], "office": arguments.source + label["office"],
                "pdf": str(arguments.pdfs / f"{label['id']}.pdf"), "page": 1, "complete": True, "views": views}
        print(json.dumps(page))


if __name__ == "__main__":
    main()
