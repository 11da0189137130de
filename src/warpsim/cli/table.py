"""The commands and their arguments, as data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..explorer import DEFAULTS
from ..kernel.demands import FAILS
from ..targets import USUAL_TARGET
from .argument import PICTURE, TABLE, Argument, Command, seconds
from .options import OPTIONS_FORM, OTHER_FORMS, TILE_FORM, whole

FINE, BAD, USAGE = 0, 1, 2
natural = partial(whole, low=0)
PTX = Argument("ptx", "an instruction; - reads standard input", "PTX")
WHERE = (
    Argument(
        "--address", "32 addresses (or one per row, or one for all lanes), or an expression in lane", "A0,A1,...|EXPR"
    ),
    Argument("--tile", f"addresses in a tile: {TILE_FORM}; or {OTHER_FORMS}", "TILE"),
    Argument("--at", "with --tile: the row and column where it begins", "ROW,COL", "0,0"),
    Argument("--stride", "wmma with --address: elements between rows", "S", type=whole),
)
TARGET = Argument("--target", "the GPU, such as sm_90a, h100 or rtx4090", "T", USUAL_TARGET)
ARCH = Argument("--arch", "instead of --target: a profile that warpsim calibrate wrote, such as my_gpu.toml", "FILE")
SIDES = (
    Argument("--load", "ld or ldmatrix: an instruction that reads it; may be repeated", "PTX", repeats=True),
    Argument("--store", "st, stmatrix or cp.async: an instruction that fills it; may be repeated", "PTX", repeats=True),
    Argument("--warps", "warps that share the tile", "N", 4, whole),
    TARGET,
    ARCH,
)
SEVERITIES = ("error", "warning", "note")  # the worst first
SHELLS = ("bash", "zsh", "tcsh", "fish")
X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"

COMMANDS = {
    command.name: command
    for command in (
        Command(
            "explain",
            "legality, addresses, undefined behaviour, registers and banks of one instruction",
            (
                PTX,
                *WHERE,
                Argument("--target", "judge for this target, such as sm_90a", "T"),
                ARCH,
                Argument("--ptx-version", "with --target: and for this PTX version, such as 8.6", "V"),
                Argument("--all", "every address, register and bank"),
            ),
            f'"{X4}" --tile 16x16:f16',
            PICTURE,
            ("warpsim.explain/1", "warpsim.product/1"),
        ),
        Command(
            "layout",
            "which matrix element each register of each lane holds",
            (
                PTX,
                Argument("--element", "only the lanes that hold this element", "[MATRIX,]ROW,COL"),
                Argument("--lane", "only what this lane holds", "N", type=whole),
                Argument("--operand", "of a product: a, b, c, d (the default), metadata, scale_a or scale_b", "NAME"),
                Argument("--target", "the map on this target, such as sm_75", "T"),
                ARCH,
            ),
            '"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"',
            PICTURE,
            ("warpsim.fragment/1", "warpsim.holders/1"),
        ),
        Command(
            "conflicts",
            "wavefronts and bank conflicts: which lanes collide in which bank",
            (
                PTX,
                *WHERE,
                Argument("--target", "the GPU, such as sm_90a or h100", "T"),
                ARCH,
                Argument("--fail-on-conflict", "exit 1 if there is a conflict"),
            ),
            f'"{X4}" --address "lane % 8 * 256 + lane // 8 * 16"',
            PICTURE,
            ("warpsim.bank_report/1",),
        ),
        Command(
            "cost",
            "latency of one instruction, cycles of each when it is repeated, and the bottleneck",
            (PTX, *WHERE, Argument("--warps", "warps that execute it", "N", 1, whole), TARGET, ARCH),
            f'"{X4}" --tile 16x64:f16:pad=8 --warps 8',
            PICTURE,
            ("warpsim.cost/1",),
        ),
        Command(
            "tile",
            "stores and loads of a tile: wavefronts, cycles, bytes, legality and alignment",
            (Argument("tile", f"{TILE_FORM}; or {OTHER_FORMS}", "TILE"), *SIDES),
            f"64x64:f16:pad=8 --store cp.async.cg.shared.global --load {X4}",
            PICTURE,
            ("warpsim.tile/1",),
        ),
        Command(
            "search",
            "the best layouts of a tile: counts every padding, swizzle and order",
            (
                Argument("size", "ROWSxCOLS:TYPE; or a TILE (see warpsim tile) to compare with the best", "SIZE"),
                *SIDES,
                Argument("--weight", "weight of each store, then of each load (1)", "W", type=float, repeats=True),
                Argument("--pads", "elements added to each row: 0-64, or 0,8,16 (0-64)", "A-B|A,B,..."),
                Argument("--orders", "row, col or both", "row,col", "row"),
                Argument("--max-bytes", "leave out layouts that take more", "N", type=whole),
                Argument("--top", "number of layouts to print", "N", 10, whole),
            ),
            f"128x64:f16 --store st.shared.v4.b32 --load {X4}",
            PICTURE,
            ("warpsim.search/1",),
        ),
        Command(
            "mainloop",
            "cycles of one iteration of a GEMM's main loop: fill, ldmatrix, mma.sync",
            (
                Argument("tile", "the block's tile", "MxNxK"),
                Argument("--warps", "warps along M and along N", "AxB", required=True),
                Argument("--a", f"layout of A (M x K): {OPTIONS_FORM}", "OPTIONS"),
                Argument("--b", "layout of B (N x K; K x N with --trans-b)", "OPTIONS"),
                Argument("--trans-b", "B is K x N and read with .trans"),
                Argument("--stages", "stages of the pipeline; 0: no global loads", "N", 3, whole),
                Argument("--type", "f16, bf16, tf32, s8, u8, e4m3 or e5m2", "TYPE", "f16"),
                Argument("--accumulate", "f32, f16 or s32; by default the first that the type has", "TYPE"),
                Argument(
                    "--as-assembled", "instructions and registers as NVIDIA's compiler makes them (extras cuda, sass)"
                ),
                TARGET,
                ARCH,
            ),
            "128x128x64 --warps 2x2 --a swizzle=3,3,3 --b swizzle=3,3,3",
            PICTURE,
            ("warpsim.mainloop/1",),
        ),
        Command(
            "rules",
            "the rules of undefined behaviour, of tiles, of lint and of kernels",
            (Argument("ids", "show these rules in full, such as WS-LDM-003 or LDM", "ID", nargs="*"),),
            "WS-LDM-003",
            TABLE,
            ("warpsim.rules/1",),
        ),
        Command(
            "lint",
            "check every matrix memory instruction, ld, st and cp.async of PTX files: legality, not bank conflicts",
            (
                Argument("files", "PTX files; - reads standard input", "FILE", nargs="+"),
                Argument("--target", "instead of the file's, such as sm_90a", "T"),
                ARCH,
                Argument("--ptx-version", "instead of the file's, such as 8.6", "V"),
                Argument(
                    "--fail-on",
                    "exit 1 at this severity or worse: error, warning or note",
                    "SEVERITY",
                    "error",
                    choices=SEVERITIES,
                ),
            ),
            "kernel.ptx --target sm_90a",
            ("json", "html", "sarif"),
            ("warpsim.lint/1",),
        ),
        Command(
            "run",
            "run a kernel on the CPU (PTX, CUDA C++ or Triton): its results and what is wrong with it",
            (
                Argument(
                    "file", "PTX, CUDA C++ (.cu), Triton (.py), a capture, or - for PTX from standard input", "FILE"
                ),
                Argument("--kernel", "the kernel to run, if the file has several; of a template 'gemm<32>'", "NAME"),
                Argument(
                    "--grid",
                    "thread blocks: up to three numbers; for Triton also expressions, such as 'cdiv(n, width)'",
                    "X[,Y[,Z]]",
                ),
                Argument("--block", "threads of a block; Triton has --num-warps instead", "X[,Y[,Z]]"),
                Argument(
                    "--arg",
                    "a parameter by name or position: x=f32[128,128]:random(7), n=128, y=f32[64]:FILE.npy; "
                    "fills: zeros, arange, random(SEED), uninitialized, FILE.npy, FILE.bin",
                    "NAME=VALUE",
                    repeats=True,
                ),
                Argument("--shared", "bytes of dynamic shared memory", "BYTES", 0, whole),
                Argument("--cluster", "thread blocks of a cluster; by default as the kernel declares", "X[,Y[,Z]]"),
                Argument("--cooperative", "allow grid-wide synchronization, if the kernel does not ask for it itself"),
                Argument(
                    "--blocks",
                    "run N thread blocks, spread evenly over the grid",
                    "N",
                    type=partial(whole, low=1, bits=63),
                ),
                Argument("--target", "the GPU to emulate, such as sm_90; else the file's", "T"),
                ARCH,
                Argument("--launch", "capture: which launch (0)", "N", type=natural),
                Argument("--ptx", "capture: the PTX of the kernel, if the captured program contained none", "FILE"),
                Argument(
                    "--sources",
                    "PTX, capture: show source files that .file names from below this folder, too",
                    "FOLDER",
                    repeats=True,
                ),
                Argument("-D", "CUDA C++: define a macro", "NAME[=VALUE]", repeats=True),
                Argument("-I", "CUDA C++: a folder of headers", "FOLDER", repeats=True),
                Argument("--num-warps", "Triton: warps of a block (4)", "N", type=whole),
                Argument("--num-stages", "Triton: stages of its pipelines (3)", "N", type=whole),
                Argument("--save", "write an array after the launch", "NAME=FILE.npy", repeats=True),
                Argument("--tile-search", "the layout of each tile that suits all instructions that fill and read it"),
                Argument(
                    "--threads", "CPU threads; kernels whose blocks watch each other are checked on one", "N", 1, whole
                ),
                Argument("--max-steps", "warp instructions after which the launch ends", "N", type=whole),
                Argument("--timeout", "seconds after which it ends", "S", type=seconds),
                Argument("--no-check", "skip all checks"),
                Argument("--strict", "also warn about proxy fences that PTX asks for and libraries leave out"),
                Argument(
                    "--fail-on", "exit 1 on these, too; on errors always", "WHAT", repeats=True, choices=tuple(FAILS)
                ),
                Argument(
                    "--max-wavefronts",
                    "exit 1 if a line needs more: LINE of the PTX, FILE:LINE of the source; N alone is the total",
                    "[LINE=]N",
                    repeats=True,
                ),
                Argument("--budget", "exit 1 if a line needs more than this file allows", "FILE", repeats=True),
                Argument("--save-budget", "write what the lines need now, as a budget", "FILE"),
            ),
            "kernel.ptx --grid 4 --block 128 --arg x=f32[512]:random(7) --arg y=f32[512] --save y=y.npy",
            (*PICTURE, "sarif", "csv"),
            ("warpsim.kernel/1",),
        ),
        Command(
            "capture",
            "on a machine with a GPU: run a program, and write a launch of it to a file for warpsim run",
            (
                Argument("file", "the file to write, such as gemm.capture", "FILE"),
                Argument("program", "the program and its arguments", "PROGRAM", nargs="..."),
                Argument("--kernel", "only kernels whose name matches", "REGEX", ""),
                Argument("--skip", "launches to skip", "N", 0, natural),
                Argument("--count", "number of launches to write", "N", 1, partial(whole, low=1)),
                Argument("--max-bytes", "most memory to write for one launch", "BYTES", 1 << 30, natural),
            ),
            "--kernel gemm gemm.capture ./gemm 1024",
            status=USAGE,  # without a GPU
        ),
        Command(
            "calibrate",
            "on a machine with a GPU: measure the constants of the cost model, for --arch and ws.arch",
            (
                Argument("--compare", "instead, compare the model with 30 tiles and main loops, measured now"),
                Argument("--arch", "with --compare: the profile; else the package's own of this GPU", "FILE"),
                Argument("--device", "the number of the GPU", "N", 0, whole),
                Argument("--from", "what an earlier run measured (its .json) instead of a GPU", "FILE"),
            ),
            "-o my_gpu.toml",
            ("toml", *TABLE),
            ("warpsim.calibration/1", "warpsim.comparison/1"),
            status=USAGE,  # without a GPU
        ),
        Command(
            "explore",
            "the explorer in a browser, served on 127.0.0.1 until Ctrl-C; or a link to it",
            (
                replace(PTX, default=DEFAULTS["op"], nargs="?"),
                *WHERE,
                Argument("--store", "st, stmatrix or cp.async: fills the tile", "PTX", DEFAULTS["fill"]),
                Argument("--warps", "warps that fill and read it", "N", int(DEFAULTS["warps"]), whole),
                Argument("--target", TARGET.help, "T", DEFAULTS["target"]),
                ARCH,
                Argument("--ptx-version", "such as 8.6; else the target's newest", "V"),
                Argument("--port", "of 127.0.0.1; 0: a free one", "N", 0, whole),
                Argument("--no-browser", "only serve it"),
                Argument("--link", "print a link to the page in the package, and exit"),
                Argument("--base", "print a link to the page at this address; WARPSIM_EXPLORER_URL sets it", "URL"),
            ),
            f'"{X4}" --tile 64x64:f16:swizzle=3,3,3 --link',
        ),
        Command(
            "completion",
            "a script that lets a shell complete commands and options",
            (Argument("shell", "which shell: " + ", ".join(SHELLS), "SHELL", choices=SHELLS),),
            "bash",
        ),
    )
}
