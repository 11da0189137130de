/* The special function unit (MUFU) of the hardware, bit for bit: f32 bits in, f32 bits out.
 *
 *     argument  -> index of a table row | x, the bits below, 17 of them
 *     value     =  c0 << a  +  bias  +  c1 x  +  c2 square(x) << k       cut to 24 bits, never rounded
 *
 * square(x) is a truncated multiplier: each partial product is cut before they are added. Denormal arguments count as
 * zeros. Without branches, for loops that become vectors. PTX's sequences around these are in approx.h. */
#ifndef WARPSIM_NUMBER_MUFU_H
#define WARPSIM_NUMBER_MUFU_H

#include "f32.h"
#include "mufu_tables.h"

/* x^2 / 2^19 of 17 bits: bit i adds x >> (18 - i), and bits 0 and 1 nothing. Spelt out, or the loops that call it do
 * not become vectors. */
WS_IN_LOOPS uint32_t ws_mufu_square(uint32_t x) {
#define WS_PART(i) ((0u - (x >> (i)&1)) & x >> (18 - (i)))
    return (WS_PART(2) + WS_PART(3) + WS_PART(4) + WS_PART(5) + WS_PART(6) + WS_PART(7) + WS_PART(8) + WS_PART(9) +
            WS_PART(10) + WS_PART(11) + WS_PART(12) + WS_PART(13) + WS_PART(14) + WS_PART(15) + WS_PART(16)) >>
           1;
#undef WS_PART
}

/* The value of a parabola. */
WS_IN_LOOPS int64_t ws_mufu_value(const ws_mufu_row *row, int64_t bias, uint32_t x, uint32_t square, int a, int k) {
    return row->c0 * ((int64_t)1 << a) + bias + (int64_t)row->c1 * (int32_t)x +
           ((int64_t)row->c2 * (int32_t)square) * ((int64_t)1 << k);
}

/* Exponent and 24 leading bits of v x 2^unit as an f32 without sign; v below 2^52. */
WS_IN_LOOPS uint32_t ws_mufu_leading(uint64_t v, int unit) {
    const double exact = ws_double_of(v | UINT64_C(0x4330000000000000)) - 4503599627370496.0; /* 2^52 */
    const uint64_t bits = ws_bits64_of(exact);
    const uint32_t leading = (uint32_t)(bits >> 29) + ((uint32_t)(unit - 1023 + 127) << 23);
    return ws_pick((uint32_t)(bits >> 32) == 0, 0, leading);
}

WS_IN_LOOPS uint32_t ws_mufu_rcp(uint32_t b) {
    const uint32_t sign = b & WS_SIGN_F32, e = b >> 23 & 255, m = b & 0x7fffff, x = m & 0xffff;
    const uint32_t f =
        (uint32_t)(ws_mufu_value(&ws_mufu_rcp_rows[m >> 16], 2023, x, ws_mufu_square(x << 1), 13, 0) >> 15);
    const int32_t exponent = 253 - (int32_t)e + (int32_t)(f >> 24);
    const uint32_t number = sign | ws_pick(exponent <= 0, 0, (uint32_t)exponent << 23 | (f & 0x7fffff));
    const uint32_t limit = ws_pick(m == 0, sign, WS_NAN_F32);
    return ws_pick(e == 0, sign | WS_INFINITY_F32, ws_pick(e == 255, limit, number));
}

WS_IN_LOOPS uint32_t ws_mufu_rsqrt(uint32_t b) {
    const uint32_t sign = b & WS_SIGN_F32, e = b >> 23 & 255, m = b & 0x7fffff, x = m & 0x1ffff, odd = ~e & 1;
    const ws_mufu_row *row = &ws_mufu_rsqrt_rows[m >> 17 | odd << 6];
    const uint32_t f = (uint32_t)(ws_mufu_value(row, 16383, x, ws_mufu_square(x), 14, 2) >> 16);
    const uint32_t exponent = (380 - e) / 2; /* 126 - floor((e - 127) / 2) */
    const uint32_t number = ws_pick((m | odd) == 0, (exponent + 1) << 23, exponent << 23 | (f & 0x7fffff));
    const uint32_t positive = ws_pick(e != 255, number, ws_pick(m == 0, 0, WS_NAN_F32));
    return ws_pick(e == 0, sign | WS_INFINITY_F32, ws_pick(sign != 0, WS_NAN_F32, positive));
}

