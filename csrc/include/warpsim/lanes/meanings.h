/* What a step can mean to the lanes of a warp: one name, one function.
 *
 *     X(ADD_32, add_32, VECTOR)     compiled for each level of vector instructions: in integer_block.h and its like
 *     X(DIV_S32, div_s32, SCALAR)   compiled once: in ..._scalar.h */
#ifndef WARPSIM_LANES_MEANINGS_H
#define WARPSIM_LANES_MEANINGS_H

#include "float_meanings.h"
#include "rows.h"

/* clang-format off */
#define WS_MEANINGS_MOVE(X) X(MOV_32, mov_32, VECTOR) X(MOV_64, mov_64, VECTOR) X(MOV_PRED, mov_pred, SCALAR)          \
    X(EXTEND_SIGN, extend_sign, VECTOR) X(EXTEND_ZERO, extend_zero, VECTOR) X(PART_16, part_16, VECTOR)                \
    X(PART_8, part_8, VECTOR) X(PACK_16, pack_16, VECTOR) X(PACK_8, pack_8, VECTOR) X(OFFSET_64, offset_64, VECTOR)
/* clang-format on */

#define WS_LANE_MEANINGS(X) WS_MEANINGS_MOVE(X) WS_MEANINGS_FLOAT(X)

#define WS_ENUM(NAME, name, kind) WS_DO_##NAME,
enum { WS_LANE_MEANINGS(WS_ENUM) WS_LANE_MEANING_COUNT };
#undef WS_ENUM

#endif
