/* Loads and stores of all lanes in one range of memory, for one level: included by level_block.h.
 *
 * Most accesses name a stretch: lane after lane, without gaps, or one address for all. Those take one check and no address
 * of a lane. For the others the offset of each lane is made here. What the range cannot serve is left to the caller. */

#include "../base/bytes.h"
#include "../base/mask.h"

#define WS_EACH_LANE                                                                                                   \
    WS_LANES_INDEPENDENT                                                                                               \
    for (lane = 0; lane < WS_LANES; lane++)

/* How far apart the addresses of all lanes are: 0, the bytes of an access, or -1: in some other way. */
WS_AT_LEVEL int WS_LEVEL(ws_stride)(const uint32_t *low, const ws_range *range) {
    const uint32_t *const high = low + WS_LANES, first = low[0], stride = low[1] - first;
    uint32_t other = 0;
    int lane;
    if (stride != 0 && stride != range->whole) return -1;
    for (lane = 0; lane < WS_LANES; lane++) other |= (low[lane] - first) ^ ((uint32_t)lane * stride);
    for (lane = 0; lane < WS_LANES && !range->is_narrow; lane++) other |= high[lane] ^ high[0];
    return other == 0 && (range->is_narrow || first <= UINT32_MAX - 31 * stride) ? (int)stride : -1;
}

/* The stretch that all lanes name, or NULL. Words of it go to at most four rows: row[0] is a lane's first. */
WS_AT_LEVEL uint8_t *WS_LEVEL(ws_stretch)(ws_lanes *lanes, const ws_step *step, const ws_range *range, int *stride,
                                          uint32_t *row[4]) {
    const uint32_t words = range->whole < 4 ? 1 : range->whole / 4, each = words / step->count;
    uint32_t i;
    if (each == 0 || words > 4 || (range->at & (range->whole - 1)) != 0) return NULL;
    *stride = WS_LEVEL(ws_stride)(ws_row(lanes, step->s[0]), range);
    if (*stride < 0 || range->nbytes - range->at < 31 * (uint64_t)*stride + range->whole) return NULL;
    for (i = 0; i < words; i++) {
        const uint32_t reference = lanes->list[step->list + i / each];
        row[i] = reference == WS_NONE ? lanes->aside : ws_row(lanes, reference) + (size_t)(i % each) * WS_LANES;
    }
    return range->bytes + range->at;
}

/* A load of all lanes; false, and nothing is done: they do not name a stretch. */
WS_OF_LEVEL WS_TARGET bool WS_LEVEL(ws_stretch_load)(ws_lanes *lanes, const ws_step *step, const ws_range *range) {
    uint32_t *row[4] = {NULL, NULL, NULL, NULL}, i;
    int lane, stride;
    const uint8_t *const bytes = WS_LEVEL(ws_stretch)(lanes, step, range, &stride, row);
    if (bytes == NULL || (stride == 0 && range->whole < 4)) return false;
    if (stride == 0) {
        for (i = 0; i < range->whole / 4; i++) {
            const uint32_t value = ws_load_u32(bytes + 4 * i);
            WS_EACH_LANE row[i][lane] = value;
        }
    } else if (stride == 1) {
        WS_EACH_LANE row[0][lane] = (bytes[lane] ^ range->sign) - range->sign;
    } else if (stride == 2) {
        WS_EACH_LANE row[0][lane] = (ws_load_u16(bytes + 2 * lane) ^ range->sign) - range->sign;
    } else if (stride == 4) {
        WS_EACH_LANE row[0][lane] = ws_load_u32(bytes + 4 * lane);
    } else if (stride == 8) {
        WS_EACH_LANE {
            row[0][lane] = ws_load_u32(bytes + 8 * lane);
            row[1][lane] = ws_load_u32(bytes + 8 * lane + 4);
        }
    } else {
        WS_EACH_LANE {
            row[0][lane] = ws_load_u32(bytes + 16 * lane);
            row[1][lane] = ws_load_u32(bytes + 16 * lane + 4);
            row[2][lane] = ws_load_u32(bytes + 16 * lane + 8);
            row[3][lane] = ws_load_u32(bytes + 16 * lane + 12);
        }
    }
    return true;
}

/* A store of all lanes, to different places. */
WS_OF_LEVEL WS_TARGET bool WS_LEVEL(ws_stretch_store)(ws_lanes *lanes, const ws_step *step, const ws_range *range) {
    uint32_t *row[4] = {NULL, NULL, NULL, NULL};
    int lane, stride = 0;
    uint8_t *const bytes = WS_LEVEL(ws_stretch)(lanes, step, range, &stride, row);
    if (bytes == NULL || stride == 0) return false;
    if (stride == 1) {
        WS_EACH_LANE bytes[lane] = (uint8_t)row[0][lane];
    } else if (stride == 2) {
        WS_EACH_LANE {
            bytes[2 * lane] = (uint8_t)row[0][lane];
            bytes[2 * lane + 1] = (uint8_t)(row[0][lane] >> 8);
        }
    } else if (stride == 4) {
        WS_EACH_LANE ws_store_u32(bytes + 4 * lane, row[0][lane]);
    } else if (stride == 8) {
        WS_EACH_LANE {
            ws_store_u32(bytes + 8 * lane, row[0][lane]);
            ws_store_u32(bytes + 8 * lane + 4, row[1][lane]);
        }
    } else {
        WS_EACH_LANE {
            ws_store_u32(bytes + 16 * lane, row[0][lane]);
            ws_store_u32(bytes + 16 * lane + 4, row[1][lane]);
            ws_store_u32(bytes + 16 * lane + 8, row[2][lane]);
            ws_store_u32(bytes + 16 * lane + 12, row[3][lane]);
        }
    }
    return true;
}
#undef WS_EACH_LANE

/* The offset of each lane of the mask in a range of less than 2^31 bytes. Sums are of 32 bits: where high words are equal
 * and low words lie on one side of 2^31, they cannot be off by 2^32. False: a lane lies elsewhere, or is not aligned. */
WS_OF_LEVEL WS_TARGET bool WS_LEVEL(ws_offsets)(uint32_t *offset, const uint32_t *low, uint32_t mask,
                                                const ws_range *range) {
    const uint32_t *const high = low + WS_LANES, *const bits = ws_lane_bits();
    const int lane_0 = ws_first_lane(mask);
    const uint32_t first = low[lane_0], plus = range->at - first, room = range->nbytes - range->whole;
    const uint32_t side = range->is_narrow ? 0 : UINT32_C(0x80000000);
    uint32_t out = 0, odd = 0, other = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint32_t word = mask & bits[lane] ? low[lane] : first, at = word + plus;
        offset[lane] = at;
        out |= at | (room - at) | ((word ^ first) & side);
        odd |= at;
    }
    for (lane = 0; lane < WS_LANES && !range->is_narrow; lane++)
        other |= mask & bits[lane] ? high[lane] ^ high[lane_0] : 0;
    return !(out >> 31) && (odd & (range->whole - 1)) == 0 && other == 0;
}
