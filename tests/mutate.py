"""Breaks the core on purpose, one place at a time: every break must turn the tests red.

    python3 tests/mutate.py [--sample N] [--only TEXT]

Each mutant is the installed package with the extension rebuilt from headers in which one piece of text is replaced.
A mutant that passes all tests has survived: exit status 1. --sample takes every k-th mutant, N in all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.resources import files
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent

#: (header, text that stands there once, what replaces it, what is wrong then)
MUTANTS = [
    ("isa.h", "1, 8, 16, 8, 16, 16, 8, true, 65,", "1, 8, 16, 8, 16, 16, 16, true, 65,",
     "ldmatrix m8n8 meets the banks 16 rows at once"),
    ("isa.h", "2, 16, 16, 16, 8, 8, 8, false, 86,", "2, 8, 16, 16, 8, 8, 8, false, 86,",
     "m16n16 takes its rows from 8 lanes a matrix"),
    ("isa.h", "1, 8, 8, 16, 4, 8, 16, true, 94,", "1, 8, 16, 16, 4, 8, 16, true, 94,",
     "s8.s4 reads rows of 16 bytes"),
    ("isa.h", "true, 94, WS_TARGETS_90A_AF100_UP", "true, 94, WS_TARGETS_AF100_UP",
     "s8.s4 is illegal on sm_90a"),
    ("form.h", "return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;", "return bytes <= 8 ? 32 : 8;",
     "64-bit accesses in one group"),
    ("arch.h", "case WS_TARGETS_AF100_UP: return row->number >= 100 && row->suffix != 0;",
     "case WS_TARGETS_AF100_UP: return row->number >= 100;", "plain sm_100 takes m16n16"),
    ("arch.h", "WS_TARGET_FAMILY(120, 87, 87, 88,", "WS_TARGET_FAMILY(120, 87, 87, 87,",
     "sm_120f exists one version too early"),
    ("legality.h", "WS_CTA_PTX = 78", "WS_CTA_PTX = 77", "::cta is legal in PTX 7.7"),
    ("fragment.h", "element.row = 2 * t + field;\n                element.column = g;",
     "element.row = g;\n                element.column = 2 * t + field;", ".trans does not transpose"),
    ("fragment.h", "element.column = g + 8 * (reg % 2);", "element.column = g + 8 * (reg / 2);",
     "m16n16: the halves of the matrices change places"),
    ("fragment.h", "element.column = g + 8 * (field / 2);", "element.column = g + 8 * (field % 2);",
     "m16n8: fields in the wrong order"),
    ("decompress.h", "(x & UINT64_C(0xf000f000f000f0)) * 15", "(x & UINT64_C(0xf000f000f000f0)) * 7",
     "4-bit: every second element is halved"),
    ("decompress.h", "(x & UINT64_C(0xfc00fc00fc00fc0)) * 3", "(x & UINT64_C(0xfc00fc00fc00fc0)) * 1",
     "6-bit: every second element is halved"),
    ("decompress.h", "(uint8_t)((out[i] ^ 8) - 8)", "out[i]", "s8.s4: no sign extension"),
    ("stmatrix.h", "for (row = form->rows - 1; row >= 0; row--) {",
     "for (row = 0; row < form->rows; row++) {", "overlapping rows: the highest wins"),
    ("stmatrix.h", "for (matrix = 0; matrix < op->num; matrix++) {",
     "for (matrix = op->num - 1; matrix >= 0; matrix--) {", "overlapping matrices: the first wins"),
    ("movmatrix.h", "16 * (e.column % 2)", "16 * (e.row % 2)", "movmatrix takes the wrong half"),
    ("plain.h", "(bits ^ sign) - sign : bits", "bits : bits", "ld.s8 does not extend the sign"),
    ("plain.h", "const bool lowest_last = op->cache == WS_CACHE_CG;", "const bool lowest_last = true;",
     "cp.async.ca: the lowest lane wins"),
    ("plain.h", "for (lane = first + group - 1; lane >= first; lane--) {",
     "for (lane = first; lane < first + group; lane++) {", "st: the highest lane of a group wins"),
    ("banks.h", "if (table->word[*link] == word) return pass;", "", "the same word twice is a conflict"),
    ("banks.h", "for (d = 1; d <= 2; d++) {", "for (d = 1; d <= 1; d++) {", "no merging at distance 2"),
    ("streams.h", "op->kind == WS_LD && where == WS_IN_SHARED && bytes >= 8",
     "where == WS_IN_SHARED && bytes >= 8", "stores and matrices merge, too"),
    ("ldgsts.h", "all->move[i].halves |= (uint8_t)(1u << (to[lane] / 16 & 1));",
     "all->move[i].halves = 1;", ".cg: written halves do not matter"),
    ("ldgsts.h", "wanted[word % 32] = (uint8_t)(pass_of[lane] + 1);",
     "wanted[word % 32] = pass_of[lane];", ".ca: every lane in the first pass"),
    ("sectors.h", "line & 0x37AB5", "line & 0x37AB4", "tag bank: a bit is missing"),
    ("memory.h", "address - image->base <= image->nbytes - count",
     "address - image->base <= image->nbytes", "the last row may hang over the end"),
    ("undefined.h", "ws_require(address % bytes != 0,", "ws_require(address % 8 != 0,",
     "rows aligned to 8 bytes pass"),
    ("undefined.h", "if (active == 0) return true;", "", "an empty mask is undefined"),
    ("access.h", "ws_target(access->target)->number <= 75;", "ws_target(access->target)->number <= 80;",
     "unused lanes matter on sm_80"),
    ("hardware.h", "place[lane].address >= WS_SHARED_LIMIT;",
     "place[lane].address > WS_SHARED_LIMIT;", "2^24 itself is a shared address"),
    ("hardware.h", "WS_ALLOCATION_BYTES = 128", "WS_ALLOCATION_BYTES = 256",
     "allocations are rounded to 256 bytes"),
    ("execute.h", "ws_op_writes_memory(op)) ws_zero_warp(op, of_warp);", "ws_op_writes_memory(op)) (void)of_warp;",
     "record keeps what out held"),
    ("layout.h", "int down = by_row ? matrix / 2 : matrix % 2,", "int down = by_row ? matrix % 2 : matrix / 2,",
     "matrices of a tile in the wrong order"),
    ("wmma_map.h", "reg % 2 + 2 * (reg / (2 * k_blocks))", "reg % 2 + reg / (2 * k_blocks)",
     "wmma a: the upper 16 lines of m32n8k16"),
    ("wmma_map.h", "!(sm_75 && op->type == WS_TYPE_S32)", "true", "wmma on sm_75: s32 of m8n32k16 transposed"),
    ("wmma_map.h", "place.row = g + 8 * (block % blocks);", "place.row = g + 8 * (block / blocks);",
     "wmma c: blocks in the wrong order"),
    ("wmma_lowering.h", "code.units_per_access = bits == 16 && !code.sm_75 ? 4 : 2;",
     "code.units_per_access = code.sm_75 ? 2 : 4;", "wmma: s8 by LDSM.x4"),
    ("wmma_lowering.h", "if (bits < 8) return (uint32_t)(32 / bits);", "if (bits < 8) return 1;",
     "wmma: s4 and b1 use all bits of the stride"),
    ("wmma_lowering.h", "&& blocks <= 2 ? 2 : 1;", "? 2 : 1;", "wmma c: the stride is always halved"),
    ("wmma_lowering.h", "return 4 * across + lane / 4 / 2;", "return lane;",
     "wmma: MOVM does not change the lane that loads"),
    ("wmma.h", "for (lane = first + group - 1; lane >= first; lane--) {", "for (lane = first; lane < first + group; lane++) {",
     "wmma store: the highest lane wins"),
    ("wmma_undefined.h", "*found = stride != fallback;", "*found = true;", "wmma: the default stride is a finding"),
    ("wmma_undefined.h", "fragment < 16 ? fragment : 16", "fragment", "wmma: padding by 8 halves is an error"),
    ("traffic.h", "if (code.mode == WS_WMMA_TRANSPOSED) counts->wavefronts++;", "",
     "wmma: MOVM takes no wavefront"),
    ("qualifiers.h", "if (global && had_shared && !q->cp_global) {", "if (global && !q->cp_global) {",
     "cp.async.global.shared parses"),
    ("ptx_text.h", "i += text[i] == '\\\\' ? 2 : 1;", "i++;", "lint: an escaped quote ends a string"),
    ("ptx_text.h", "if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');", "", "lint: LD is no instruction of ours"),
    ("lint_operands.h", "ws_op_is_collective(check->op) && space == WS_SPACE_GENERIC &&", "space == WS_SPACE_GENERIC &&",
     "lint: a plain access warns of its generic address, too"),
    ("names.h", "number < (uint32_t)name->count", "number <= (uint32_t)name->count", "lint: %r<4> declares %r4"),
    ("names.h", "family->depth > best->depth", "family->depth >= best->depth + 99",
     "lint: an outer name hides an inner family"),
    ("names.h", "names->registers -= name->declared.space == WS_NAME_REG;", "",
     "lint: registers of a closed scope still make names undeclared"),
    ("declarations.h", "initialiser = (initialiser && c != ',') || c == '=';", "initialiser = initialiser || c == '=';",
     "lint: an initialiser swallows the names behind it"),
    ("declarations.h", "declared.type_length = vector ? 0 :", "declared.type_length =",
     "lint: a vector register is one of its elements"),
    ("ptx_file.h", "if (code[at] == '}' && depth-- == 0) return at;", "",
     "lint: a statement goes on behind its scope"),
    ("ptx_file.h", "ws_names_open(&file->names);\n            ws_declare_parameters",
     "ws_declare_parameters", "lint: a function's names stay declared behind it"),
    ("lint_findings.h", "sink->findings[to - 1].at > moved.at", "sink->findings[to - 1].at < moved.at",
     "lint: findings of a statement in the wrong order"),
    ("lint_findings.h", "finding.column = at - place.line_begin + 1;", "finding.column = at - place.line_begin;",
     "lint: columns count from 0"),
    ("lint_legality.h", "WS_ALIGNED_WMMA_PTX = 63", "WS_ALIGNED_WMMA_PTX = 62", "lint: wmma has .aligned in PTX 6.2"),
    ("lint_legality.h", "words.cta && ptx < WS_CTA_PTX", "words.cta && ptx + 1 < WS_CTA_PTX",
     "lint: cp.async takes ::cta in PTX 7.7"),
    ("lint_legality.h", "WS_WEAK_TARGET = 70", "WS_WEAK_TARGET = 60", "lint: .weak on sm_61"),
    ("lint_types.h", "return (ws_lint_is_integer(word[0]) && ws_lint_is_integer(type[0])) ||", "return",
     "lint: ld.u32 into .s32 is wrong"),
    ("names.h", "while (base > 1 &&", "while (base + 1 > length &&", "lint: %r12 is no number 12"),
    ("lint_types.h", "if (type[0] == 'b') return true;\n    return is_float", "return is_float",
     "lint: a constant beside a .b32 register"),
    ("lint_operands.h", "value % unit == 0", "value % unit >= 0", "lint: no offset is out of alignment"),
    ("lint_operands.h", "return is_source ? WS_SPACE_GLOBAL : WS_SPACE_SHARED;", "return WS_SPACE_SHARED;",
     "lint: the source of cp.async is in .shared"),
    ("lint_stride.h", "value > most) {", "value > most + 1) {", "lint: a stride of 2^31"),
    ("lint_statement.h", "if (next != ':' && !ws_ptx_is_word(next)) return true;", "",
     "lint: cp.async.commit_group is a copy"),
    ("lint_refused.h", "declared->space == WS_NAME_REG && declared->type_length == 0", "false",
     "lint: a vector register is a syntax error"),
    ("lint.h", "if (lint->text[whole.end - 1] != ';') {", "if (false) {", "lint: a semicolon may be missing"),
    ("simd/passes_block.h", "WS_SORT2(1, 4); WS_SORT2(3, 6);", "WS_SORT2(1, 4);",
     "simd: a comparator of the sort of 8 is missing"),
    ("simd/passes_block.h", "WS_SORT2_X2(2, 4); WS_SORT2_X2(6, 8); WS_SORT2_X2(10, 12);\n    WS_SORT2(1, 2);",
     "WS_SORT2_X2(2, 4); WS_SORT2_X2(6, 8);\n    WS_SORT2(1, 2);", "simd: a comparator of the merge of 16 is missing"),
    ("simd/passes_block.h", "    WS_SORT2_X2(26, 28);\n", "", "simd: a comparator of the merge of 32 is missing"),
    ("simd/passes_block.h", "return !WS_V(has)(all, ~((UINT32_C(1) << (16 + shift)) - (UINT32_C(1) << shift)));", "return true;",
     "simd: addresses that have no key are cut"),
    ("simd/passes_block.h", "~((UINT32_C(1) << (16 + shift))", "~((UINT32_C(1) << (17 + shift))", "simd: lines of one bit more"),
    ("simd/passes_block.h", "run = WS_V(run)(run, v[i - 1], v[i], 7 - shift);", "run = WS_V(run)(run, v[i - 1], v[i], 3);",
     "simd: always eight banks"),
    ("simd/vector_sse2.h", "_mm_or_si128(*all, _mm_or_si128(low, high))", "_mm_or_si128(*all, low)", "simd: sse2 looks at every other lane"),
    ("simd/vector_avx2.h", "_mm256_set1_epi16(-256));\n}", "_mm256_set1_epi16(-1));\n}",
     "simd: avx2 looks for conflicts in two of four groups"),
    ("simd/vector_avx512.h", "_mm512_ternarylogic_epi32(_mm512_set1_epi32(0xffff), a, b, 0xca)", "_mm512_or_si512(a, b)",
     "simd: avx512 mixes groups when it looks for conflicts"),
    ("simd/vector_avx512.h", "_mm512_min_epu16(differ, _mm512_set1_epi16(1))", "_mm512_set1_epi16(1)",
     "simd: avx512 counts equal units"),
    ("group_batch.h", "d == 1 ? lane / 2 : lane / 4 * 2 + lane % 2", "lane / 2",
     "simd: loads that merge at distance 2 lose lanes"),
    ("simd/passes.h", "0x0ff0", "0x00f0", "simd: loads that merge at distance 2 are not seen"),
    ("simd/fit.h", "_mm256_testz_si256(all, align)", "1", "simd: avx2 takes misaligned rows"),
    ("simd/fit.h", "_mm_srli_epi32(beyond, 31)", "_mm_setzero_si128()", "simd: sse2 takes rows outside the memory"),
    ("simd/turns_block.h", "_mm_srli_epi16(high, 10)", "_mm_srli_epi16(high, 9)", "simd: the last eight 6-bit elements are doubled"),
    ("simd/rows_block.h", "for (r = 7; r >= 0; r--) WS_R(put)", "for (r = 0; r < 8; r++) WS_R(put)",
     "simd: of overlapping rows the highest wins"),
    ("bulk_wmma.h", "if (remark || !ws", "if (!ws", "simd: wmma strides pass without a remark"),
    ("bulk.h", "(op->kind == WS_LDMATRIX && !old)", "op->kind == WS_LDMATRIX", "simd: unused lanes do not matter on sm_75"),
    ("bulk.h", "    if (bulk->way == WS_BULK_WMMA) checked = false;", "",
     "simd: wmma warps with a warning are left out"),
    ("layout.h", "offset >> (swizzle->base + down) & mask", "offset >> (swizzle->base + down + 1) & mask",
     "tile: a swizzle takes its bits one place too high"),
    ("layout.h", "return offset ^ from << (swizzle->base + up);", "return offset ^ from << swizzle->base;",
     "tile: a swizzle with S below 0 moves its bits onto themselves"),
    ("layout.h", "(rest & ~low) - 1;", "rest;", "tile: the end of a swizzled image is missed"),
    ("tile.h", "if (++piece >= tiling->pieces) continue;", "++piece;", "tile: the last unit runs beyond the tile"),
    ("tile.h", "(layout->col_major ? right : down) * rows + lane % rows", "(layout->col_major ? down : right) * rows + lane % rows",
     "tile: the second matrix lies to the right"),
    ("tile.h", "{ return step * tiling->warps + warp; }", "{ return warp * tiling->steps + step; }",
     "tile: every warp has units in a row"),
    ("tile_check.h", "if (source & (units - 1)) return false;", "", "tile: swizzles with source bits inside an access are legal"),
    ("tile_check.h", "return harm == 0 || (harm & ws_tile_place_bits(layout, op)) == 0;", "return harm == 0;",
     "tile: a swizzle that moves nothing is illegal"),
    ("tile_check.h", "return ws_layout_runs(layout) == 1 || ", "return ", "tile: one row has a pitch"),
    ("tile_count.h", "address[0] / WS_COPY_LINE * WS_COPY_LINE;", "address[0];",
     "tile: copies moved by less than a line cost the same"),
    ("tile_findings.h", "pitch - below <= below + bytes - pitch", "pitch - below >= below + bytes - pitch",
     "tile: the farther pitch is named first"),
    ("simd/swizzle.h", "_mm512_set1_epi32(move->down & 31)", "_mm512_set1_epi32(move->down & 15)",
     "search: avx512 moves bits up by other distances"),
    ("search.h", "terms->max_bytes) return WS_SEARCH_BYTES;", "terms->max_bytes + 1) return WS_SEARCH_BYTES;",
     "search: one byte more than max_bytes is taken"),
    ("search.h", "    if (!ws_tile_swizzle_fits(layout, &side[0].op) || !ws_tile_swizzle_fits(layout, &side[1].op)) return WS_SEARCH_SWIZZLE;",
     "    if (!ws_tile_swizzle_fits(layout, &side[0].op)) return WS_SEARCH_SWIZZLE;", "search: a swizzle may split the loads"),
    ("search_side.h", "*banks |= (uint32_t)from << 5 * (bit - 2);", "*banks |= (uint32_t)from;",
     "search: sources of different bank bits are mixed up"),
    ("search_side.h", "for (bit = 2; bit <= 6; bit++)", "for (bit = 2; bit <= 5; bit++)", "search: swizzles that differ in one bank bit cost the same"),
    ("search_side.h", "if (op->cache == WS_CACHE_CG && move.down < 0 && (move.source & 127) != 0) return false;", "",
     "search: copies by .cg depend on banks alone"),
    ("search_rank.h", "if ((p->bits != 0) != (q->bits != 0)) return p->bits == 0 ? -1 : 1;", "", "search: padding wins over no swizzle"),
    ("search_rank.h", "return q->shift - p->shift;", "return p->shift - q->shift;", "search: S below 0 is the simpler one"),
    ("search_rank.h", "if (here->bytes == least && here->bytes < before)", "if (here->bytes <= before)",
     "search: beaten layouts are in the Pareto set"),
    ("mainloop.h", "cost->cycles = ws_max(cost->cycles, cost->part[most]);", "",
     "cost: a main loop takes less than its busiest pipe has to do"),
    ("profile_table.h", "{90, WS_LOAD_LATENCY, WS_BASIS_MEASURED, 21,", "{90, WS_LOAD_LATENCY, WS_BASIS_MEASURED, 22,",
     "cost: a load takes a cycle more"),
    ("profile_table.h", "{90, WS_MOVMATRIX_INTERVAL, WS_BASIS_MEASURED, 4.75,", "{90, WS_MOVMATRIX_INTERVAL, WS_BASIS_MEASURED, 4,",
     "cost: movmatrix as often as a load"),
    ("cost.h", "ws_max(demand.wavefronts, 1) + demand.arrival;", "ws_max(demand.wavefronts, 1);", "cost: .ca brings no lines"),
    ("cost.h", "(warps + partitions - 1) / partitions", "warps / partitions", "cost: the emptiest sub-partition bounds"),
    ("cost.h", "WS_STORE_REGISTER_LATENCY) * (words - 1)", "WS_STORE_REGISTER_LATENCY) * words", "cost: the first register is counted, too"),
    ("cost.h", "(double)(counts->ideal_wavefronts - 1)", "(double)counts->ideal_wavefronts", "cost: the first group is counted, too"),
    ("program.h", "program->last.store && !demand->store ? waits", "false ? waits", "cost: a load passes a store"),
    ("program.h", "program->after - (program->done - program->slowest)", "program->last.fixed",
     "cost: a program ends with the result of its last access"),
    ("program.h", "(double)(program->warps - 2) : 0", "(double)(program->warps - 1) : 0", "cost: one warp starts at first"),
    ("program.h", "program->last_second = program->last_most;", "", "cost: the second longest access drains"),
    ("pipeline_work.h", "WS_PIPELINE_WARPS = 32", "WS_PIPELINE_WARPS = 31", "cost: no main loop of 32 warps"),
    ("pipeline_work.h", "WS_COPY_PATH) * 4 *", "WS_COPY_PATH) *", "cost: the path from L2 is busy for a line of four"),
    ("pipeline_work.h", "WS_MMA_INTERVAL) * mmas * fullest", "WS_MMA_INTERVAL) * mmas * work->warps", "cost: the tensor pipes of all sub-partitions are one"),
    ("mainloop.h", "const bool trans = is_b && loop->trans_b;", "const bool trans = false;", "cost: B as K x N is read as N x K"),
    ("mainloop.h", "(loop->stages > 1 ? loop->stages : 1)", "loop->stages", "cost: without a fill nothing lies in shared memory"),
    ("mainloop.h", "if (piece < pieces) active |=", "active |=", "cost: the last copies are whole"),
    ("mainloop.h", "ws_target(profile->target)->number < 80", "ws_target(profile->target)->number < 75", "cost: cp.async on sm_75"),
]  # fmt: skip

#: fast and sharp first; the oracle sees what silicon did not measure
SUITES = [
    ["test_execute_measured.py", "test_traffic_measured.py", "test_undefined_measured.py",
     "test_fragments.py", "test_wmma_measured.py", "test_examples.py"],
    ["test_simd.py", "test_contract.py", "test_legality_measured.py"],
    ["test_oracle.py", "test_oracle_wmma.py"],
]  # fmt: skip


def transpile(work: Path) -> Path:
    """The extension's C source, made once."""
    source = work / "_core.c"
    command = [sys.executable, "-m", "cython", "-3", "--module-name", "warpsim._core"]
    core = ROOT / "src" / "warpsim" / "_core.pyx"
    subprocess.run([*command, str(core), "-o", str(source)], check=True, capture_output=True)
    return source


