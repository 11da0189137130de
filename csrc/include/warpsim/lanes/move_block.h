/* Copies of rows, for one level: included by levels.h. */

WS_DO1(mov_32, a)
WS_DO1_64(mov_64, a)

/* The high words of a 64-bit register, from the low ones. */
WS_DO1(extend_sign, (uint32_t) - (int32_t)(a >> 31))
WS_DO(extend_zero, WS_TO32, 1, 0, WS_A32; (void)a)

/* Parts of a register; immediate: the first bit. */
WS_DO1(part_16, a >> immediate & 0xffff)
WS_DO1(part_8, a >> immediate & 0xff)
WS_DO2(pair_16, (a & 0xffff) | b << 16)
WS_DO2(pair_8, (a & 0xff) | (b & 0xff) << 8)

/* An address in another window. */
WS_DO1_64(offset_64, a + (uint64_t)immediate)
