/* What one issue does with its data, byte by byte. */
#ifndef REFERENCE_EXECUTE_H
#define REFERENCE_EXECUTE_H

#include "lowering.h"
#include "undefined.h"

REFERENCE_BEGIN

/* [lane][byte]: the registers of each lane, little-endian, one after the other. */
typedef uint8_t ref_registers[REF_LANES][REF_MOST_REGISTERS * 8];

/* Lanes that access memory at once, for that many bytes per lane. */
static inline int ref_group_lanes(int width) { return width <= 4 ? 32 : width == 8 ? 16 : 8; }

static inline uint32_t ref_bits(const uint8_t *row, int first, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint32_t)(row[(first + i) / 8] >> ((first + i) % 8) & 1) << i;
    return value;
}

static inline void ref_ldmatrix(const ref_form *f, const ref_memory *memory, const ref_where where[32],
                                const uint64_t at[32], ref_registers out) {
    uint8_t row[REF_LANES][16];
    for (int lane = 0; lane < f->lanes; lane++) ref_read(memory, where[lane], at[lane], f->width, row[lane]);
    for (int lane = 0; lane < REF_LANES; lane++) {
        for (int reg = 0; reg < f->registers; reg++) {
            for (int field = 0; field < 32 / f->field_bits; field++) {
                const ref_element e = ref_matrix_element(f, lane, reg, field);
                uint32_t value = ref_bits(row[f->rows * e.matrix + e.row], e.col * f->bits, f->bits);
                if (f->is_s8s4 && value >= 8) value += 0xF0;
                for (int j = 0; j < f->field_bits / 8; j++) {
                    out[lane][4 * reg + field * f->field_bits / 8 + j] = (uint8_t)(value >> (8 * j));
                }
            }
        }
    }
}

/* Matrices in order, a later one overwrites; inside a matrix the lowest row wins. */
static inline void ref_stmatrix(const ref_form *f, const ref_memory *memory, const ref_where where[32],
                                const uint64_t at[32], ref_registers in) {
    uint8_t row[REF_LANES][16];
    const int bytes = f->field_bits / 8;
    for (int lane = 0; lane < REF_LANES; lane++) {
        for (int reg = 0; reg < f->registers; reg++) {
            for (int field = 0; field < 32 / f->field_bits; field++) {
                const ref_element e = ref_matrix_element(f, lane, reg, field);
                memcpy(&row[f->rows * e.matrix + e.row][bytes * e.col], &in[lane][4 * reg + bytes * field],
                       (size_t)bytes);
            }
        }
    }
    for (int matrix = 0; matrix < f->num; matrix++) {
        for (int lane = 8 * matrix + 7; lane >= 8 * matrix; lane--)
            ref_write(memory, where[lane], at[lane], f->width, row[lane]);
    }
}

/* The transposed 8x8 matrix of 16 bits. */
static inline void ref_movmatrix(uint8_t in[REF_LANES][4], uint8_t out[REF_LANES][4]) {
    uint8_t matrix[8][8][2];
    for (int lane = 0; lane < REF_LANES; lane++) {
        for (int j = 0; j < 2; j++) memcpy(matrix[lane / 4][2 * (lane % 4) + j], &in[lane][2 * j], 2);
    }
    for (int lane = 0; lane < REF_LANES; lane++) {
        for (int j = 0; j < 2; j++) memcpy(&out[lane][2 * j], matrix[2 * (lane % 4) + j][lane / 4], 2);
    }
}

static inline void ref_ld(const ref_form *f, const ref_memory *memory, const ref_where where[32], const uint64_t at[32],
                          uint32_t running, ref_registers out) {
    const int size = f->bits / 8, wide = f->register_bits / 8;
    for (int lane = 0; lane < REF_LANES; lane++) {
        uint8_t data[16];
        if (!ref_bit(running, lane)) continue;
        ref_read(memory, where[lane], at[lane], f->width, data);
        for (int i = 0; i < f->vec; i++) {
            const bool negative = f->is_signed && data[i * size + size - 1] >= 0x80;
            memset(&out[lane][i * wide], negative ? 0xFF : 0, (size_t)wide);
            memcpy(&out[lane][i * wide], data + i * size, (size_t)size);
        }
    }
}

/* Groups of lanes in order, a later one overwrites; inside a group the lowest lane wins. */
static inline void ref_st(const ref_form *f, const ref_memory *memory, const ref_where where[32], const uint64_t at[32],
                          uint32_t running, ref_registers in) {
    const int size = f->bits / 8, wide = f->register_bits / 8, group = ref_group_lanes(f->width);
    for (int first = 0; first < REF_LANES; first += group) {
        for (int lane = first + group - 1; lane >= first; lane--) {
            uint8_t data[16];
            if (!ref_bit(running, lane)) continue;
            for (int i = 0; i < f->vec; i++) memcpy(data + i * size, &in[lane][i * wide], (size_t)size);
            ref_write(memory, where[lane], at[lane], f->width, data);
        }
    }
}

/* Of equal destinations .ca keeps the data of the highest lane; .cg is taken to keep those of the lowest. */
static inline void ref_cp_async(const ref_form *f, const ref_memory *memory, const ref_issue *issue) {
    const bool down = f->is_cg;
    for (int i = 0; i < REF_LANES; i++) {
        const int lane = down ? 31 - i : i;
        uint8_t data[16];
        if (!ref_bit(issue->active & ~issue->exited, lane)) continue;
        ref_read(memory, REF_GLOBAL, issue->source[lane], f->width, data);
        ref_write(memory, REF_SHARED, issue->address[lane], f->width, data);
    }
}