def build(source: Path, include: Path, package: Path) -> None:
    """Compiles the extension into a copy of the package."""
    for old in package.glob("_core*.so"):
        old.unlink()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    folders = (sysconfig.get_path("include"), np.get_include(), ROOT / "src" / "warpsim", include)
    flags = ["-O1", "-w", "-shared", "-fPIC", *(f"-I{folder}" for folder in folders)]
    compiler = os.environ.get("CC", "cc")
    subprocess.run(
        [compiler, *flags, str(source), "-o", str(package / f"_core{suffix}")], check=True
    )


#: whole files, and all that only lint needs
LINT_SUITE = ["test_lint_corpus.py", "test_lint.py"]
LINT_HEADERS = ("lint", "ptx_text", "ptx_file", "names", "declarations")


#: vectors and what brings warps to them
BULK_HEADERS = ("simd/", "bulk", "count", "group_batch")


#: layouts, tiles and their search
TILE_SUITE = ["test_layout.py", "test_tiles.py", "test_search.py"]
TILE_HEADERS = ("layout", "tile", "search", "simd/swizzle")


#: cycles
COST_SUITE = ["test_cost.py", "test_mainloop.py", "test_architecture.py"]
COST_HEADERS = ("cost", "program", "pipeline", "mainloop", "profile")


