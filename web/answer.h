/* The parts of an answer: each writes one field of the JSON object, from what a header of the core says. */
#ifndef WARPSIM_WEB_ANSWER_H
#define WARPSIM_WEB_ANSWER_H

#include "places.h"
#include "tile.h"

enum { MOST_FINDINGS = 256 };

static inline void answer_op(ws_text *out, const ws_op *op) {
    char bytes[160];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    ws_op_write(op, &text);
    json_key(out, "op");
    json_open(out, "{");
    JSON_FIELD(out, "ptx", json_string(out, bytes));
    JSON_FIELD(out, "kind", json_string(out, ws_kind_word(op->kind)));
    JSON_FIELD(out, "shape", json_string(out, ws_shape_word(op->shape)));
    JSON_FIELD(out, "type", json_string(out, ws_type_word(op->type)));
    JSON_FIELD(out, "space", json_string(out, ws_space_word(op->space)));
    JSON_FIELD(out, "num", json_int(out, op->num));
    JSON_FIELD(out, "trans", json_bool(out, op->trans != 0));
    JSON_FIELD(out, "registers", json_int(out, ws_op_num_registers(op)));
    JSON_FIELD(out, "register_bits", json_int(out, ws_op_register_bits(op)));
    JSON_FIELD(out, "row_lanes",
               json_int(out, ws_op_is_wmma(op) || op->kind == WS_MOVMATRIX ? 0 : ws_op_row_lanes(op)));
    JSON_FIELD(out, "rows", json_int(out, ws_op_is_collective(op) && !ws_op_is_wmma(op) ? ws_op_form(op)->rows : 0));
    JSON_FIELD(out, "row_elements", json_int(out, ws_op_form(op)->row_elements));
    JSON_FIELD(out, "access_bytes", json_int(out, op->kind == WS_MOVMATRIX ? 0 : ws_op_access_bytes(op)));
    JSON_FIELD(out, "wmma", json_bool(out, ws_op_is_wmma(op)));
    json_close(out, "}");
}

static inline void answer_legality(ws_text *out, const ws_op *op, int target, int ptx) {
    const ws_legality found = ws_legality_of(op, target, ptx);
    int i;
    json_key(out, "legality");
    json_open(out, "{");
    JSON_FIELD(out, "ok", json_bool(out, found.ok));
    JSON_FIELD(out, "ptx", json_int(out, ptx));
    JSON_FIELD(out, "min_ptx", json_int(out, found.min_ptx));
    json_key(out, "reasons");
    json_open(out, "[");
    for (i = 0; i < found.reason_count; i++) json_string(out, found.reasons[i]);
    json_close(out, "]");
    json_key(out, "targets");
    json_open(out, "[");
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (found.targets >> i & 1) json_string(out, ws_target(i)->name);
    }
    json_close(out, "]");
    json_close(out, "}");
}

/* [lane][register][field] -> matrix, row, column, flat. */
static inline void answer_fragment(ws_text *out, const ws_op *op) {
    int lane, reg, field;
    json_key(out, "fragment");
    if (!ws_op_is_collective(op)) {
        json_null(out);
        return;
    }
    json_open(out, "{");
    JSON_FIELD(out, "fields", json_int(out, ws_op_fields(op)));
    json_key(out, "elements");
    json_open(out, "[");
    for (lane = 0; lane < WS_LANES; lane++) {
        for (reg = 0; reg < ws_op_num_registers(op); reg++) {
            for (field = 0; field < ws_op_fields(op); field++) {
                const ws_element element = ws_fragment_element(op, lane, reg, field);
                json_int(out, element.matrix);
                json_int(out, element.row);
                json_int(out, element.column);
            }
        }
    }
    json_close(out, "]");
    json_close(out, "}");
}

static inline void answer_counts(ws_text *out, const ws_counts *counts) {
    json_open(out, "{");
    JSON_FIELD(out, "instructions", json_int(out, (int64_t)counts->instructions));
    JSON_FIELD(out, "requests", json_int(out, (int64_t)counts->requests));
    JSON_FIELD(out, "wavefronts", json_int(out, (int64_t)counts->wavefronts));
    JSON_FIELD(out, "ideal_wavefronts", json_int(out, (int64_t)counts->ideal_wavefronts));
    JSON_FIELD(out, "bank_conflicts", json_int(out, (int64_t)counts->bank_conflicts));
    JSON_FIELD(out, "sectors", json_int(out, (int64_t)counts->sectors));
    json_close(out, "}");
}