WS_IN_LOOPS uint32_t ws_mufu_sqrt(uint32_t b) {
    const uint32_t sign = b & WS_SIGN_F32, e = b >> 23 & 255, m = b & 0x7fffff, x = m & 0x1ffff, odd = ~e & 1;
    const ws_mufu_row *row = &ws_mufu_sqrt_rows[m >> 17 | odd << 6];
    const int64_t value = row->c0 * INT64_C(32768) + 32767 + (int64_t)row->c1 * (int32_t)(x << odd) +
                          (int64_t)row->c2 * (int32_t)(ws_mufu_square(x) << 1);
    const uint32_t number = ((e + 127) / 2) << 23 | ((uint32_t)(value >> 17) & 0x7fffff);
    const uint32_t positive = ws_pick(e != 255, number, ws_pick(m == 0, WS_INFINITY_F32, WS_NAN_F32));
    return ws_pick(e == 0, sign, ws_pick(sign != 0, WS_NAN_F32, positive));
}

WS_IN_LOOPS uint32_t ws_mufu_lg2(uint32_t b) {
    const uint32_t e = b >> 23 & 255, m = b & 0x7fffff, x = m & 0x1ffff;
    const int64_t fraction = ws_mufu_value(&ws_mufu_lg2_rows[m >> 17], 837, x, ws_mufu_square(x), 12, 1) >> 2;
    const int64_t of_one = -(int64_t)((m | (e ^ 127)) != 0); /* the logarithm of 1 is exact */
    const int64_t q = (fraction & of_one) + ((int64_t)e - 127) * ((int64_t)1 << 36);
    const uint64_t below = UINT64_C(0) - ((uint64_t)q >> 63);
    const uint32_t number = ws_mufu_leading((uint64_t)q ^ below, -36);
    const uint32_t finite = number | ws_pick(number != 0, (uint32_t)below & WS_SIGN_F32, 0);
    const uint32_t positive = ws_pick(e != 255, finite, ws_pick(m == 0, WS_INFINITY_F32, WS_NAN_F32));
    const uint32_t any = ws_pick((int32_t)b < 0, WS_NAN_F32, positive);
    return ws_pick(e == 0, WS_SIGN_F32 | WS_INFINITY_F32, any);
}

/* The argument is cut to 23 bits after the point; of a negative one the fraction is inverted. */
WS_IN_LOOPS uint32_t ws_mufu_ex2(uint32_t b) {
    const uint32_t e = b >> 23 & 255, m = (b & 0x7fffff) | 0x800000;
    const int negative = (int32_t)b < 0, shift = (int)e - 127;
    const uint32_t left = ws_pick(shift < 0, 0, ws_pick(shift < 8, (uint32_t)shift, 8));
    const uint32_t right = ws_pick(shift >= 0, 0, ws_pick(shift > -31, (uint32_t)-shift, 31));
    const uint32_t fixed = ws_pick(e == 0, 0, m << left >> right);
    const uint32_t inverted = ws_pick(negative & ((fixed & 0x7fffff) != 0), 0x7fffff, 0);
    const uint32_t fraction = (fixed & 0x7fffff) ^ inverted, x = fraction & 0x1ffff;
    const uint32_t whole = fixed >> 23, backward = ws_pick(inverted != 0, ~whole, 0 - whole);
    const int32_t n = (int32_t)ws_pick(negative, backward, whole);
    const ws_mufu_row *row = &ws_mufu_ex2_rows[fraction >> 17];
    const uint32_t f = (uint32_t)(ws_mufu_value(row, 6114, x, ws_mufu_square(x), 13, 0) >> 15);
    const int32_t exponent = n + 127 + (int32_t)(f >> 24);
    const uint32_t number = ws_pick(exponent <= 0, 0, (uint32_t)(exponent & 255) << 23 | (f & 0x7fffff));
    const uint32_t beyond = ws_pick(negative, 0, WS_INFINITY_F32);
    const uint32_t value = ws_pick(shift >= 7, beyond, ws_pick(exponent >= 255, WS_INFINITY_F32, number));
    return ws_pick(ws_f32_is_nan(b), WS_NAN_F32, value);
}

/* |b| / 2 pi in units of 2^-25 turns, whole turns dropped: the product with the f32 1/(2 pi), cut to 24 bits. */
WS_IN_LOOPS uint32_t ws_mufu_turns(uint32_t b) {
    const uint32_t e = b >> 23 & 255, m = (b & 0x7fffff) | 0x800000;
    const uint64_t product = (uint64_t)m * UINT32_C(0xa2f983);
    const uint32_t above = (uint32_t)(product >> 47), leading = (uint32_t)(product >> (23 + above));
    const int32_t shift = (int32_t)(e + above) - 128;
    const uint32_t left = ws_pick(shift < 0, 0, ws_pick(shift < 25, (uint32_t)shift, 25));
    const uint32_t right = ws_pick(shift >= 0, 0, ws_pick(shift > -31, (uint32_t)-shift, 31));
    return ws_pick((e == 0) | (shift > 25), 0, (leading << left >> right) & 0x1ffffff);
}

