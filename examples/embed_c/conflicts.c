/* Bank conflicts of one instruction whose lanes read rows of a given pitch.
 *
 *     cc $(python3 -m warpsim --includes) conflicts.c -o conflicts
 *     ./conflicts ldmatrix.sync.aligned.m8n8.x4.shared.b16 144 */
#include <stdio.h>
#include <stdlib.h>
#include <warpsim/warpsim.h>

int main(int argc, char **argv) {
    const char *ptx = argc > 1 ? argv[1] : "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
    const char *pitch = argc > 2 ? argv[2] : "128";
    char *rest;
    const unsigned long pitch_bytes = strtoul(pitch, &rest, 10);
    uint32_t address[1][32]; /* one warp: byte offsets in shared memory, one for each lane */
    uint32_t lane;
    ws_error error;
    ws_op op;
    ws_access access;
    ws_counts counts;

    if (argc > 3 || *rest != '\0' || pitch_bytes < 1 || pitch_bytes > 4096) {
        fprintf(stderr, "usage: conflicts [PTX [PITCH]]; PITCH: 1 to 4096 bytes from row to row\n");
        return 2;
    }
    if (ws_parse(ptx, &op, &error) != WS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    for (lane = 0; lane < 32; lane++) address[0][lane] = lane * (uint32_t)pitch_bytes;
    access = ws_access_make(&address[0][0], 1);
    if (ws_count(&op, &access, &counts, &error) != WS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    printf("%s, rows of %lu bytes: %lu wavefronts, %lu bank conflicts\n", ptx, pitch_bytes,
           (unsigned long)counts.wavefronts, (unsigned long)counts.bank_conflicts);
    return 0;
}
