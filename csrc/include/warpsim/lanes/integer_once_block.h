/* Whole numbers: what is rare or does not become vectors; included once, by levels.h. */
#include "../number/fields.h"
#include "../number/video.h"

/* The bits of the step's first type, and whether it is signed. */
#define WS_BITS ws_type_bits(step->type)
#define WS_SIGNED ws_type_is_signed(step->type)

WS_DO2(div_32, ws_quotient(a, b, WS_BITS, WS_SIGNED))
WS_DO2(rem_32, ws_remainder(a, b, WS_BITS, WS_SIGNED))
WS_DO2_64(div_64, ws_quotient(a, b, 64, WS_SIGNED))
WS_DO2_64(rem_64, ws_remainder(a, b, 64, WS_SIGNED))
WS_DO2_64(mul_high_64, ws_high_64(a, b, WS_SIGNED))
WS_DO3_64(mad_high_64, ws_high_64(a, b, WS_SIGNED) + c)
WS_DO2(mul24, ws_product_24(a, b, WS_SIGNED, how))
WS_DO3(mad24, ws_product_add_24(a, b, c, WS_SIGNED, how))

WS_DO(bfe_u64, WS_TO64, 3, ws_bfe_u64(a, b, c), const uint64_t a = WS_VALUE64(0);
      const uint32_t b = WS_VALUE32(1), c = WS_VALUE32(2))
WS_DO(bfe_s64, WS_TO64, 3, ws_bfe_s64(a, b, c), const uint64_t a = WS_VALUE64(0);
      const uint32_t b = WS_VALUE32(1), c = WS_VALUE32(2))
WS_DO(bfi_64, WS_TO64, 4, ws_bfi_64(a, b, c, e), WS_AB64; const uint32_t c = WS_VALUE32(2), e = WS_VALUE32(3))
WS_DO1(bfind_32, ws_bfind(a, 32, WS_SIGNED, how))
WS_DO(bfind_64, WS_TO32, 1, ws_bfind(a, 64, WS_SIGNED, how), WS_A64)
WS_DO1(clz_32, ws_zeros_above(a) - 32)
WS_DO(clz_64, WS_TO32, 1, ws_zeros_above(a), WS_A64)
WS_DO1(popc_32, ws_ones(a))
WS_DO(popc_64, WS_TO32, 1, ws_ones(a), WS_A64)
WS_DO1(brev_32, ws_brev_32(a))
WS_DO1_64(brev_64, ws_brev_64(a))
WS_DO3(fns, ws_fns(a, b, c))
WS_DO2(szext, ws_szext(a, b, WS_SIGNED, how))
WS_DO2(bmsk, ws_bmsk(a, b, how))
WS_DO3(prmt_mode, ws_prmt_mode(a, b, c, how))
WS_DO3(video, ws_video_numbers((uint64_t)immediate, a, b, c, how))
WS_DO3(video_mad, ws_video_mad((uint64_t)immediate, a, b, c, how))
#undef WS_BITS
#undef WS_SIGNED

/* Predicates. */
#define WS_PREDICATES(name, expression)                                                                                \
    WS_DO_HEAD(name) {                                                                                                 \
        const uint32_t p = ws_predicate(lanes, step->s[0]);                                                            \
        ws_predicate_set(lanes, step->d[0], expression, mask);                                                         \
    }
WS_PREDICATES(and_predicate, p &ws_predicate(lanes, step->s[1]))
WS_PREDICATES(or_predicate, p | ws_predicate(lanes, step->s[1]))
WS_PREDICATES(xor_predicate, p ^ ws_predicate(lanes, step->s[1]))
WS_PREDICATES(not_predicate, ~p)
#undef WS_PREDICATES

/* Sums with a carry flag: after a subtraction it is 1 if nothing was borrowed, as a + ~b + 1 carries. */
static inline void ws_carry_write(ws_lanes *lanes, const ws_step *step, uint32_t carry, uint32_t mask) {
    if ((step->how & WS_HOW_CC) != 0) lanes->carry = (lanes->carry & ~mask) | (carry & mask);
}

