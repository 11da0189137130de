/* At which bit of shared memory each value of each lane begins: what joins the tile and the registers. */
#ifndef WARPSIM_WEB_PLACES_H
#define WARPSIM_WEB_PLACES_H

#include "json.h"

enum { ROW_BYTES = 16, ROW_BITS = 8 * ROW_BYTES };

/* Where the bits of a packed row land: [bit] -> a bit set of (element, bit of its byte), as the core itself moves a row of one bit. */
typedef struct packed_row {
    uint64_t landed[ROW_BITS][2]; /* bits of the 16 bytes in registers */
    int first[WS_ROW_ELEMENTS];   /* the bit of the row at which an element begins */
    int width;                    /* bits of an element */
} packed_row;

static inline bool places_is_packed(const ws_op *op) { return ws_op_form(op)->packing != WS_ROWS_PLAIN; }

static inline void places_row(const ws_op *op, packed_row *made) {
    int bit, i;
    made->width = 0;
    for (i = 0; i < WS_ROW_ELEMENTS; i++) made->first[i] = -1;
    for (bit = 0; bit < ROW_BITS; bit++) {
        uint8_t packed[WS_ROW_ELEMENTS] = {0}, row[WS_ROW_ELEMENTS];
        made->landed[bit][0] = made->landed[bit][1] = 0;
        if (bit >= 8 * ws_op_access_bytes(op)) continue;
        packed[bit / 8] = (uint8_t)(1 << bit % 8);
        ws_rows_unpack_one(ws_op_form(op)->packing, packed, row);
        for (i = 0; i < WS_ROW_ELEMENTS; i++) {
            made->landed[bit][i / 8] |= (uint64_t)row[i] << 8 * (i % 8);
            if (row[i] != 0 && made->first[i] < 0) made->first[i] = bit;
            made->width += row[i] != 0 && i == 0;
        }
    }
}

/* Bits in memory of one value of the op. */
static inline int places_width(const ws_op *op, const packed_row *row) {
    if (op->kind == WS_CP_ASYNC) return 8 * op->size_bytes;
    if (!ws_op_is_collective(op) || ws_op_is_wmma(op)) return ws_type_bits(op->type);
    return places_is_packed(op) ? row->width : 8 * ws_op_access_bytes(op) / ws_op_form(op)->row_elements;
}

static inline int places_values(const ws_op *op) {
    if (op->kind == WS_CP_ASYNC) return 1;
    return ws_op_is_collective(op) ? ws_op_num_registers(op) * ws_op_fields(op) : ws_op_num_registers(op);
}

static inline int64_t places_of(const ws_op *op, const ws_access *access, const packed_row *row, int lane, int value,
                                int width) {
    ws_element element;
    if (!ws_op_is_collective(op)) return (int64_t)ws_access_address(access, 0, lane) * 8 + value * width;
    element = ws_fragment_element(op, lane, value / ws_op_fields(op), value % ws_op_fields(op));
    if (ws_op_is_wmma(op)) {
        const ws_wmma_code code = ws_wmma_code_of(op, access->target);
        const ws_place_in_matrix place = {element.row, element.column};
        const int from = ws_wmma_address_lane(&code, lane, value);
        const uint32_t stride = ws_access_stride(access, 0, from, ws_wmma_default_stride(op));
        const uint64_t bits = ws_wmma_line_bits(op, &code, stride, ws_wmma_line_of(op, place));
        return (int64_t)(ws_access_address(access, 0, from) * 8 + bits) + ws_wmma_index_of(op, place) * width;
    }
    return (int64_t)ws_access_address(access, 0, element.matrix * ws_op_form(op)->rows + element.row) * 8 +
           (places_is_packed(op) ? row->first[element.column] : element.column * width);
}

/* "bits" of each value and "at": [lane][value], counted from `origin`. */
static inline void places_write(ws_text *out, const ws_op *op, const ws_access *access, uint64_t origin) {
    packed_row row;
    int lane, value, width;
    places_row(op, &row);
    width = places_width(op, &row);
    json_key(out, "places");
    json_open(out, "{");
    JSON_FIELD(out, "bits", json_int(out, width));
    json_key(out, "at");
    json_open(out, "[");
    for (lane = 0; lane < WS_LANES; lane++) {
        for (value = 0; value < places_values(op); value++)
            json_int(out, places_of(op, access, &row, lane, value, width) - 8 * (int64_t)origin);
    }
    json_close(out, "]");
    json_close(out, "}");
}

/* A packed row: for each of its bits the (element, bit) pairs that it lands in; null of other types. */
static inline void places_write_row(ws_text *out, const ws_op *op) {
    packed_row row;
    int bit, i;
    json_key(out, "row");
    if (!places_is_packed(op)) {
        json_null(out);
        return;
    }
    places_row(op, &row);
    json_open(out, "{");
    JSON_FIELD(out, "bytes", json_int(out, ws_op_access_bytes(op)));
    JSON_FIELD(out, "elements", json_int(out, WS_ROW_ELEMENTS));
    json_key(out, "bits");
    json_open(out, "[");
    for (bit = 0; bit < 8 * ws_op_access_bytes(op); bit++) {
        json_open(out, "[");
        for (i = 0; i < ROW_BITS; i++) {
            if (!(row.landed[bit][i / 64] >> i % 64 & 1)) continue;
            json_open(out, "[");
            json_int(out, i / 8);
            json_int(out, i % 8);
            json_close(out, "]");
        }
        json_close(out, "]");
    }
    json_close(out, "]");
    json_close(out, "}");
}

#endif
