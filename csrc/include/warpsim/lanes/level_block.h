/* What is compiled for each level: included by levels.h. */
#include "rows_block.h"
#include "compare_block.h"
#include "convert_block.h"
#include "integer_block.h"
#include "float_block.h"
#include "memory_block.h"

/* Copies of rows. */
WS_DO1(mov_32, a)
WS_DO(mov_64, WS_TO_WORDS, 1, a, WS_A32)

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

WS_LANES_FUNCTION
