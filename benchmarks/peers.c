/* What the C rows are held against. A translation unit of its own, so that the loops of native.c
 * cannot be merged with it or hoisted out of it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* n warps of 512 bytes out of an image of `nbytes`, in pieces as long as the image allows. */
void peer_memcpy(const uint8_t *image, size_t nbytes, size_t n, uint8_t *out) {
    size_t left = n * 512;
    while (left > 0) {
        const size_t piece = left < nbytes ? left : nbytes;
        memcpy(out, image, piece);
        out += piece;
        left -= piece;
    }
}

/* The gather that any ldmatrix.x4 contains: 32 rows of 16 bytes, in the order given, unchecked. */
void peer_gather(const uint8_t *image, const uint32_t *address, size_t n, uint8_t *out) {
    size_t warp;
    int lane;
    for (warp = 0; warp < n; warp++) {
        for (lane = 0; lane < 32; lane++) memcpy(out + 16 * lane, image + address[lane], 16);
        address += 32;
        out += 512;
    }
}

/* The least that counting can do: look at every address. */
uint32_t peer_sum(const uint32_t *address, size_t n) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < 32 * n; i++) sum += address[i];
    return sum;
}
