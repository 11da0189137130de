/* The core and its peers, `loops` times over n warps, so that the cost of the call vanishes. */
#include <warpsim/mma/multiply.h>
#include <warpsim/mma/parse.h>
#include <warpsim/warpsim.h>

void peer_memcpy(const uint8_t *image, size_t nbytes, size_t n, uint8_t *out);
void peer_gather(const uint8_t *image, const uint32_t *address, size_t n, uint8_t *out);
uint32_t peer_sum(const uint32_t *address, size_t n);
void peer_fma(const uint32_t *a, const uint32_t *b, const uint32_t *c, size_t n, uint32_t *d, int wide);
void peer_rows(void *rows, size_t n, int what);

const char *bench_level_word(int level) { return ws_simd_word(level); }

int bench_execute(const char *ptx, uint8_t *image, size_t nbytes, const uint32_t *address, size_t n, uint32_t *out,
                  int level, size_t loops) {
    const ws_memory memory = ws_memory_make(image, nbytes, 0);
    ws_access access = ws_access_make(address, n);
    ws_error error;
    ws_op op;
    ws_status status = ws_parse(ptx, &op, &error);
    access.simd = level;
    while (status == WS_OK && loops-- > 0) status = ws_execute(&op, &memory, &access, out, NULL, &error);
    return (int)status;
}

/* What ws_execute does once it has found nothing undefined. */
int bench_unchecked(const char *ptx, uint8_t *image, size_t nbytes, const uint32_t *address, size_t n, uint32_t *out,
                    int level, size_t loops) {
    const ws_memory memory = ws_memory_make(image, nbytes, 0);
    ws_access access = ws_access_make(address, n);
    ws_findings nothing = {NULL, 0, 0};
    ws_error error;
    ws_op op;
    const ws_status status = ws_parse(ptx, &op, &error);
    access.simd = level;
    while (status == WS_OK && loops-- > 0) {
        const ws_plan plan = ws_plan_make(&op, &access);
        ws_call call = ws_call_make(&plan, &memory, &access, out);
        call.checked = true;
        ws_execute_range(&call, 0, n, &nothing);
    }
    return (int)status;
}

/* `wavefronts`: of the n warps together. */
int bench_count(const char *ptx, const uint32_t *address, size_t n, uint64_t *wavefronts, int level, size_t loops) {
    ws_access access = ws_access_make(address, n);
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    ws_error error;
    ws_op op;
    ws_status status = ws_parse(ptx, &op, &error);
    access.simd = level;
    while (status == WS_OK && loops-- > 0) status = ws_count(&op, &access, &counts, &error);
    *wavefronts = counts.wavefronts;
    return (int)status;
}

int bench_unpack(const char *ptx, const uint8_t *rows, size_t n, uint8_t *out, int level, size_t loops) {
    ws_error error;
    ws_op op;
    const ws_status status = ws_parse(ptx, &op, &error);
    while (status == WS_OK && loops-- > 0) ws_rows_unpack(ws_op_form(&op)->packing, rows, n, out, ws_simd_level(level));
    return (int)status;
}

int bench_memcpy(const uint8_t *image, size_t nbytes, size_t n, uint8_t *out, size_t loops) {
    while (loops-- > 0) peer_memcpy(image, nbytes, n, out);
    return 0;
}

int bench_gather(const uint8_t *image, const uint32_t *address, size_t n, uint8_t *out, size_t loops) {
    while (loops-- > 0) peer_gather(image, address, n, out);
    return 0;
}

int bench_sum(const uint32_t *address, size_t n, uint32_t *sum, size_t loops) {
    while (loops-- > 0) *sum = peer_sum(address, n);
    return 0;
}

/* n products on sm_90. */
int bench_multiply(const char *ptx, const uint32_t *a, const uint32_t *b, const uint32_t *c, size_t n, uint32_t *d,
                   int level, size_t loops) {
    const ws_mma_batch batch = {a, b, c, NULL, d, 0, {NULL, NULL}, {{0, 0}, {0, 0}}};
    ws_error error;
    ws_mma mma;
    ws_status status = ws_mma_parse(ptx, ws_string_length(ptx), &mma, &error);
    while (status == WS_OK && loops-- > 0) status = ws_mma_multiply(&mma, 90, &batch, n, level, &error);
    return (int)status;
}

int bench_fma(const uint32_t *a, const uint32_t *b, const uint32_t *c, size_t n, uint32_t *d, int level, size_t loops) {
    while (loops-- > 0) peer_fma(a, b, c, n, d, level - WS_SIMD_SSE2);
    return 0;
}

int bench_rows(void *rows, size_t n, int what, size_t loops) {
    while (loops-- > 0) peer_rows(rows, n, what);
    return 0;
}
