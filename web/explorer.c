/* The core of the page: a state comes in as lines (state.h), an answer goes out as JSON (json.h).
 *
 *     write the lines to input(); length = answer(count); read that many bytes of output()
 *
 * Everything is computed by the headers of csrc/include; this folder asks them and writes down what they say. */
#include "forms.h"
#include "remedy.h"
#include "sides.h"

enum { INPUT_BYTES = 1 << 17, OUTPUT_BYTES = 1 << 22 };

#define EXPORT(name) __attribute__((export_name(#name), used)) name

static char page_input[INPUT_BYTES], page_output[OUTPUT_BYTES];
static uint32_t page_elements[MOST_ELEMENTS]; /* the bit at which each element of the tile begins, [row][col] */

/* The compiler asks for these; there is no library. */
void *memset(void *to, int value, size_t count) {
    unsigned char *bytes = (unsigned char *)to;
    while (count-- > 0) *bytes++ = (unsigned char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *bytes = (unsigned char *)to;
    const unsigned char *other = (const unsigned char *)from;
    while (count-- > 0) *bytes++ = *other++;
    return to;
}

char *EXPORT(input)(void) { return page_input; }
size_t EXPORT(input_bytes)(void) { return INPUT_BYTES; }
char *EXPORT(output)(void) { return page_output; }
uint32_t *EXPORT(elements)(void) { return page_elements; }

/* What there is to choose from. */
size_t EXPORT(facts)(void) {
    ws_text out = ws_text_make(page_output, OUTPUT_BYTES);
    int i;
    json_open(&out, "{");
    JSON_FIELD(&out, "version", json_string(&out, ws_version()));
    json_key(&out, "targets");
    json_open(&out, "[");
    for (i = 0; i < WS_TARGET_COUNT; i++) json_string(&out, ws_target(i)->name);
    json_close(&out, "]");
    json_key(&out, "ptx");
    json_open(&out, "[");
    for (i = 10; i < 128; i++) {
        char name[4] = {(char)('0' + i / 10), '.', (char)('0' + i % 10), '\0'};
        if (i < 100 && ws_ptx_find(name) == i) json_int(&out, i);
    }
    json_close(&out, "]");
    json_key(&out, "forms");
    json_open(&out, "[");
    forms_write(&out, WS_NO_TARGET, 0);
    json_close(&out, "]");
    json_close(&out, "}");
    return out.length;
}

typedef struct page_state {
    ws_op op;
    tile_state tile;
    int target, ptx, warps;
    uint64_t address[WS_LANES];
    uint32_t stride;
    bool shows_fill, in_tile; /* the addresses are those of the tile */
} page_state;

/* 32 addresses, or p alone for wmma, between spaces or commas; false, with the error, if they are none. */
static bool read_addresses(state_value list, page_state *state) {
    int count = 0, lane;
    size_t at = 0, end;
    while (at < list.count) {
        int64_t number;
        for (end = at; end < list.count && list.bytes[end] != ' ' && list.bytes[end] != ','; end++) {
        }
        if (end > at) {
            if (count == WS_LANES || !state_number(list.bytes + at, end - at, &number) || number < 0) break;
            state->address[count++] = (uint64_t)number;
        }
        at = end + 1;
    }
    if (at < list.count || (count != WS_LANES && !(count == 1 && ws_op_is_wmma(&state->op)))) {
        tile_wrong(&state->tile, "addresses",
                   "32 numbers from 0, one a lane (wmma: one, p), or an expression such as lane * 16", 0, -1);
        return false;
    }
    for (lane = count; lane < WS_LANES; lane++) state->address[lane] = state->address[0];
    return true;
}

static void write_error(ws_text *out, const char *what, const ws_error *error) {
    json_key(out, what);
    json_open(out, "{");
    JSON_FIELD(out, "message", json_string(out, error->message));
    JSON_FIELD(out, "column", json_int(out, error->column));
    JSON_FIELD(out, "length", json_int(out, error->length));
    json_close(out, "}");
}

/* Banks, counters, cost, findings and remedy of the addresses; `fill`: what fills the tile, or NULL. */
static void write_access(ws_text *out, const page_state *state, const ws_op *fill, const ws_profile *profile) {
    static uint32_t narrow[WS_LANES];
    const bool has_it = ws_op_min_ptx_at(&state->op, state->target) != 0;
    const int target = has_it ? state->target : WS_NO_TARGET;
    const ws_access access = remedy_access(&state->op, state->address, narrow, &state->stride, target);
    const ws_counts counts = answer_access(out, &state->op, &access, tile_origin(&state->op));
    if (ws_op_is_wmma(&state->op)) {
        JSON_FIELD(out, "stride", json_int(out, (int64_t)state->stride));
    }
    if (has_it) answer_cost(out, &state->op, &access, &counts, profile, state->warps);
    if (state->op.kind == WS_MOVMATRIX) return;
    answer_findings(out, &state->op, &access, state->in_tile ? &state->tile.layout : NULL);
    if (state->in_tile) remedy_write(out, &state->tile, &state->op, fill, target, &counts);
}

static void write_tile(ws_text *out, page_state *state, const char *lines, size_t length, const ws_profile *profile) {
    ws_layout *layout = &state->tile.layout;
    const state_value fill = state_find(lines, length, "fill");
    ws_op store;
    ws_error error;
    int64_t row, col;
    json_key(out, "tile");
    json_open(out, "{");
    if (state->tile.error[0] != '\0') {
        JSON_FIELD(out, "error", json_string(out, state->tile.error));
    }
    if (!state->tile.is_layout) {
        json_close(out, "}");
        return;
    }
    JSON_FIELD(out, "rows", json_int(out, layout->rows));
    JSON_FIELD(out, "cols", json_int(out, layout->cols));
    JSON_FIELD(out, "element_bits", json_int(out, layout->element_bits));
    JSON_FIELD(out, "pitch", json_int(out, ws_layout_pitch_bytes(layout)));
    JSON_FIELD(out, "bytes", json_int(out, ws_layout_nbytes(layout)));
    for (row = 0; row < layout->rows; row++) {
        for (col = 0; col < layout->cols; col++)
            page_elements[row * layout->cols + col] = (uint32_t)ws_layout_bit(layout, row, col);
    }
    if (fill.bytes != NULL && fill.count > 0 && ws_parse_text(fill.bytes, fill.count, &store, &error) != WS_OK) {
        write_error(out, "fill_error", &error);
    } else if (fill.bytes != NULL && fill.count > 0) {
        const bool fills = sides_side(out, false, layout, &store, profile, state->warps, state->shows_fill);
        const bool reads = sides_side(out, true, layout, &state->op, profile, state->warps, false);
        if (fills && reads) sides_findings(out, layout, &store, &state->op, profile);
    }
    json_close(out, "}");
}

static void read_target(page_state *state, const char *lines, size_t length) {
    char name[16];
    state->target =
        state_copy(state_find(lines, length, "target"), name, sizeof name) ? ws_target_find(name) : WS_NO_TARGET;
    if (state->target == WS_NO_TARGET) state->target = ws_target_find("sm_90");
    state->ptx = state_copy(state_find(lines, length, "version"), name, sizeof name) ? ws_ptx_find(name) : 0;
    if (state->ptx == 0) state->ptx = ws_target_newest_ptx(state->target);
}

static void read_warps(page_state *state, const char *lines, size_t length) {
    state->warps = (int)tile_number(lines, length, &state->tile, "warps", 1, 1, WS_TILE_MAX_WARPS);
}

/* The instructions that are legal on the target of input(). */
size_t EXPORT(forms)(size_t length) {
    static page_state state;
    ws_text out = ws_text_make(page_output, OUTPUT_BYTES);
    read_target(&state, page_input, length);
    json_open(&out, "[");
    forms_write(&out, state.target, state.ptx);
    json_close(&out, "]");
    return out.length;
}

/* Addresses, and wmma's stride: those of the lists where they are given, else those of the tile. */
static bool place(page_state *state, const char *lines, size_t length) {
    const state_value list = state_find(lines, length, "addresses"), stride = state_find(lines, length, "stride");
    const bool is_list = list.bytes != NULL && list.count > 0, is_wmma = ws_op_is_wmma(&state->op);
    state->stride = 0;
    state->in_tile = !is_list;
    if (is_wmma && stride.bytes != NULL && stride.count > 0) {
        state->stride = (uint32_t)tile_number(lines, length, &state->tile, "stride", 0, INT32_MIN, INT32_MAX);
    } else if (is_wmma) {
        state->stride = is_list ? ws_wmma_default_stride(&state->op) : tile_stride(&state->tile, &state->op);
    }
    if (state->op.kind == WS_MOVMATRIX) return true;
    return is_list ? read_addresses(list, state) : tile_addresses(&state->tile, &state->op, state->address);
}

/* The answer to the lines in input(); how many bytes of output() it has. */
size_t EXPORT(answer)(size_t length) {
    ws_text out = ws_text_make(page_output, OUTPUT_BYTES);
    const char *lines = page_input;
    static page_state state;
    state_value text, fill;
    ws_profile profile;
    ws_error error;
    ws_op store;
    bool fills;
    if (length > INPUT_BYTES) length = INPUT_BYTES;
    text = state_find(lines, length, "op");
    read_target(&state, lines, length);
    tile_read(lines, length, &state.tile);
    read_warps(&state, lines, length);
    state.shows_fill = state_is(lines, length, "side", "fill");
    profile = ws_profile_of(state.target);
    json_open(&out, "{");
    if (text.bytes == NULL || ws_parse_text(text.bytes, text.count, &state.op, &error) != WS_OK) {
        if (text.bytes == NULL) ws_error_set(&error, WS_SYNTAX, "op: expected an instruction");
        write_error(&out, "error", &error);
        json_close(&out, "}");
        return out.length;
    }
    answer_op(&out, &state.op);
    answer_legality(&out, &state.op, state.target, state.ptx);
    answer_fragment(&out, &state.op);
    places_write_row(&out, &state.op);
    fill = state_find(lines, length, "fill");
    fills = fill.bytes != NULL && ws_parse_text(fill.bytes, fill.count, &store, &error) == WS_OK &&
            ws_tile_side_takes(WS_TILE_STORE, &store);
    if (place(&state, lines, length)) write_access(&out, &state, fills ? &store : NULL, &profile);
    write_tile(&out, &state, lines, length, &profile);
    json_close(&out, "}");
    return out.wanted > out.length ? 0 : out.length;
}

/* Why the target has no such instruction, if it has none. */
static ws_status lacking(const ws_op *op, int target, ws_error *error) {
    ws_legality found;
    if (ws_op_min_ptx_at(op, target) != 0) return WS_OK;
    found = ws_legality_of(op, target, ws_target_newest_ptx(target));
    return ws_error_set(error, WS_UNSUPPORTED, found.reasons[0]);
}

/* The search over the tile of input(), with `fill` and `op`; the rows as pad, B, M, S, wavefronts of both sides, bytes, cycles. */
size_t EXPORT(search)(size_t length) {
    static page_state state;
    ws_text out = ws_text_make(page_output, OUTPUT_BYTES);
    const char *lines = page_input;
    const state_value text = state_find(lines, length, "op"), fill = state_find(lines, length, "fill");
    ws_search_terms terms;
    ws_profile profile;
    ws_tiling tiling;
    ws_error error;
    ws_op store;
    size_t n = 0, kept, front, i;
    ws_status status;
    read_target(&state, lines, length);
    tile_read_size(lines, length, &state.tile);
    read_warps(&state, lines, length);
    profile = ws_profile_of(state.target);
    status = ws_parse_text(text.bytes, text.count, &state.op, &error);
    if (status == WS_OK) status = ws_parse_text(fill.bytes, fill.count, &store, &error);
    if (status == WS_OK && state.tile.error[0] != '\0')
        status = ws_error_set(&error, WS_INVALID_ARGUMENT, state.tile.error);
    if (status == WS_OK &&
        !(ws_tile_side_takes(WS_TILE_STORE, &store) && ws_tile_side_takes(WS_TILE_LOAD, &state.op))) {
        ws_text words = ws_error_text(&error);
        ws_text_add(&words, "a search needs ");
        ws_text_add_tile_kinds(&words, WS_TILE_STORE);
        ws_text_add(&words, " to fill shared memory, and ");
        ws_text_add_tile_kinds(&words, WS_TILE_LOAD);
        ws_text_add(&words, " to read it");
        status = WS_INVALID_ARGUMENT;
    }
    if (status == WS_OK) status = lacking(&store, state.target, &error);
    if (status == WS_OK) status = lacking(&state.op, state.target, &error);
    if (status == WS_OK) status = ws_tile_cover(&state.tile.layout, &store, state.warps, &tiling, &error);
    if (status == WS_OK) status = ws_tile_cover(&state.tile.layout, &state.op, state.warps, &tiling, &error);
    if (status == WS_OK) {
        terms = ws_search_terms_make(&store, &state.op, state.warps, &profile);
        n = ws_search_candidates(&state.tile.layout, candidates, MOST_CANDIDATES);
        if (n > MOST_CANDIDATES) n = MOST_CANDIDATES;
        if (ws_search_words(candidates, n, &terms) > SEARCH_WORDS)
            status = ws_error_set(&error, WS_INVALID_ARGUMENT, "rows, cols: the tile is too large to be searched here");
        else status = ws_search(candidates, n, &terms, search_storage, search_rows, &error);
    }
    json_open(&out, "{");
    if (status != WS_OK) {
        JSON_FIELD(&out, "error", json_string(&out, error.message));
        json_close(&out, "}");
        return out.length;
    }
    kept = ws_search_rank(candidates, search_rows, n, search_order, search_order + MOST_CANDIDATES);
    front = ws_search_pareto(search_rows, search_order, kept, search_front);
    JSON_FIELD(&out, "candidates", json_int(&out, (int64_t)n));
    JSON_FIELD(&out, "counted", json_int(&out, (int64_t)kept));
    json_key(&out, "best");
    json_open(&out, "[");
    for (i = 0; i < kept; i++) sides_row(&out, search_order[i]);
    json_close(&out, "]");
    json_key(&out, "pareto");
    json_open(&out, "[");
    for (i = 0; i < front; i++) sides_row(&out, search_order[search_front[i]]);
    json_close(&out, "]");
    json_close(&out, "}");
    return out.wanted > out.length ? 0 : out.length;
}
