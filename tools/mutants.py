"""The mutants: what is broken on purpose, and the test that must turn red (see tools/mutate.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import HEADERS, ROOT
from tools import places


class Mutant(NamedTuple):
    """Code that is once in a function, what replaces it, what is wrong then, and who must see it."""

    function: str
    """Or a table, a macro, the first name of an enumeration."""
    before: str
    """However it is laid out."""
    after: str
    wrong: str
    test: str
    """`c/isa/test_X.c`, or what pytest takes, below tests."""

    @property
    def place(self) -> places.Place:
        """Where it is: there must be one place."""
        (found,) = places.find(self.function, self.before)
        return found

    @property
    def file(self) -> str:
        """A header, below warpsim/, or a file below src."""
        path = ROOT / self.place.path
        return str(path.relative_to(HEADERS if path.is_relative_to(HEADERS) else ROOT / "src"))

    def broken(self) -> tuple[Path, str]:
        """The file, from the root of the checkout, and its text with the break in it."""
        path, begin, end = self.place
        text = (ROOT / path).read_text()
        return path, text[:begin] + self.after + text[end:]


def rows(table: dict[str, list[tuple[str, str, str, str]]]) -> Iterator[Mutant]:
    """Of each test the mutants that it must see."""
    for test, mutants in table.items():
        for function, before, after, wrong in mutants:
            yield Mutant(function, before, after, wrong, test)


MUTANTS = list(rows({
    "c/count/test_banks.c": [
        ("ws_group_lanes_of_width", "return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;", "return bytes <= 8 ? 32 : 8;", "64-bit accesses in one group"),
        ("ws_bank_table_add", "if (table->word[*link] == word) return pass;", "", "the same word twice is a conflict"),
        ("ws_bank_merge_distance", "for (d = 1; d <= 2; d++) {", "for (d = 1; d <= 1; d++) {", "no merging at distance 2"),
        ("ws_bank_merge_distance", "(mask >> lane & 1) && (mask >> (lane ^ d) & 1);", "(mask >> lane & 1);", "a lane that sleeps stops merging"),
        ("ws_stream_lanes", "if (active == 0) return 0;", "", "an ldmatrix that no lane runs takes wavefronts"),
        ("ws_explain_stream", "if (table.words > 0) cells->group_wavefronts", "cells->group_wavefronts", "an empty group has a row of its own"),
        ("ws_bank_cells_add", "cell->pass = (uint8_t)pass;", "cell->pass = 0;", "all cells are in the first pass"),
    ],
    "c/count/test_cp_async.c": [
        ("ws_cp_async_cg_moves", "all->move[i].halves |= (uint8_t)(1u << (to[lane] / 16 & 1));", "all->move[i].halves = 1;", ".cg: written halves do not matter"),
        ("ws_cp_async_ca_group", "wanted[word % 32] = (uint8_t)(pass_of[lane] + 1);", "wanted[word % 32] = pass_of[lane];", ".ca: every lane in the first pass"),
        ("ws_access_source", "return (uint64_t)lane * op->size_bytes;", "return (uint64_t)lane * 16;", "cp.async without sources: gaps between small copies"),
        ("ws_count_copy", "((uint64_t)all.destinations * 16 + 127) / 128", "(uint64_t)all.destinations * 16 / 128", "cp.async.cg: a part of a line costs nothing"),
        ("ws_cp_async_cg_moves", "(lower = pieces >> to[lane] / 16 % 64 & 1 ? 0 : lane; lower", "(lower = lane; lower", ".cg: equal destinations are copied twice"),
        ("ws_cp_async_same_class", "a->crossed == b->crossed &&", "true &&", ".cg: crossed moves share a wavefront"),
    ],
    "c/count/test_passes.c": [
        ("octet", "WS_SORT2(1, 4); WS_SORT2(3, 6);", "WS_SORT2(1, 4);", "simd: a comparator of the sort of 8 is missing"),
        ("merge8", "8); WS_SORT2_X2(10, 12); WS_SORT2(1", "8); WS_SORT2(1", "simd: a comparator of the merge of 16 is missing"),
        ("merge16", "WS_SORT2_X2(26, 28);", "", "simd: a comparator of the merge of 32 is missing"),
        ("block", "return !WS_V(has)(all, ~((UINT32_C(1) << (16 + shift)) - (UINT32_C(1) << shift)));", "return true;", "simd: addresses that have no key are cut"),
        ("block", "~((UINT32_C(1) << (16 + shift))", "~((UINT32_C(1) << (17 + shift))", "simd: lines of one bit more"),
        ("block", "run = WS_V(run)(run, v[i - 1], v[i], 7 - shift);", "run = WS_V(run)(run, v[i - 1], v[i], 3);", "simd: always eight banks"),
        ("ws_v_keys_sse2", "_mm_or_si128(*all, _mm_or_si128(low, high))", "_mm_or_si128(*all, low)", "simd: sse2 looks at every other lane"),
        ("ws_v_warp_banks_avx2", "_mm256_set1_epi16(-256)); }", "_mm256_set1_epi16(-1)); }", "simd: avx2 looks for conflicts in two of four groups"),
        ("ws_v_warp_banks_avx512", "_mm512_ternarylogic_epi32(_mm512_set1_epi32(0xffff), a, b, 0xca)", "_mm512_or_si512(a, b)", "simd: avx512 mixes groups when it looks for conflicts"),
        ("ws_v_run_avx512", "_mm512_min_epu16(differ, _mm512_set1_epi16(1))", "_mm512_set1_epi16(1)", "simd: avx512 counts equal units"),
        ("ws_count_direct", "total->bank_conflicts += wavefronts - groups;", "total->bank_conflicts += wavefronts;", "a sum over warps has other conflicts than its parts"),
        ("ws_simd_level", "wanted > WS_SIMD_AUTO &&", "wanted >= WS_SIMD_AUTO &&", "simd: auto is no level"),
        ("ws_simd_level", "int best = wanted == WS_SIMD_PORTABLE ? WS_SIMD_PORTABLE : ws_simd_best();", "int best = ws_simd_best() - 1;", "simd: the best level is not used"),
        ("ws_passes_portable", "if (unit[*link] == unit[lane]) break;", "", "portable: the same unit twice is a conflict"),
        ("ws_v_run_avx2", "_mm256_sub_epi16(run, fresh)", "_mm256_add_epi16(run, fresh)", "simd: avx2 counts down"),
        ("ws_v_run_sse2", "_mm_sub_epi16(run, fresh)", "_mm_add_epi16(run, fresh)", "simd: sse2 counts down"),
    ],
    "c/count/test_sectors.c": [
        ("ws_tag_bank", "line & 0x37AB5", "line & 0x37AB4", "tag bank: a bit is missing"),
        ("ws_bank_passes", "(uint64_t)width_bytes - 1) / 4", "(uint64_t)width_bytes) / 4", "every access wants a word more"),
        ("ws_stream_is_shared", ">shared_window < WS_SHARED_WINDOW_BYTES", ">shared_window <= WS_SHARED_WINDOW_BYTES", "counting: the shared window is a byte too long"),
        ("ws_count_global", "stream->store ? WS_STORE_LINES : 1", "1", "global stores serve one line of a tag bank"),
        ("ws_count_warp", "counts.requests = 1; return counts;", "return counts;", "an access to both memories is two requests"),
        ("ws_tag_banks_are_known", "address[lane] >> 25 != address[first] >> 25", "address[lane] >> 26 != address[first] >> 26", "tag banks are known in 64 MiB"),
        ("ws_tag_passes", "if (lower < lane) pass_of[lane] = pass_of[lower]; else", "", "global: lanes of one line take a place each"),
    ],
    "c/data/test_decompress.c": [
        ("ws_decompress_b4_half", "(x & UINT64_C(0xf000f000f000f0)) * 15", "(x & UINT64_C(0xf000f000f000f0)) * 7", "4-bit: every second element is halved"),
        ("ws_decompress_b6_half", "(x & UINT64_C(0xfc00fc00fc00fc0)) * 3", "(x & UINT64_C(0xfc00fc00fc00fc0)) * 1", "6-bit: every second element is halved"),
        ("ws_decompress_s4", "(uint8_t)((out[i] ^ 8) - 8)", "out[i]", "s8.s4: no sign extension"),
        ("ws_decompress_b6_high", "ws_decompress_get(packed + 4) >> 16", "ws_decompress_get(packed + 4) >> 15", "6-bit: the upper eight elements are doubled"),
    ],
    "c/data/test_fragment.c": [
        ("ws_fragment_element", "element.row = 2 * t + field; element.column = g;", "element.row = g; element.column = 2 * t + field;", ".trans does not transpose"),
        ("ws_fragment_element", "element.column = g + 8 * (reg % 2);", "element.column = g + 8 * (reg / 2);", "m16n16: the halves of the matrices change places"),
        ("ws_fragment_element", "element.column = g + 8 * (field / 2);", "element.column = g + 8 * (field % 2);", "m16n8: fields in the wrong order"),
    ],
    "c/data/test_memory.c": [
        ("ws_store_u16", "bytes[1] = (uint8_t)(value >> 8);", "bytes[1] = (uint8_t)value;", "stored halves repeat their low byte"),
        ("ws_stmatrix_warp", "for (row = form->rows - 1; row >= 0; row--) {", "for (row = 0; row < form->rows; row++) {", "overlapping rows: the highest wins"),
        ("ws_stmatrix_warp", "for (matrix = 0; matrix < op->num; matrix++) {", "for (matrix = op->num - 1; matrix >= 0; matrix--) {", "overlapping matrices: the first wins"),
        ("ws_movmatrix_warp", "16 * (e.column % 2)", "16 * (e.row % 2)", "movmatrix takes the wrong half"),
        ("ws_plain_extend", "(bits ^ sign) - sign : bits", "bits : bits", "ld.s8 does not extend the sign"),
        ("ws_image_holds", "address - image->base <= image->nbytes - count", "address - image->base <= image->nbytes", "the last row may hang over the end"),
        ("ws_ldmatrix_register", "rows[rows_per_matrix * e.matrix + e.row]", "rows[8 * e.matrix + e.row]", "m16n16: the second matrix begins at row 8"),
        ("ws_ldmatrix_register", "ws_load_u16(row + 2 * e.column)", "ws_load_u16(row + 2 * (e.column ^ 1))", "ldmatrix: neighbours change places"),
        ("ws_movmatrix_warp", "4 * e.row + e.column / 2", "4 * e.row + e.column % 4", "movmatrix reads another lane"),
        ("ws_image_holds", "address >= image->base &&", "address > image->base &&", "the first byte is outside"),
        ("ws_memory_place", ">shared_window < WS_SHARED_WINDOW_BYTES", ">shared_window <= WS_SHARED_WINDOW_BYTES", "the shared window is a byte too long"),
        ("ws_image_holds", "count <= image->nbytes && address", "address", "more bytes than there are fit"),
        ("ws_memory_write", "if (byte.address < place.address) return;", "", "a write that wraps around hits the beginning"),
        ("ws_type_is_signed", "type >= WS_TYPE_S8 && type <= WS_TYPE_S64", "type > WS_TYPE_S8 && type <= WS_TYPE_S64", "s8 is unsigned"),
    ],
    "c/data/test_rows.c": [
        ("ws_load_u32", "(bytes) | ws_load_u16(bytes + 2) << 16;", "(bytes) << 16 | ws_load_u16(bytes + 2);", "words of memory have their halves the other way round"),
        ("ws_fit_avx2", "_mm256_testz_si256(all, align)", "1", "simd: avx2 takes misaligned rows"),
        ("ws_fit_sse2", "_mm_srli_epi32(beyond, 31)", "_mm_setzero_si128()", "simd: sse2 takes rows outside the memory"),
        ("b6", "_mm_srli_epi16(high, 10)", "_mm_srli_epi16(high, 9)", "simd: the last eight 6-bit elements are doubled"),
        ("store_all", "for (r = 7; r >= 0; r--) WS_R(put)", "for (r = 0; r < 8; r++) WS_R(put)", "simd: of overlapping rows the highest wins"),
        ("ws_rows_at", "(offset < limit ? offset : limit)", "offset", "simd: a row that moved away meanwhile is read outside the memory"),
        ("ws_rows_store_portable", "for (r = 7; r >= 0; r--) {", "for (r = 0; r < 8; r++) {", "portable: of overlapping rows the highest wins"),
        ("ws_rows_load", "large && (uintptr_t)to % 16 == 0 &&", "large &&", "simd: streaming stores to any address"),
        ("ws_fit_portable", "beyond |= bounds->limit - offset;", "", "portable: rows outside the memory are taken"),
        ("load16", "address + 16 * i + r)", "address + 8 * i + r)", "simd: the second 16x16 matrix begins at row 8"),
        ("b6_pair", "_mm256_set1_epi8(6)", "_mm256_set1_epi8(5)", "simd: the upper 6-bit elements come from a byte below"),
    ],
    "c/data/test_wmma.c": [
        ("ws_wmma_factor_element", "reg % 2 + 2 * (reg / (2 * k_blocks))", "reg % 2 + reg / (2 * k_blocks)", "wmma a: the upper 16 lines of m32n8k16"),
        ("ws_wmma_accumulator_element", "place.row = g + 8 * (block % blocks);", "place.row = g + 8 * (block / blocks);", "wmma c: blocks in the wrong order"),
        ("ws_wmma_stride_fault", "*found = stride != fallback;", "*found = true;", "wmma: the default stride is a finding"),
        ("ws_wmma_stride_fault", "fragment < 16 ? fragment : 16", "fragment", "wmma: padding by 8 halves is an error"),
        ("ws_op_num_registers", "op->operand <= WS_OPERAND_B ? 8 :", "op->operand <= WS_OPERAND_C ? 8 :", "wmma c of f16 has eight registers"),
        ("ws_wmma_rows", "return op->operand == WS_OPERAND_B ? size.k : size.m;", "return op->operand == WS_OPERAND_B ? size.n : size.m;", "wmma b has N rows"),
    ],
    "c/isa/test_isa.c": [
        ("ws_isa_form", "1, 8, 16, 8, 16, 16, 8, true, 65,", "1, 8, 16, 8, 16, 16, 16, true, 65,", "ldmatrix m8n8 meets the banks 16 rows at once"),
        ("ws_isa_form", "2, 16, 16, 16, 8, 8, 8, false, 86,", "2, 8, 16, 16, 8, 8, 8, false, 86,", "m16n16 takes its rows from 8 lanes a matrix"),
        ("ws_isa_form", "1, 8, 8, 16, 4, 8, 16, true, 94,", "1, 8, 16, 16, 4, 8, 16, true, 94,", "s8.s4 reads rows of 16 bytes"),
        ("ws_op_has_foreign_fields", "op->size_bytes != 0 && !copies", "false", "an ldmatrix with a copy size is valid"),
        ("ws_text_add_choices", 'left == 1 ? " or " : ", "', 'left == 2 ? " or " : ", "', "a list of choices: or in the wrong place"),
        ("ws_op_say_why_not", "trans = form->trans == WS_TRANS_MUST;", "trans = form->trans != WS_TRANS_MUST;", "the reason says the opposite about .trans"),
        ("ws_rule_at", "&rules[index >= 0 &&", "&rules[index >= -1 &&", "a rule before the first"),
        ("ws_rule_at", "index < WS_RULE_COUNT ?", "index <= WS_RULE_COUNT ?", "one rule too many"),
        ("ws_profile_constant_at", "constant < WS_CONSTANT_COUNT ?", "constant <= WS_CONSTANT_COUNT ?", "cost: one constant too many"),
    ],
    "c/isa/test_legality.c": [
        ("ws_isa_form", "true, 94, WS_TARGETS_90A_AF100_UP", "true, 94, WS_TARGETS_AF100_UP", "s8.s4 is illegal on sm_90a"),
        ("ws_target_takes", ">= 100 && row->suffix != 0;", ">= 100;", "plain sm_100 takes m16n16"),
        ("ws_target", "WS_TARGET_FAMILY(120, 87, 87, 88,", "WS_TARGET_FAMILY(120, 87, 87, 87,", "sm_120f exists one version too early"),
        ("WS_MAX_REASONS", "WS_CTA_PTX = 78", "WS_CTA_PTX = 77", "::cta is legal in PTX 7.7"),
        ("ws_isa_form", "true, 78, WS_TARGETS_SM90_UP", "true, 78, WS_TARGETS_SM80_UP", "stmatrix is legal on sm_80"),
        ("ws_isa_form", "1, 0, 0, 8, 16, 16, 0, true, 78, WS_TARGETS_SM75_UP", "1, 0, 0, 8, 16, 16, 0, true, 77, WS_TARGETS_SM75_UP", "movmatrix in PTX 7.7"),
        ("ws_target", '{"sm_87", 87, 0, 74,', '{"sm_87", 87, 0, 73,', "sm_87 exists one version too early"),
        ("ws_target_exists_at", "ptx <= ws_target(target)->last_ptx;", "ptx < ws_target(target)->last_ptx;", "sm_101 is gone from PTX 8.8"),
        ("ws_ptx_exists", "last_minor[] = {5, 8, 8, 5}", "last_minor[] = {5, 8, 8, 4}", "PTX 9.5 does not exist"),
        ("ws_op_min_ptx_at", "return lowest <= ws_target(target", "return lowest < ws_target(target", "no form is legal on sm_101f"),
        ("ws_legality_of", "const bool old_enough = ptx >= ws_op_min_ptx(op);", "const bool old_enough = ptx >= ws_op_form(op)->min_ptx;", "::cta is legal in every version"),
    ],
    "c/lint/test_lint.c": [
        ("ws_ptx_string_end", "i += text[i] == '\\\\' ? 2 : 1;", "i++;", "lint: an escaped quote ends a string"),
        ("ws_names_family", "number < (uint32_t)name->count", "number <= (uint32_t)name->count", "lint: %r<4> declares %r4"),
        ("ws_declaration_cut", "initialiser = (initialiser && c != ',') || c == '=';", "initialiser = initialiser || c == '=';", "lint: an initialiser swallows the names behind it"),
        ("ws_declare_variables", "declared.type_length = vector ? 0 :", "declared.type_length =", "lint: a vector register is one of its elements"),
        ("ws_lint_end", "finding.column = at - place.line_begin + 1;", "finding.column = at - place.line_begin;", "lint: columns count from 0"),
        ("WS_ALIGNED_WMMA_PTX", "WS_ALIGNED_WMMA_PTX = 63", "WS_ALIGNED_WMMA_PTX = 62", "lint: wmma has .aligned in PTX 6.2"),
        ("ws_lint_judge", "words.cta && ptx < WS_CTA_PTX", "words.cta && ptx + 1 < WS_CTA_PTX", "lint: cp.async takes ::cta in PTX 7.7"),
        ("WS_ALIGNED_WMMA_PTX", "WS_WEAK_TARGET = 70", "WS_WEAK_TARGET = 60", "lint: .weak on sm_61"),
        ("ws_names_find", "while (base > 1 &&", "while (base + 1 > length &&", "lint: %r12 is no number 12"),
        ("ws_lint_go_beside", "if (type[0] == 'b') return true; return is_float", "return is_float", "lint: a constant beside a .b32 register"),
        ("ws_lint_offset", "value % unit == 0", "value % unit >= 0", "lint: no offset is out of alignment"),
        ("ws_lint_stride_value", "value > most) {", "value > most + 1) {", "lint: a stride of 2^31"),
        ("ws_lint_names_vector", "declared->space == WS_NAME_REG && declared->type_length == 0", "false", "lint: a vector register is a syntax error"),
        ("ws_lint_taken", "if (lint->text[whole.end - 1] != ';') {", "if (false) {", "lint: a semicolon may be missing"),
        ("ws_lint_data", "code[piece.begin] == '_') continue;", "false) continue;", "lint: _ is no name"),
        ("ws_lint_find", "check->names->registers > 0) {", "true) {", "lint: without declarations every name is undeclared"),
        ("ws_lint_open", "(storage->bucket_count & (storage->bucket_count - 1)) != 0", "false", "lint: any number of buckets will do"),
    ],
    "c/ptx/test_parse.c": [
        ("ws_error_clear", "error->column = WS_NO_COLUMN;", "error->column = 0;", "an error without a place points at the first byte"),
        ("ws_error_clear", "error->message[0] = '\\0';", "", "a call that succeeds leaves the last message"),
        ("ws_qualifier_copy_space", "if (global && had_shared && !q->cp_global) {", "if (global && !q->cp_global) {", "cp.async.global.shared parses"),
        ("ws_isa_form", ", WS_BIT(16)", ", WS_BIT(8) | WS_BIT(16)", "cp.async.cg copies 8 bytes"),
        ("ws_form_match", "form->trans != WS_TRANS_MAY &&", "form->trans == WS_TRANS_MUST &&", "ldmatrix.m8n16 takes .trans"),
        ("ws_text_add_bytes", "text->length + 1 < text->capacity", "text->length < text->capacity", "a text overruns its buffer by the zero"),
        ("ws_text_add_int", "value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value", "(uint64_t)value", "negative numbers are written as large ones"),
        ("ws_lex_integer", "kind == 'B' ? 2 : 8;", "kind == 'B' ? 2 : 10;", "octal constants are decimal"),
        ("ws_lex_skip_space", "if (ws_lex_at_end(cursor)) { ws_text", "if (false) { ws_text", "a comment may have no end"),
        ("ws_constant", "operation->binds + 1, &right", "operation->binds, &right", "8 - 4 - 2 is 6"),
        ("ws_constant_factor", "if (depth >= WS_MAX_NESTING)", "if (depth > WS_MAX_NESTING)", "constants nest a level deeper"),
        ("ws_constant_apply", "? a <= b : a", "? a < b : a", "2 <= 2 is 0"),
        ("ws_operand_address", "offset + UINT64_C(0x80000000) > UINT32_MAX", "offset + UINT64_C(0x80000000) >= UINT32_MAX", "an offset of 2^31 - 1 is too large"),
        ("ws_operand_vector", "(!load || sinks == elements)", "!load", "a load may drop all that it reads"),
        ("ws_operand_vector", "expected > 1 ? WS_ELEMENT_OR_CONSTANT : WS_ELEMENT_OR_FLOAT", "WS_ELEMENT_OR_CONSTANT", "a store of one register takes an integer in braces"),
        ("ws_parse_finish", "op->cache == WS_CACHE_CG ? 16 : 0;", "16;", "cp.async.ca without operands copies 16 bytes"),
        ("ws_op_write", "if (op->num > 0 && op->kind != WS_MOVMATRIX) {", "if (op->num > 0) {", "movmatrix is written with .x1"),
        ("ws_op_write", "if (op->vec > 1) {", "if (op->vec > 2) {", ".v2 is not written"),
        ("ws_parse_text", "found.kind != WS_KIND_NONE && !ws_op_equal(&found, &next)", "false", "of two instructions the last is taken"),
        ("ws_qualifier_is_unmodelled", "if (kind != WS_LD && kind != WS_ST) return false;", "", "what ldmatrix does not have is said to be not modelled"),
    ],
    "c/tile/test_layout.c": [
        ("ws_layout_matrix_lane", "int down = by_row ? matrix / 2 : matrix % 2,", "int down = by_row ? matrix % 2 : matrix / 2,", "matrices of a tile in the wrong order"),
    ],
    "c/tile/test_search.c": [
        ("ws_bit_move_avx512", "_mm512_set1_epi32(move->down & 31)", "_mm512_set1_epi32(move->down & 15)", "search: avx512 moves bits up by other distances"),
        ("ws_search_reject", "terms->max_bytes) return WS_SEARCH_BYTES;", "terms->max_bytes + 1) return WS_SEARCH_BYTES;", "search: one byte more than max_bytes is taken"),
        ("ws_search_banks", "*banks |= (uint32_t)from << 5 * (bit - 2);", "*banks |= (uint32_t)from;", "search: sources of different bank bits are mixed up"),
        ("ws_search_banks", "for (bit = 2; bit <= 6; bit++)", "for (bit = 2; bit <= 5; bit++)", "search: swizzles that differ in one bank bit cost the same"),
        ("ws_search_pareto", "if (here->bytes == least && here->bytes < before)", "if (here->bytes <= before)", "search: beaten layouts are in the Pareto set"),
        ("ws_search_reject", "return *bytes > shared ?", "return *bytes >= shared ?", "search: all the shared memory of a block is too much"),
        ("ws_bit_move_sse2", "for (i = 0; i < n; i += 4) {", "for (i = 0; i < n; i += 8) {", "search: sse2 moves every other four addresses"),
    ],
    "c/tile/test_tile.c": [
        ("ws_swizzle_apply", "offset >> (swizzle->base + down) & mask", "offset >> (swizzle->base + down + 1) & mask", "tile: a swizzle takes its bits one place too high"),
        ("ws_swizzle_apply", "return offset ^ from << (swizzle->base + up);", "return offset ^ from << swizzle->base;", "tile: a swizzle with S below 0 moves its bits onto themselves"),
        ("ws_swizzle_end", "(rest & ~low) - 1;", "rest;", "tile: the end of a swizzled image is missed"),
        ("ws_tile_unit", "if (++piece >= tiling->pieces) continue;", "++piece;", "tile: the last unit runs beyond the tile"),
        ("ws_tile_unit", ">col_major ? right : down) * rows", ">col_major ? down : right) * rows", "tile: the second matrix lies to the right"),
        ("ws_tiling_unit", "return step * tiling->warps + warp;", "return warp * tiling->steps + step;", "tile: every warp has units in a row"),
        ("ws_tile_swizzle_fits", "return harm == 0 || (harm & ws_tile_place_bits(layout, op)) == 0;", "return harm == 0;", "tile: a swizzle that moves nothing is illegal"),
        ("ws_tile_pitch_fits", "return ws_layout_runs(layout) == 1 ||", "return", "tile: one row has a pitch"),
        ("ws_copy_count", "address[0] / WS_COPY_LINE * WS_COPY_LINE;", "address[0];", "tile: copies moved by less than a line cost the same"),
        ("ws_tile_write_pitch", "pitch - below <= below + bytes - pitch", "pitch - below >= below + bytes - pitch", "tile: the farther pitch is named first"),
        ("ws_tile_find", "layout) > ws_profile_shared_bytes(profile", "layout) >= ws_profile_shared_bytes(profile", "tile: all the shared memory of a block is too much"),
    ],
    "c/time/test_cost.c": [
        ("ws_known_at", "{90, WS_LOAD_LATENCY, WS_BASIS_MEASURED, 21,", "{90, WS_LOAD_LATENCY, WS_BASIS_MEASURED, 22,", "cost: a load takes a cycle more"),
        ("ws_known_at", "{90, WS_MOVMATRIX_INTERVAL, WS_BASIS_MEASURED, 4.75,", "{90, WS_MOVMATRIX_INTERVAL, WS_BASIS_MEASURED, 4,", "cost: movmatrix as often as a load"),
        ("ws_cost_of_demand", "ws_max(demand.wavefronts, 1) + demand.arrival;", "ws_max(demand.wavefronts, 1);", "cost: .ca brings no lines"),
        ("ws_cost_of_demand", "(warps + partitions - 1) / partitions", "warps / partitions", "cost: the emptiest sub-partition bounds"),
        ("ws_demand_of", "WS_STORE_REGISTER_LATENCY) * (words - 1)", "WS_STORE_REGISTER_LATENCY) * words", "cost: the first register is counted, too"),
        ("ws_demand_of", "(double)(counts->ideal_wavefronts - 1)", "(double)counts->ideal_wavefronts", "cost: the first group is counted, too"),
        ("ws_program_add", "program->last.store && !demand->store ? waits", "false ? waits", "cost: a load passes a store"),
        ("ws_program_close", "program->after - (program->done - program->slowest)", "program->last.fixed", "cost: a program ends with the result of its last access"),
        ("ws_program_end", "(double)(program->warps - 2) : 0", "(double)(program->warps - 1) : 0", "cost: one warp starts at first"),
        ("ws_tile_cycles", "ws_program_last(&program, (double)own[steps - 1]);", "ws_program_last(&program, (double)own[0]);", "cost: a tile ends with its first access"),
        ("ws_tile_chain", "sum += wavefronts[i] > least ? wavefronts[i] : least;", "sum += wavefronts[i];", "cost: accesses of a tile need no turn"),
        ("ws_law_of", "counts->wavefronts >= 6", "counts->wavefronts >= 7", "cost: copies of 6 wavefronts are of another law"),
        ("ws_law_error", "profile->constant[i].basis == WS_BASIS_USER ||", "", "cost: errors are stated for constants of the user's own"),
        ("ws_profile_of", "pass == 0 && number != 90 ? (int)WS_BASIS_ASSUMED : (int)known->basis", "(int)known->basis", "cost: constants of the H200 are said to be measured on other targets"),
        ("ws_profile_count", "given >= 1 ? (int)given : 1;", "(int)given;", "cost: an SM without sub-partitions"),
    ],
    "c/time/test_mainloop.c": [
        ("ws_mainloop_check", "loop->stages >= WS_PIPELINE_GROUPS", "loop->stages > WS_PIPELINE_GROUPS", "a main loop of 16 stages is taken"),
        ("ws_mainloop_check", "loop->n % (16 * grid[1]) != 0 ||", "", "a main loop whose warps do not share N evenly is taken"),
        ("ws_mainloop_bound", "cost->cycles = ws_max(cost->cycles, cost->part[most]);", "", "cost: a main loop takes less than its busiest pipe has to do"),
        ("WS_PIPELINE_WARPS", "WS_PIPELINE_WARPS = 32", "WS_PIPELINE_WARPS = 31", "cost: no main loop of 32 warps"),
        ("ws_pipeline_busy_of", "WS_COPY_PATH) * 4 *", "WS_COPY_PATH) *", "cost: the path from L2 is busy for a line of four"),
        ("ws_pipeline_busy_of", "WS_MMA_INTERVAL) * mmas * fullest", "WS_MMA_INTERVAL) * mmas * work->warps", "cost: the tensor pipes of all sub-partitions are one"),
        ("ws_mainloop_cost_of", "(loop->stages > 1 ? loop->stages : 1)", "loop->stages", "cost: without a fill nothing lies in shared memory"),
        ("ws_mainloop_cost_of", "ws_target(profile->target)->number < 80", "ws_target(profile->target)->number < 75", "cost: cp.async on sm_75"),
        ("ws_pipeline_when", "return ws_max(when, warp->summed[m % WS_PIPELINE_SUMS]);", "return when;", "cost: an mma does not wait for its accumulator"),
        ("ws_pipeline_barrier", "+ i * ws_rate(sm, WS_BARRIER_INTERVAL)", "", "cost: a barrier lets all warps go at once"),
        ("ws_pipeline_barrier", "sm->barrier_last + ws_rate(sm, WS_BARRIER_LATENCY)", "sm->barrier_last", "cost: a barrier lets go at once"),
    ],
    "c/undefined/test_findings.c": [
        ("ws_cp_async_warp", "const bool lowest_last = op->cache == WS_CACHE_CG;", "const bool lowest_last = true;", "cp.async.ca: the lowest lane wins"),
        ("ws_st_warp", "for (lane = first + group - 1; lane >= first; lane--) {", "for (lane = first; lane < first + group; lane++) {", "st: the highest lane of a group wins"),
        ("ws_check_address", "ws_require(address % bytes != 0,", "ws_require(address % 8 != 0,", "rows aligned to 8 bytes pass"),
        ("ws_check_warp", "if (active == 0) return true;", "", "an empty mask is undefined"),
        ("ws_access_is_before_sm_80", "ws_target(access->target)->number <= 75;", "ws_target(access->target)->number <= 80;", "unused lanes matter on sm_80"),
        ("ws_hardware_places", "place[lane].address >= WS_SHARED_LIMIT;", "place[lane].address > WS_SHARED_LIMIT;", "2^24 itself is a shared address"),
        ("WS_MEASURED_SM", "WS_ALLOCATION_BYTES = 128", "WS_ALLOCATION_BYTES = 256", "allocations are rounded to 256 bytes"),
        ("ws_execute_range", "ws_op_writes_memory(op)) ws_zero_warp(op, of_warp);", "ws_op_writes_memory(op)) (void)of_warp;", "record keeps what out held"),
        ("ws_access_running", ", warp) & ~ws_access_exited(access, warp);", ", warp);", "exited lanes go on"),
        ("ws_check_address", "ws_require(source % bytes != 0", "ws_require(source % 4 != 0", "cp.async: sources need 4 bytes only"),
        ("ws_check_equal_destination", "if (op->cache != WS_CACHE_CG) return;", "", "cp.async.ca: equal destinations are a finding"),
        ("ws_check_qualifiers", "while (lowest < WS_LANES && !(running >> lowest & 1)) lowest++;", "", "lanes are compared with lane 0, which sleeps"),
        ("ws_hardware_places", "place[lane].address + bytes > limit", "place[lane].address + bytes >= limit", "the last row before the end of the allocation traps"),
        ("ws_check_range", "if (status != WS_OK) continue;", "", "the message is about the last warp, not the first"),
        ("ws_findings_add", "if (sink->count < sink->capacity) sink", "if (sink->count <= sink->capacity) sink", "a full sink is written to"),
        ("ws_finding_write", "finding->address / unit * unit + unit", "finding->address / unit * unit + 16", "the nearest aligned address is 16 bytes on"),
        ("ws_fault_is_stride", "fault <= WS_FAULT_STRIDE_FRAGMENT;", "fault < WS_FAULT_STRIDE_FRAGMENT;", "a stride off the fragment is an address"),
        ("ws_rule_at", "EQUAL_DESTINATIONS, WARNING,", "EQUAL_DESTINATIONS, ERROR,", "equal destinations of copies are an error"),
        ("ws_op_equal", "a->trans == b->trans &&", "true &&", "lanes that differ in .trans are alike"),
        ("ws_check_range", "ok[warp - first] = defined;", "ok[warp + first] = defined;", "verdicts of a part of the warps land behind it"),
    ],
    "explorer/test_explorer_links.py::test_link_of_a_search_has_its_best_layout": [
        ("fragment", "if state[key] != DEFAULTS[key]}", "if state[key]}", "explorer: links hold what is a default"),
    ],
    "explorer/test_explorer_server.py::test_server_answers_to_its_own_name_alone": [
        ("_answer", "not in self.server.names", "in self.server.names", "explorer: the server answers to other names"),
    ],
    "explorer/test_explorer_server.py::test_server_has_nothing_else": [
        ("_answer", "elif self.path not in PATHS:", "elif self.path in ():", "explorer: the server has the page everywhere"),
    ],
    "lint/test_lint.py": [
        ("ws_ptx_fold", "if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');", "", "lint: LD is no instruction of ours"),
        ("ws_lint_address_register", "ws_op_is_collective(check->op) && space == WS_SPACE_GENERIC &&", "space == WS_SPACE_GENERIC &&", "lint: a plain access warns of its generic address, too"),
        ("ws_names_find", "family->depth > best->depth", "family->depth >= best->depth + 99", "lint: an outer name hides an inner family"),
        ("ws_names_close", "names->registers -= name->declared.space == WS_NAME_REG;", "", "lint: registers of a closed scope still make names undeclared"),
        ("ws_ptx_statement_end", "if (code[at] == '}' && depth-- == 0) return at;", "", "lint: a statement goes on behind its scope"),
        ("ws_ptx_take_directive", "ws_names_open(&file->names); ws_declare_parameters", "ws_declare_parameters", "lint: a function's names stay declared behind it"),
        ("ws_lint_sort", "sink->findings[to - 1].at > moved.at", "sink->findings[to - 1].at < moved.at", "lint: findings of a statement in the wrong order"),
        ("ws_lint_fits", "return (ws_lint_is_integer(word[0]) && ws_lint_is_integer(type[0])) ||", "return", "lint: ld.u32 into .s32 is wrong"),
        ("ws_lint_space", "return is_source ? WS_SPACE_GLOBAL : WS_SPACE_SHARED;", "return WS_SPACE_SHARED;", "lint: the source of cp.async is in .shared"),
        ("ws_lint_is_other", "if (next != ':' && !ws_ptx_is_word(next)) return true;", "", "lint: cp.async.commit_group is a copy"),
        ("ws_lint_refused", "if (status == WS_NOT_MODELLED) return;", "", "lint: legal PTX that is not modelled is a finding"),
        ("ws_lint_take", "after - at > 9", "after - at > 8", "lint: movmatrix is no instruction of ours"),
    ],
    "lint/test_lint.py::test_constant_strides_follow_the_rules_of_execution": [
        ("ws_lint_stride_value", "fragment < 16 ? fragment : 16", "fragment", "lint: a stride must be whole fragments"),
    ],
    "model/test_contract.py": [
        ("_narrowed", "(given >= 0) & (narrow.astype(given.dtype) == given)", "(narrow.astype(given.dtype) == given)", "a negative address is a large one"),
        ("masks", "if least < 0 or most > FULL_MASK:", "if least < 0 or most > FULL_MASK + 1:", "a mask of 2^32"),
        ("strides", "if least < -(2**31) or", "if least < -(2**31) - 1 or", "a stride below -2^31"),
        ("apart", "if shares or not array.flags.aligned else array", "if not array.flags.aligned else array", "registers that share the memory that they are stored to"),
        ("count", "shaped[~defined] = 0", "pass", "warps that are undefined have counters"),
        ("values", "np.uint8(2**width - 1)", "np.uint8(2**width)", "values of 4 and 6 bits keep what is above them"),
    ],
    "model/test_legality_measured.py": [
        ("ws_isa_form", "WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 64, 70,", "WS_OPERANDS_AB, WS_LAYOUTS_BOTH, 64, 71,", "wmma f64 from PTX 7.1 on"),
        ("ws_isa_form", "8, 63, WS_TARGETS_SM72_UP", "8, 63, WS_TARGETS_SM70_UP", "wmma s8 is legal on sm_70"),
    ],
    "model/test_oracle.py": [
        ("ws_stream_make", "op->kind == WS_LD && where == WS_IN_SHARED && bytes >= 8", "where == WS_IN_SHARED && bytes >= 8", "stores and matrices merge, too"),
        ("ws_group_batch_add_merging", "d == 1 ? lane / 2 : lane / 4 * 2 + lane % 2", "lane / 2", "simd: loads that merge at distance 2 lose lanes"),
        ("ws_bulk_way_of", "(op->kind == WS_LDMATRIX && !old)", "op->kind == WS_LDMATRIX", "simd: unused lanes do not matter on sm_75"),
        ("ws_isa_form", "2, 16, 16, 16, 6, 8, 8, false, 86,", "2, 16, 16, 16, 6, 8, 8, true, 86,", "counters of m16n16 b6 are said to be measured"),
        ("ws_group_batch_add", "address[group >> lane & 1 ? first + lane : there]", "address[first + lane]", "simd: lanes that are not there count"),
    ],
    "model/test_oracle_wmma.py": [
        ("ws_wmma_is_transposed", "!(sm_75 && op->type == WS_TYPE_S32)", "true", "wmma on sm_75: s32 of m8n32k16 transposed"),
        ("ws_wmma_code_of", "code.units_per_access = bits == 16 && !code.sm_75 ? 4 : 2;", "code.units_per_access = code.sm_75 ? 2 : 4;", "wmma: s8 by LDSM.x4"),
        ("ws_wmma_stride_unit", "&& blocks <= 2 ? 2 : 1;", "? 2 : 1;", "wmma c: the stride is always halved"),
        ("ws_wmma_address_lane", "return 4 * across + lane / 4 / 2;", "return lane;", "wmma: MOVM does not change the lane that loads"),
        ("ws_wmma_store_warp", "for (lane = first + group - 1; lane >= first; lane--) {", "for (lane = first; lane < first + group; lane++) {", "wmma store: the highest lane wins"),
        ("ws_bulk_wmma_offset", "if (remark || !ws", "if (!ws", "simd: wmma strides pass without a remark"),
        ("ws_op_span_bytes", "= WS_LAYOUT_ROW ? ws_wmma_cols(op) : ws_wmma_rows(op)", "= WS_LAYOUT_ROW ? ws_wmma_rows(op) : ws_wmma_cols(op)", "wmma: bounds of a line along the wrong axis"),
        ("ws_wmma_pattern_make", "pattern->mask[pattern->accesses++] = mask;", "pattern->mask[pattern->accesses++] = UINT32_MAX;", "simd: wmma counts lanes that ask for nothing"),
        ("ws_wmma_pattern_make", "access.stride = &stride;", "", "simd: wmma is counted at the default stride"),
        ("ws_wmma_pieces_make", "ws_wmma_index_of(op, place) * bits / 8)", "ws_wmma_index_of(op, place) * bits / 16)", "simd: values of wmma lie half as far apart"),
        ("ws_wmma_value", ">> (value % per_register * bits);", ">> (value % per_register * 8);", "wmma store: the upper halves of registers"),
    ],
    "model/test_simd.py": [
        ("ws_first_lanes_meet", "0x0ff0", "0x00f0", "simd: loads that merge at distance 2 are not seen"),
        ("ws_count_narrow", "if (wide >> 32 != high) return false;", "", "counting: addresses 4 GiB apart are the same"),
        ("_reach", "rank + 1 > MOST_DIMS or", "", "binding: addresses of more axes than fit"),
        ("_apart", "return a + a_bytes <= b or b + b_bytes <= a", "return a + a_bytes <= b or b <= a", "binding: out may lie over the memory"),
    ],
    "model/test_simd.py::test_exited_lanes_are_counted_as_lanes_that_are_not_active": [
        ("ws_count_is_direct", "(access->exited == NULL || ws_op_is_collective(op));", "true;", "counting: exited lanes of ld count"),
    ],
    "model/test_simd.py::test_warps_of_wmma_are_in_a_batch_what_they_are_alone": [
        ("ws_bulk_execute", "if (bulk->way == WS_BULK_WMMA) checked = false;", "", "simd: wmma warps with a warning are left out"),
        ("ws_wmma_pieces_make", "(uint64_t)(lines - 1) * stride", "(uint64_t)(lines - 2) * stride", "simd: the last line of wmma is not checked"),
        ("ws_bulk_wmma_offset", "*offset <= bulk->image->nbytes - bulk->pieces.span_bytes", "*offset <= bulk->image->nbytes", "simd: wmma runs over the end of the memory"),
    ],
    "model/test_traffic_measured.py": [
        ("ws_count_inexact_range", "if (!ws_tag_banks_are_known(stream.address, stream.mask))", "if (false)", "wavefronts far apart in global memory are said to be exact"),
    ],
    "model/test_undefined_measured.py": [
        ("ws_hardware_outcome", "if (ws_op_is_collective(op) && exited != 0) return WS_OUTCOME_NOTHING;", "", "hardware: an exited lane is an inactive one"),
    ],
    "model/test_wmma_measured.py": [
        ("ws_wmma_stride_unit", "if (bits < 8) return (uint32_t)(32 / bits);", "if (bits < 8) return 1;", "wmma: s4 and b1 use all bits of the stride"),
        ("ws_count_wmma", "if (code.mode == WS_WMMA_TRANSPOSED) counts->wavefronts++;", "", "wmma: MOVM takes no wavefront"),
    ],
    "reports/test_escaping.py": [
        ("escaped", 'return escape(_NO_CHARACTER.sub("\\ufffd", text), quote=False)', "return escape(text, quote=False)", "a control character breaks a picture"),
    ],
    "reports/test_fragment_map.py": [
        ("holders", "if not 0 <= value <= limit:", "if not 0 <= value <= limit + 1:", "an element outside of the map"),
    ],
    "robust/test_hostile_files.py": [
        ("_identify", "if tables != TABLES:", "if False:", "a trigger in a checkpoint runs"),
    ],
    "robust/test_pickles.py": [
        ("restored", "if form > FORM:", "if False:", "a newer pickle is read as something else"),
    ],
    "robust/test_room.py": [
        ("make_sure", "limit is not None and need > limit[0]", "limit is not None and need >= limit[0]", "a batch that just fits is refused"),
    ],
    "sweep/test_checkpoint.py": [
        ("put", "INSERT OR IGNORE", "INSERT OR REPLACE", "a checkpoint's results change"),
        ("_identify", "if given != expected:", 'if what != "warpsim version" and given != expected:', "a checkpoint of another version is taken"),
        ("_refuse_other_files", "len(begin) < SMALLEST_PAGE_BYTES or not", "not", "a file of a few bytes is written over"),
    ],
    "sweep/test_fanout.py": [
        ("_fanned_out", "if rest := span[len(outcome.values) :]:", "if rest := span[len(outcome.values) + 1 :]:", "an item behind a cut is lost"),
        ("_fanned_out", "forgiven < MOST_FORGIVEN and _is_forgiven(future)", "_is_forgiven(future)", "an executor that always fails is asked for ever"),
    ],
    "tile/test_layout.py": [
        ("__post_init__", "abs(self.S) < self.B", "self.S < self.B", "no swizzle with S below 0"),
        ("__post_init__", "if self.M + self.B + abs(self.S) > 32:", "if self.M + self.B + abs(self.S) > 33:", "a swizzle of bit 32"),
        ("_places", "most >= limit", "most > limit", "a place outside of the matrix"),
    ],
    "tile/test_search.py": [
        ("ws_search_reject", ".op) || !ws_tile_swizzle_fits(layout, &side[1].op)) return WS_SEARCH_SWIZZLE", ".op)) return WS_SEARCH_SWIZZLE", "search: a swizzle may split the loads"),
        ("ws_search_banks", "if (op->cache == WS_CACHE_CG && move.down < 0 && (move.source & 127) != 0) return false;", "", "search: copies by .cg depend on banks alone"),
        ("ws_search_compare", "if ((p->bits != 0) != (q->bits != 0)) return p->bits == 0 ? -1 : 1;", "", "search: padding wins over no swizzle"),
        ("ws_search_compare", "return q->shift - p->shift;", "return p->shift - q->shift;", "search: S below 0 is the simpler one"),
        ("layout", "if b else None", "if m else None", "a layout of no swizzle"),
    ],
    "tile/test_tiles.py": [
        ("ws_tile_swizzle_fits", "if (source & (units - 1)) return false;", "", "tile: swizzles with source bits inside an access are legal"),
        ("ws_tile_source", "(piece < tiling->pieces ? piece : tiling->pieces - 1)", "piece", "tile: the last copies read behind the tile"),
    ],
    "time/test_cost.py": [
        ("ws_program_last", "program->last_second = program->last_most;", "", "cost: the second longest access drains"),
        ("ws_known_at", "{90, WS_STORE_LATENCY, WS_BASIS_MEASURED,", "{89, WS_STORE_LATENCY, WS_BASIS_MEASURED,", "cost: stores have no latency"),
    ],
    "time/test_mainloop.py": [
        ("ws_mainloop_loads", "const bool trans = is_b && loop->trans_b;", "const bool trans = false;", "cost: B as K x N is read as N x K"),
        ("ws_mainloop_copies", "if (piece < pieces) active |=", "active |=", "cost: the last copies are whole"),
    ],
}))  # fmt: skip

#: breaks that no test can see, each with the proof; only their place is checked
EQUIVALENT = list(rows({
    "": [
        ("ws_legality_add_existence_reason", "if (ptx > row->last_ptx) ws_text_add", "if (ptx >= row->last_ptx) ws_text_add", "a version at which a target does not exist is below its first or above its last one, so never the last"),
        ("ws_wmma_pieces_make", "uint64_t)bits / 8 + (uint64_t", "uint64_t)bits + (uint64_t", "eight times the room that is needed sends more warps the careful way, which gives the same answers"),
        ("ws_wmma_pieces_make", "i * together, code->sm_75)", "i * together, false)", "what is moved in bulk is never for sm_75"),
        ("ws_lint_stride_value", "value < fallback ||", "value <= fallback ||", "the default itself has returned a line above"),
        ("load16", "for (r = 0; r < 16; r++) row[1][r] = row[0][r];", "for (r = 0; r < 16; r++) row[1][r] = row[0][15 - r];", "one matrix has two registers: those that would come of row[1] are not dealt"),
        ("ws_profile_of", "for (pass = 0; pass < 2; pass++) {", "for (pass = 0; pass < 3; pass++) {", "the third pass over the rows of the target writes what the second one wrote"),
        ("ws_isa_find", "for (i = 1; i < WS_FORM_COUNT; i++) {", "for (i = 1; i <= WS_FORM_COUNT; i++) {", "beyond the last row the table gives row 0, which is no instruction and matches none"),
        ("ws_tile_deal", "warps < tiling->units ? warps : tiling->units", "warps <= tiling->units ? warps : tiling->units", "where they are equal, either is the smaller one"),
        ("ws_ptx_exists", "last_minor[] = {5, 8, 8, 5}", "last_minor[] = {5, 8, 8, 6}", "WS_LAST_PTX is 95"),
    ],
}))  # fmt: skip