/* wmma as PTX defines it: element (i, j) lies at p + line * stride + place. One p and one stride. */
static inline void ref_wmma(const ref_form *f, const ref_memory *memory, const ref_issue *issue, bool sm_75,
                            ref_registers registers) {
    const uint64_t p = issue->address[0], stride = issue->stride[0];
    int line, index;
    for (int lane = 0; lane < REF_LANES; lane++) {
        if (f->kind == REF_WMMA_LOAD) memset(registers[lane], 0, (size_t)f->width);
        for (int i = 0; i < ref_wmma_values(f); i++) {
            uint64_t bit, at, inside;
            ref_where where;
            uint8_t *field = &registers[lane][i * f->bits / 8], byte;
            ref_wmma_place(f, lane, i, sm_75, &line, &index);
            bit = ((uint64_t)line * stride + (uint64_t)index) * (uint64_t)f->bits;
            at = p + bit / 8;
            where = ref_place(memory, f, at, &inside);
            if (f->kind == REF_WMMA_STORE) {
                ref_write(memory, where, inside, f->bits / 8, field);
            } else if (f->bits >= 8) {
                ref_read(memory, where, inside, f->bits / 8, field);
            } else {
                ref_read(memory, where, inside, 1, &byte);
                *field |= (uint8_t)((byte >> bit % 8 & ((1 << f->bits) - 1)) << (i * f->bits % 8));
            }
        }
    }
}

/* Registers `first_byte` .. of all lanes out of rows of 16 bytes, as ldmatrix does. */
static inline void ref_rows_to_registers(const ref_lowering *all, uint8_t row[REF_LANES][16], int first_byte,
                                         ref_registers out) {
    for (int lane = 0; lane < REF_LANES; lane++) {
        for (int matrix = 0; matrix < all->lanes / 8; matrix++) {
            uint8_t *to = &out[lane][first_byte + 4 * matrix];
            if (!all->trans) memcpy(to, &row[8 * matrix + lane / 4][lane % 4 * 4], 4);
            for (int j = 0; all->trans && j < 2; j++)
                memcpy(to + 2 * j, &row[8 * matrix + lane % 4 * 2 + j][lane / 4 * 2], 2);
        }
    }
}

/* wmma as the assembler's code does it: access after access, each lane with its own p and stride. */
static inline void ref_wmma_lowered(const ref_form *f, const ref_lowering *all, const ref_memory *memory,
                                    const ref_issue *issue, ref_registers registers) {
    const int distinct =
        (ref_is_accumulator(f) ? f->m * f->n : (f->operand[0] == 'a' ? f->m : f->n) * f->k) * f->bits / 8 / REF_LANES;
    const int group = ref_group_lanes(all->width);
    for (int i = 0; i < all->accesses; i++) {
        const ref_access *access = &all->access[i];
        const int byte = access->first * f->bits / 8;
        uint8_t data[REF_LANES][16], turned[REF_LANES][4], plain[REF_LANES][4];
        ref_where where[REF_LANES];
        uint64_t at[REF_LANES];
        for (int lane = 0; lane < all->lanes; lane++) {
            where[lane] = ref_place(memory, f, ref_access_address(f, all, access, issue, lane), &at[lane]);
            if (f->kind == REF_WMMA_LOAD) ref_read(memory, where[lane], at[lane], all->width, data[lane]);
            else memcpy(data[lane], &registers[lane][byte], (size_t)all->width);
            memcpy(plain[lane], data[lane], 4);
        }
        if (all->movmatrix) {
            ref_movmatrix(plain, turned);
            for (int lane = 0; lane < REF_LANES; lane++) memcpy(data[lane], turned[lane], 4);
        }
        if (f->kind == REF_WMMA_STORE) {
            for (int first = 0; first < REF_LANES; first += group) {
                for (int lane = first + group - 1; lane >= first; lane--)
                    ref_write(memory, where[lane], at[lane], all->width, data[lane]);
            }
        } else if (all->rows) {
            ref_rows_to_registers(all, data, byte, registers);
        } else {
            for (int lane = 0; lane < REF_LANES; lane++) memcpy(&registers[lane][byte], data[lane], (size_t)all->width);
        }
    }
    for (int lane = 0; f->kind == REF_WMMA_LOAD && lane < REF_LANES; lane++) { /* f16: the registers are repeated */
        for (int j = distinct; j < f->width; j++) registers[lane][j] = registers[lane][j - distinct];
    }
}

/* The data of a warp whose behaviour is defined. */
static inline void ref_move(const ref_form *f, const ref_memory *memory, const ref_issue *issue,
                            ref_registers registers) {
    const uint32_t running = issue->active & ~issue->exited;
    ref_where where[REF_LANES];
    uint64_t at[REF_LANES];
    if (issue->active == 0) return;
    for (int lane = 0; lane < REF_LANES; lane++) where[lane] = ref_place(memory, f, issue->address[lane], &at[lane]);
    switch (f->kind) {
        case REF_LDMATRIX: ref_ldmatrix(f, memory, where, at, registers); break;
        case REF_STMATRIX: ref_stmatrix(f, memory, where, at, registers); break;
        case REF_LD: ref_ld(f, memory, where, at, running, registers); break;
        case REF_ST: ref_st(f, memory, where, at, running, registers); break;
        case REF_CP_ASYNC: ref_cp_async(f, memory, issue); break;
        case REF_MOVMATRIX: {
            uint8_t in[REF_LANES][4], out[REF_LANES][4];
            for (int lane = 0; lane < REF_LANES; lane++) memcpy(in[lane], registers[lane], 4);
            ref_movmatrix(in, out);
            for (int lane = 0; lane < REF_LANES; lane++) memcpy(registers[lane], out[lane], 4);
            break;
        }
        default: ref_wmma(f, memory, issue, issue->target == 75, registers);
    }
}

REFERENCE_END

#endif
