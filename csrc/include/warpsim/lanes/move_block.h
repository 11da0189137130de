/* Copies of rows, for one level: included by levels.h. */

WS_DO1(mov_32, a)
WS_DO1_64(mov_64, a)

/* The high words of a 64-bit register, from the low ones. */
WS_DO1(extend_sign, (uint32_t) - (int32_t)(a >> 31))
WS_DO(extend_zero, WS_TO32, 1, 0, WS_A32; (void)a)
