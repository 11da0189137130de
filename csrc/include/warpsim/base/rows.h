/* How the rows of a matrix are laid out in memory and in registers: the table of forms states it, the row kernels use
 * it.
 *
 * A row is 16 bytes, or 8 (s8.s4). Without a turn, lane 4r + c holds word c of row r. */
#ifndef WARPSIM_BASE_ROWS_H
#define WARPSIM_BASE_ROWS_H

/* What the bytes of a row in memory contain; in registers, every packed element becomes a byte. */
typedef enum ws_row_packing {
    WS_ROWS_PLAIN = 0,
    WS_ROWS_B6, /* 16 elements of 6 bits, then 32 bits of padding */
    WS_ROWS_B4, /* 16 elements of 4 bits, then 64 bits of padding */
    WS_ROWS_S4  /* 16 signed elements of 4 bits */
} ws_row_packing;

/* How rows and columns are swapped while moving. */
typedef enum ws_row_turn {
    WS_ROWS_NO_TURN = 0,
    WS_ROWS_TURN_8X8,   /* elements of 16 bits */
    WS_ROWS_TURN_16X16, /* loads of 16 rows for each matrix: elements of 8 bits, two registers */
    WS_ROWS_TURN_BYTES  /* stores: 8 rows of 16 elements of 8 bits, two rows in a word */
} ws_row_turn;

#endif
