"""Packs whole kernels as an H200 ran them: `python -m tests.truth.make.pack_kernels KERNELS` writes run/kernels.json.xz.

KERNELS is the folder of the measurement: ptx/, specs.json, truth/outputs.json.gz. Kept are the PTX texts, the launches of
every group except Hopper's own, the SHA-256 of each buffer after the launch, and all bytes where the order of atomics
decides.
"""

import gzip
import json
import lzma
import sys
from pathlib import Path

from tests.support.paths import TRUTH

OWN_BYTES = "order"  # the flag of launches whose hashes differ from run to run


def packed(folder: Path) -> dict[str, object]:
    """The file's contents."""
    launches = json.loads((folder / "specs.json").read_text())["launches"]
    outputs = json.loads(gzip.decompress((folder / "truth/outputs.json.gz").read_bytes()))
    kept, texts = [], {}
    for launch in launches:
        if launch["group"] == "hopper":
            continue
        found = outputs["launches"].get(launch["id"], {"buffers": [], "flags": []})
        flags = found["flags"]
        buffers = {
            row["buffer"]: row["content"] if OWN_BYTES in flags and "content" in row else row["sha256"]
            for row in found["buffers"]
        }
        kept.append({**launch, "flags": flags, "buffers": buffers})
        texts[launch["ptx"]] = (folder / launch["ptx"]).read_text()
    return {"source": outputs["source"], "launches": kept, "ptx": texts}


if __name__ == "__main__":
    text = json.dumps(packed(Path(sys.argv[1])))
    (TRUTH / "run" / "kernels.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))