def suites_for(header: str) -> list[list[str]]:
    if header.startswith(TILE_HEADERS):
        return [TILE_SUITE, ["test_contract.py"]]
    if header.startswith(LINT_HEADERS):
        return [LINT_SUITE]
    if header.startswith(COST_HEADERS):
        return [COST_SUITE]
    return [["test_simd.py"], *SUITES] if header.startswith(BULK_HEADERS) else SUITES


MOST_SECONDS = 600


def is_killed(site: Path, suites: list[list[str]]) -> bool:
    """Whether a test fails with the package in `site`."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    for suite in suites:
        paths = [str(ROOT / "tests" / name) for name in suite]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *paths]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, check=False,
                timeout=MOST_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True  # a break that makes the core run for ever is seen, too
        if done.returncode == 1:
            return True
        if done.returncode != 0:
            raise RuntimeError(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:])
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=len(MUTANTS), help="how many mutants to try")
    parser.add_argument("--only", default="", help="mutants whose description contains this")
    args = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if args.only in mutant[3]]
    chosen = chosen[:: max(1, len(chosen) // max(1, args.sample))][: args.sample]
    headers = ROOT / "csrc" / "include"
    for header, before, _, _ in MUTANTS:
        count = (headers / "warpsim" / header).read_text().count(before)
        if count != 1:
            print(f"{header}: {before!r} stands there {count} times, not once")
            return 1
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = transpile(work)
        package = work / "site" / "warpsim"
        shutil.copytree(
            str(files("warpsim")), package, ignore=shutil.ignore_patterns("__pycache__")
        )
        build(source, headers, package)
        needed = {tuple(suite) for header, *_ in chosen for suite in suites_for(header)}
        if is_killed(work / "site", [list(suite) for suite in sorted(needed)]):
            print("the tests fail on the unbroken core")
            return 1
        for header, before, after, wrong in chosen:
            began = time.monotonic()
            include = work / "include"
            shutil.rmtree(include, ignore_errors=True)
            shutil.copytree(headers, include)
            path = include / "warpsim" / header
            path.write_text(path.read_text().replace(before, after))
            build(source, include, package)
            killed = is_killed(work / "site", suites_for(header))
            survivors += [] if killed else [wrong]
            verdict = "killed  " if killed else "SURVIVED"
            print(f"{verdict} {header:<16} {wrong} ({time.monotonic() - began:.0f} s)", flush=True)
    print(
        f"{len(chosen)} mutants, {len(chosen) - len(survivors)} killed, {len(survivors)} survived"
    )
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