#define WS_TO32_CARRY(x, y, otherwise, ...)                                                                            \
    uint32_t carry = 0, out[WS_LANES];                                                                                 \
    WS_LOOP_BEGINS;                                                                                                    \
    for (lane = 0; lane < WS_LANES; lane++) {                                                                          \
        __VA_ARGS__;                                                                                                   \
        const uint64_t first = (x),                                                                                    \
                       sum = first + (y) + ((how & WS_HOW_CARRIES) ? lanes->carry >> lane & 1 : otherwise);            \
        out[lane] = (uint32_t)sum;                                                                                     \
        carry |= (uint32_t)(sum >> 32) << lane;                                                                        \
    }                                                                                                                  \
    ws_carry_write(lanes, step, carry, mask);                                                                          \
    WS_LEVEL(ws_row_write)(ws_row(lanes, step->d[0]), out, mask)

#define WS_TO64_CARRY(x, y, otherwise, ...)                                                                            \
    uint32_t carry = 0, low[WS_LANES], high[WS_LANES], *const d = ws_row(lanes, step->d[0]);                           \
    WS_LOOP_BEGINS;                                                                                                    \
    for (lane = 0; lane < WS_LANES; lane++) {                                                                          \
        __VA_ARGS__;                                                                                                   \
        const uint64_t in = (how & WS_HOW_CARRIES) ? lanes->carry >> lane & 1 : otherwise;                             \
        const uint64_t part = (x) + in, sum = part + (y);                                                              \
        low[lane] = (uint32_t)sum;                                                                                     \
        high[lane] = (uint32_t)(sum >> 32);                                                                            \
        carry |= (uint32_t)(part < in || sum < part) << lane;                                                          \
    }                                                                                                                  \
    ws_carry_write(lanes, step, carry, mask);                                                                          \
    WS_LEVEL(ws_row_write)(d, low, mask);                                                                              \
    WS_LEVEL(ws_row_write)(d + WS_LANES, high, mask)

#define WS_CARRY(name, TO, sources, x, y, otherwise, ...)                                                              \
    WS_DO_HEAD(name) {                                                                                                 \
        WS_SOURCES##sources;                                                                                           \
        TO(x, y, otherwise, __VA_ARGS__);                                                                              \
    }

/* The half of the product that .lo or .hi asks for. */
static inline uint32_t ws_half_product_32(const ws_step *step, uint32_t a, uint32_t b) {
    if ((step->how & WS_HOW_CHOICE) == WS_CHOICE_LO) return a * b;
    return ws_type_is_signed(step->type) ? ws_high_s32(a, b) : ws_high_u32(a, b);
}

static inline uint64_t ws_half_product_64(const ws_step *step, uint64_t a, uint64_t b) {
    if ((step->how & WS_HOW_CHOICE) == WS_CHOICE_LO) return a * b;
    return ws_high_64(a, b, ws_type_is_signed(step->type));
}

WS_CARRY(add_carry_32, WS_TO32_CARRY, 2, a, b, 0u, WS_AB32)
WS_CARRY(add_carry_64, WS_TO64_CARRY, 2, a, b, 0u, WS_AB64)
WS_CARRY(sub_carry_32, WS_TO32_CARRY, 2, a, ~b, 1u, WS_AB32)
WS_CARRY(sub_carry_64, WS_TO64_CARRY, 2, a, ~b, 1u, WS_AB64)
WS_CARRY(mad_carry_32, WS_TO32_CARRY, 3, ws_half_product_32(step, a, b), c, 0u, WS_ABC32)
WS_CARRY(mad_carry_64, WS_TO64_CARRY, 3, ws_half_product_64(step, a, b), c, 0u, WS_ABC64)
#undef WS_CARRY
#undef WS_TO32_CARRY
#undef WS_TO64_CARRY