/* The sine, `quarters` x 90 degrees ahead: 1 for the cosine, whose argument has no sign. */
WS_IN_LOOPS uint32_t ws_mufu_sine(uint32_t b, uint32_t quarters) {
    const uint32_t fixed = ws_mufu_turns(b), quadrant = (fixed >> 23) + quarters;
    const uint32_t fraction = (fixed & 0x7fffff) ^ ((0u - (quadrant & 1)) & 0x7fffff), x = fraction & 0x1ffff;
    const int64_t value = ws_mufu_value(&ws_mufu_sin_rows[fraction >> 17], 0, x, ws_mufu_square(x), 11, 0);
    const uint32_t sign = (quarters == 0 ? b & WS_SIGN_F32 : 0) ^ (quadrant & 2) << 30;
    const uint32_t number = sign | ws_mufu_leading((uint64_t)value, -37);
    return ws_pick((b & WS_INFINITY_F32) == WS_INFINITY_F32, WS_NAN_F32, number);
}

WS_IN_LOOPS uint32_t ws_mufu_tanh(uint32_t b) {
    static const uint32_t first[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43},
                          index_bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
    const uint32_t sign = b & WS_SIGN_F32, e = b >> 23 & 255, m = b & 0x7fffff;
    const int32_t above = (int32_t)e - 119;
    const uint32_t binade = ws_pick(above < 0, 0, ws_pick(above < 11, (uint32_t)above, 10)), bits = index_bits[binade];
    const ws_mufu_tanh_row *row = &ws_mufu_tanh_rows[first[binade] + (m >> (23 - bits))];
    const uint32_t x = m >> (6 - bits) & 0x1ffff;
    const int64_t value = row->c0 * INT64_C(32768) + (int64_t)row->c1 * (int32_t)x * (1 << (15 - row->f1)) +
                          (int64_t)row->c2 * (int32_t)ws_mufu_square(x) * (1 << (15 - row->f2));
    const uint32_t inside = sign | ws_mufu_leading((uint64_t)value, row->e - 38);
    const uint32_t large = ws_pick(ws_f32_is_nan(b), WS_NAN_F32, sign | UINT32_C(0x3f800000));
    return ws_pick(above < 0, b, ws_pick(above >= 11, large, inside));
}

/* The high words of f64: 20 bits of mantissa. */
WS_IN_LOOPS uint32_t ws_mufu_rcp64h(uint32_t h) {
    const uint32_t sign = h & WS_SIGN_F32, e = h >> 20 & 0x7ff, m = (h & 0xfffff) << 3, x = m & 0xffff;
    const uint32_t f =
        (uint32_t)(ws_mufu_value(&ws_mufu_rcp_rows[m >> 16], 2023, x, ws_mufu_square(x << 1), 13, 0) >> 18);
    const int32_t exponent = 2045 - (int32_t)e + (int32_t)(f >> 21);
    const uint32_t number = exponent <= 0 ? 0 : (uint32_t)exponent << 20 | (f & 0xfffff);
    const uint32_t limit = m == 0 ? sign : WS_NAN_F32;
    return e == 0 ? sign | UINT32_C(0x7ff00000) : e == 0x7ff ? limit : sign | number;
}

WS_IN_LOOPS uint32_t ws_mufu_rsqrt64h(uint32_t h) {
    const uint32_t sign = h & WS_SIGN_F32, e = h >> 20 & 0x7ff, m = (h & 0xfffff) << 3, x = m & 0x1ffff, odd = ~e & 1;
    const ws_mufu_row *row = &ws_mufu_rsqrt_rows[m >> 17 | odd << 6];
    const uint32_t f = (uint32_t)(ws_mufu_value(row, 16383, x, ws_mufu_square(x), 14, 2) >> 19);
    const uint32_t exponent = (3068 - e) / 2; /* 1022 - floor((e - 1023) / 2) */
    const uint32_t number = m == 0 && odd == 0 ? (exponent + 1) << 20 : exponent << 20 | (f & 0xfffff);
    const uint32_t positive = e != 0x7ff ? number : m == 0 ? 0 : WS_NAN_F32;
    return e == 0 ? sign | UINT32_C(0x7ff00000) : sign != 0 ? WS_NAN_F32 : positive;
}

#endif
