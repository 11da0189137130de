/* Conversions that loops are made of, for one level: included by level_block.h. The others are in convert_once_block.h. */
#include "../number/near.h"

/* Whole numbers. */
WS_DO1(low_u8, a & 0xff)
WS_DO1(low_s8, ws_signed8(a))
WS_DO1(low_u16, a & 0xffff)
WS_DO1(low_s16, ws_signed16(a))
WS_DO(widen_u32, WS_TO64, 1, a, WS_A32)
WS_DO(widen_s32, WS_TO64, 1, ws_signed32(a), WS_A32)

/* To nearest. */
WS_DO1(f32_of_s32, ws_bits_of((float)(int32_t)a))
WS_DO1(f32_of_u32, ws_bits_of((float)a))
WS_DO1(f16_of_f32, ws_f16_of_float(ws_float_of(a)))
WS_DO2(f16x2_of_f32, ws_f16_of_float(ws_float_of(b)) | ws_f16_of_float(ws_float_of(a)) << 16)
WS_DO1(bf16_of_f32, ws_bf16_of_float(ws_float_of(ws_f32_flush(a, how))))
WS_DO2(bf16x2_of_f32, ws_bf16_of_float(ws_float_of(b)) | ws_bf16_of_float(ws_float_of(a)) << 16)
WS_DO1(f32_of_f16, ws_f32_canonical(ws_float_of(ws_f16_widened(a))))
WS_DO1(f32_of_bf16, a << 16)
WS_DO(f64_of_f32, WS_TO64, 1, ws_f64_of_f32(a), WS_A32)

/* Toward zero: saturates, NaN is 0. */
WS_DO1(s32_of_f32, ws_s32_of_float(ws_float_of(a)))
WS_DO1(u32_of_f32, ws_u32_of_float(ws_float_of(a)))
