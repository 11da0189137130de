"""Compile the sources in nvcc/ for every target, and keep the PTX as corpus/files.tar.xz.

Usage: python -m tests.truth.make.corpus [--nvcc PROGRAM] [--nvrtc LIBRARY --include FOLDER ...]
                             [--triton PYTHON] [--output FILE]

nvcc compiles for the targets that it has; a libnvrtc of CUDA 12 (with the folders of that toolkit's headers) for the
older ones, and a Python that has Triton writes its kernels. Members of the archive are NAME.TARGET[.OPTION].ptx.
"""

import argparse
import ctypes
import io
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.paths import TRUTH

SOURCES = TRUTH / "nvcc"
TARGETS = """
sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f sm_110 sm_110a
sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
""".split()
OLDER = "sm_60 sm_61 sm_62 sm_70 sm_72 sm_101 sm_101a sm_101f".split()
OPTIONS = {
    "debug": ("-G", ["matrices", "copies"], ["sm_80", "sm_90a"]),
    "lines": ("-lineinfo", ["wmma", "matrices", "copies", "plain"], ["sm_86", "sm_100a"]),
    "relocatable": ("-rdc=true", ["plain"], ["sm_89"]),
    "fast": ("-use_fast_math", ["plain"], ["sm_120"]),
}
STRANGE = re.compile(r'"[^"\n]*/(?:site-packages|lib/python[\d.]*)/')


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def compiled(nvcc, folder):
    """The commands of nvcc: every source for every target, some with options."""
    for source in sorted(SOURCES.glob("*.cu")):
        wanted = [(target, "", []) for target in TARGETS]
        for option, (flag, stems, targets) in OPTIONS.items():
            wanted += [(t, f".{option}", [flag]) for t in targets if source.stem in stems]
        for target, option, flags in wanted:
            arch = f"-arch={target.replace('sm', 'compute')}"
            name = f"{source.stem}.{target}{option}.ptx"
            yield [nvcc, "-ptx", "-w", *flags, arch, "-o", name, source.name]


class Nvrtc:
    """PTX for targets that nvcc no longer has."""

    def __init__(self, library, include):
        self.library = ctypes.CDLL(library)
        self.options = [f"-I{folder}" for folder in include]

    def ptx(self, source, target):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        arch = f"-arch={target.replace('sm', 'compute')}"
        options = [*self.options, arch, "-std=c++17", "-w", "-default-device"]
        encoded = [option.encode() for option in options]
        create = self.library.nvrtcCreateProgram
        create(ctypes.byref(program), source.read_bytes(), source.name.encode(), 0, None, None)
        status = self.library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*encoded))
        kind = "ProgramLog" if status else "PTX"
        getattr(self.library, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{kind}")(program, text)
        if status:
            raise SystemExit(f"{source.name} {target}: {text.value.decode()}")
        return text.value.decode()


def without_folders(text):
    """The same lines without the folders of the machine, in `.file` and in debug strings."""
    text = re.sub(r'^(\s*\.file\s+\d+ ")/[^"\n]*/', r"\1/src/", text, flags=re.MULTILINE)
    before, inside = -1, False

    def of_number(match):
        nonlocal before, inside
        value = int(match[0]) % 256
        inside = value != 0 and (inside or (value == ord("/") and before == 0))
        before = value
        return str(ord("x")) if inside and value != ord("/") else match[0]

    def of_bytes(match):
        return match[1] + re.sub(r"-?\d+", of_number, match[2])

    return re.sub(r"(\.b8\s+)(-?\d+(?:\s*,\s*-?\d+)*)", of_bytes, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--nvrtc")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--triton")
    parser.add_argument("--output", type=Path, default=TRUTH / "corpus" / "files.tar.xz")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "corpus")
        shutil.copytree(SOURCES, folder)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda command: run(command, folder), compiled(args.nvcc, folder)))
        if args.nvrtc:
            nvrtc = Nvrtc(args.nvrtc, args.include)
            for source in sorted(SOURCES.glob("*.cu")):
                for target in OLDER:
                    Path(folder, f"{source.stem}.{target}.ptx").write_text(nvrtc.ptx(source, target))
        if args.triton:
            run([args.triton, "triton_kernels.py", "."], folder)
        shutil.move(folder / "by_hand.ptx", folder / "by_hand.sm_100a.ptx")
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted(folder.glob("*.ptx")):
                text = path.read_text().replace(f"{os.path.realpath(folder)}", "/src")
                text = STRANGE.sub('"', text.replace(str(folder), "/src"))
                data = without_folders(text).encode()
                if b".entry" not in data:  # the target has nothing of it
                    continue
                member = tarfile.TarInfo(path.name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        args.output.write_bytes(lzma.compress(raw.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{raw.tell():,} bytes, {args.output.stat().st_size:,} compressed")


if __name__ == "__main__":
    main()
