/* Packed rows against a reference that moves one bit at a time. */
#include "../ops.h"

static bool bit_of(const uint8_t *bytes, int bit) { return bytes[bit / 8] >> (bit % 8) & 1; }

/* Element e is bits [width * e, width * e + width); what lies above `width` is zeros, or copies of the sign. */
static void reference(int width, bool is_signed, const uint8_t packed[16], uint8_t out[16]) {
    for (int element = 0; element < 16; element++) {
        uint32_t value = 0;
        for (int bit = 0; bit < 8; bit++) {
            const bool inside = bit < width;
            if (inside ? bit_of(packed, width * element + bit)
                       : is_signed && bit_of(packed, width * element + width - 1)) {
                value |= UINT32_C(1) << bit;
            }
        }
        out[element] = (uint8_t)value;
    }
}

static const struct packing {
    int rows, width;
    bool is_signed;
} packings[] = {{WS_ROWS_B6, 6, false}, {WS_ROWS_B4, 4, false}, {WS_ROWS_S4, 4, true}, {WS_ROWS_PLAIN, 8, false}};

static void unpack(int packing, uint8_t row[16]) {
    uint8_t packed[16];
    memcpy(packed, row, sizeof packed);
    ws_rows_unpack_one(packing, packed, row);
}

static void check_row(const struct packing *packing, const uint8_t packed[16]) {
    uint8_t row[16], expected[16];
    memcpy(row, packed, sizeof row);
    unpack(packing->rows, row);
    reference(packing->width, packing->is_signed, packed, expected);
    CHECK(memcmp(row, expected, sizeof row) == 0);
}

static void test_row_one_bit_lands_in_its_element_or_nowhere(void) {
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        for (int bit = 0; bit < 128; bit++) {
            uint8_t packed[16] = {0}, row[16];
            int set = 0;
            packed[bit / 8] = (uint8_t)(1u << (bit % 8));
            check_row(&packings[i], packed);
            memcpy(row, packed, sizeof row);
            unpack(packings[i].rows, row);
            for (int element = 0; element < 16; element++) set += row[element] != 0;
            CHECK_EQUAL(set, bit < 16 * packings[i].width);
        }
    }
}

static void test_row_random_bytes_equal_the_reference(void) {
    uint64_t state = 3;
    uint8_t packed[16];
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        for (int round = 0; round < 10000; round++) {
            check_random_bytes(&state, packed, sizeof packed);
            check_row(&packings[i], packed);
        }
    }
}

static void test_row_padding_is_never_looked_at(void) {
    uint64_t state = 4;
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        for (int round = 0; round < 100; round++) {
            uint8_t one[16], other[16];
            check_random_bytes(&state, one, sizeof one);
            memcpy(other, one, sizeof one);
            for (int bit = 16 * packings[i].width; bit < 128; bit++) other[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            unpack(packings[i].rows, one);
            unpack(packings[i].rows, other);
            CHECK(memcmp(one, other, sizeof one) == 0);
        }
    }
}

static void test_row_all_ones_fill_the_low_bits(void) {
    uint8_t row[16];
    memset(row, 0xff, sizeof row);
    unpack(WS_ROWS_B6, row);
    CHECK_EQUAL(row[0], 0x3f);
    CHECK_EQUAL(row[15], 0x3f);
    memset(row, 0xff, sizeof row);
    unpack(WS_ROWS_B4, row);
    CHECK_EQUAL(row[7], 0x0f);
    memset(row, 0xff, sizeof row);
    unpack(WS_ROWS_S4, row);
    CHECK_EQUAL(row[7], 0xff);
    memset(row, 0x7f, sizeof row);
    unpack(WS_ROWS_S4, row);
    CHECK_EQUAL(row[0], 0xff);
    CHECK_EQUAL(row[1], 0x07);
}

/* The width that a row of the table states is the one that its packing has. */
static void test_row_packing_of_every_form_has_its_width(void) {
    for (int form = 1; form < WS_FORM_COUNT; form++) {
        const ws_form *row = ws_isa_form(form);
        for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
            if (packings[i].rows != row->packing || row->packing == WS_ROWS_PLAIN) continue;
            CHECK_EQUAL(row->element_bits, packings[i].width);
            CHECK_EQUAL(row->field_bits, 8);
        }
    }
}

CHECK_MAIN(test_row_one_bit_lands_in_its_element_or_nowhere, test_row_random_bytes_equal_the_reference,
           test_row_padding_is_never_looked_at, test_row_all_ones_fill_the_low_bits,
           test_row_packing_of_every_form_has_its_width)
