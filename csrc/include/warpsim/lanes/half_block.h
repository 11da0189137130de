/* f16, bf16 and pairs of them, for one level: included by blocks.h. Bits above 16-bit values are dropped. */

/* Operations of one type: `type` in names, `FORMAT` of the elements, scalars and pairs. */
#define WS_HALF_OPERATIONS(type, FORMAT)                                                                               \
    WS_DO_EITHER(add_##type, 2, ws_half_add(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(sub_##type, 2, ws_half_sub(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(mul_##type, 2, ws_half_mul(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(fma_##type, 3, ws_half_fma(FORMAT, a, b, c, how), WS_ABC32)                                           \
    WS_DO_EITHER(abs_##type, 1, ws_half_abs(FORMAT, a, how), WS_A32)                                                   \
    WS_DO_EITHER(neg_##type, 1, ws_half_neg(FORMAT, a, how), WS_A32)                                                   \
    WS_DO_EITHER(min_##type, 2, ws_half_min(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(max_##type, 2, ws_half_max(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO1(ex2_##type, ws_half_ex2(FORMAT, a))                                                                         \
    WS_DO1(tanh_##type, ws_half_tanh(FORMAT, a))                                                                       \
    WS_DO_EITHER(add_##type##x2, 2, WS_PAIR2(ws_half_add, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(sub_##type##x2, 2, WS_PAIR2(ws_half_sub, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(mul_##type##x2, 2, WS_PAIR2(ws_half_mul, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(fma_##type##x2, 3, WS_PAIR3(ws_half_fma, FORMAT), WS_ABC32)                                           \
    WS_DO_EITHER(abs_##type##x2, 1, WS_PAIR1(ws_half_abs, FORMAT), WS_A32)                                             \
    WS_DO_EITHER(neg_##type##x2, 1, WS_PAIR1(ws_half_neg, FORMAT), WS_A32)                                             \
    WS_DO_EITHER(min_##type##x2, 2, WS_PAIR2(ws_half_min, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(max_##type##x2, 2, WS_PAIR2(ws_half_max, FORMAT), WS_AB32)                                            \
    WS_DO1(ex2_##type##x2, ws_half_ex2(FORMAT, a & 0xffff) | ws_half_ex2(FORMAT, a >> 16) << 16)                       \
    WS_DO1(tanh_##type##x2, ws_half_tanh(FORMAT, a & 0xffff) | ws_half_tanh(FORMAT, a >> 16) << 16)

WS_HALF_OPERATIONS(f16, WS_FORMAT_F16)
WS_HALF_OPERATIONS(bf16, WS_FORMAT_BF16)

#undef WS_HALF_OPERATIONS