/* Cells as group, lane, bank, pass, word, flat; "wavefronts": of each group. */
static inline void answer_cells(ws_text *out, const ws_op *op, const ws_access *access) {
    static ws_bank_cells cells;
    int i;
    ws_explain_warp(op, access, 0, &cells);
    json_key(out, "banks");
    json_open(out, "{");
    json_key(out, "wavefronts");
    json_open(out, "[");
    for (i = 0; i < cells.groups; i++) json_int(out, cells.group_wavefronts[i]);
    json_close(out, "]");
    json_key(out, "cells");
    json_open(out, "[");
    for (i = 0; i < cells.cells; i++) {
        json_int(out, cells.cell[i].group);
        json_int(out, cells.cell[i].lane);
        json_int(out, cells.cell[i].bank);
        json_int(out, cells.cell[i].pass);
        json_int(out, (int64_t)cells.cell[i].word);
    }
    json_close(out, "]");
    json_close(out, "}");
}

static inline void answer_cost(ws_text *out, const ws_op *op, const ws_access *access, const ws_counts *counts,
                               const ws_profile *profile, int warps) {
    const ws_asked asked = ws_asked_of(op, access, 0);
    const ws_cost cost = ws_cost_of_demand(ws_demand_at(op, counts, &asked, profile), profile, warps);
    const double latency_error = ws_law_error(ws_law_of(op, &asked, warps, WS_LATENCY), profile);
    const double interval_error = ws_law_error(ws_law_of(op, &asked, warps, WS_INTERVAL), profile);
    json_key(out, "cost");
    json_open(out, "{");
    JSON_FIELD(out, "latency", json_double(out, cost.latency));
    JSON_FIELD(out, "interval", json_double(out, cost.interval));
    JSON_FIELD(out, "bound", json_string(out, ws_bound_word(cost.bound)));
    JSON_FIELD(out, "error", json_double(out, ws_max(latency_error, interval_error)));
    JSON_FIELD(out, "latency_error", json_double(out, latency_error));
    JSON_FIELD(out, "interval_error", json_double(out, interval_error));
    json_close(out, "}");
}

/* What one warp's access does: its addresses, counters, banks, and where its values lie from `origin` on. */
static inline ws_counts answer_access(ws_text *out, const ws_op *op, const ws_access *access, uint64_t origin) {
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    int lane;
    (void)ws_count(op, access, &counts, NULL);
    json_key(out, "addresses");
    json_open(out, "[");
    for (lane = 0; lane < WS_LANES && op->kind != WS_MOVMATRIX; lane++)
        json_int(out, (int64_t)ws_access_address(access, 0, lane));
    json_close(out, "]");
    JSON_FIELD(out, "origin", json_int(out, (int64_t)origin));
    JSON_FIELD(out, "traffic", answer_counts(out, &counts));
    answer_cells(out, op, access);
    if (op->kind != WS_MOVMATRIX) places_write(out, op, access, origin);
    return counts;
}

/* What is undefined in a block that has all the shared memory that it can have; `layout`: the tile of the addresses, or NULL. */
static inline void answer_findings(ws_text *out, const ws_op *op, const ws_access *access, const ws_layout *layout) {
    static ws_finding items[MOST_FINDINGS];
    ws_findings sink = {items, MOST_FINDINGS, 0};
    const ws_memory memory = ws_report_findings(op, access, &sink);
    size_t i;
    json_key(out, "findings");
    json_open(out, "[");
    for (i = 0; i < sink.count && i < MOST_FINDINGS; i++) {
        const ws_rule *rule = ws_rule_at(items[i].rule);
        char bytes[400], fix[400];
        ws_text text = ws_text_make(bytes, sizeof bytes), fix_text = ws_text_make(fix, sizeof fix);
        ws_finding_write(op, &memory, &items[i], &text);
        ws_report_fix(op, &items[i], layout, &fix_text);
        json_open(out, "{");
        JSON_FIELD(out, "rule", json_string(out, rule->id));
        JSON_FIELD(out, "severity", json_string(out, ws_severity_word(rule->severity)));
        JSON_FIELD(out, "lane", json_int(out, items[i].lane));
        JSON_FIELD(out, "message", json_string(out, bytes));
        JSON_FIELD(out, "fix", json_string(out, fix));
        json_close(out, "}");
    }
    json_close(out, "]");
}

#endif
