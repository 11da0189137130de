/* Small kernels whose every access goes where a table says: each thread reads an address (for copies two), a flag and a
 * size for each of its operations, and executes it if the flag is not 0. One decoded kernel serves many tables. */
#ifndef FUZZ_LAUNCH_KERNEL_H
#define FUZZ_LAUNCH_KERNEL_H

#include "launch.h"

enum { MOST_TEXT = 8192, WRONG_OPS = 3, WRONG_THREADS = 64, WRONG_LOCAL = 80 };

#include "../text.h"

/* What a thread finds in the table for one operation. */
typedef struct wrong_entry {
    uint64_t at, from;
    uint32_t flag, nbytes, unused[2];
} wrong_entry;

/* Values whose bytes differ from lane to lane: of 32 bits, then of the other sizes. */
#define OF_THREAD "mul.lo.u32 %x1, %i, 16843009; add.u32 %x2, %x1, 1077952576; add.u32 %x3, %x2, 1077952576;\n"
#define SPREAD                                                                                                         \
    "mov.b64 %y1, {%x1, %x1}; mov.b64 %y2, {%x2, %x2}; mov.b64 %y3, {%x3, %x3}; cvt.u16.u32 %h1, %x1;\n"               \
    "cvt.u16.u32 %h2, %x2; cvt.u16.u32 %h3, %x3; mov.b128 %q0, {%y1, %y1}; mov.b128 %q1, {%y2, %y2};\n"
#define WRONG_HEAD                                                                                                     \
    ".version 8.8\n.target sm_100a\n.address_size 64\n.extern .func (.param .b64 o) malloc (.param .b64 n);\n"         \
    ".extern .func free (.param .b64 p);\n.extern .func (.param .b32 o) vprintf (.param .b64 f, .param .b64 a);\n"     \
    ".global .align 16 .b8 G[200];\n.const .align 16 .b8 C[72];\n"                                                     \
    ".visible .entry k(.param .u64 table, .param .u64 out) {\n.reg .pred %p, %g; .reg .b16 %h<8>;\n"                   \
    ".reg .b32 %x<12>, %i, %c, %n, %s, %z, %a32, %b32; .reg .b64 %y<8>, %t, %o, %a, %b; .reg .b128 %q<3>;\n"
#define WRONG_BEGIN                                                                                                    \
    "mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %c, %c, 64, %i;\n"                                           \
    "ld.param.u64 %t, [table]; mad.wide.u32 %t, %c, 96, %t; ld.param.u64 %o, [out]; mad.wide.u32 %o, %c, 4, %o;\n"     \
    "mov.b32 %z, 0; mov.b32 %x4, 1; mov.b32 %x5, 2; mov.b32 %x6, 3; mov.b32 %x7, 4; mov.b64 %y0, 24;\n" OF_THREAD      \
        SPREAD

/* What is known of an operation. */
typedef enum wrong_kind {
    WRONG_LOAD,
    WRONG_STORE,  /* plain: lanes that meet with different values are told */
    WRONG_WRITES, /* volatile stores, atomics */
    WRONG_COPY,   /* cp.async: from global memory to shared memory */
    WRONG_ROWS,   /* ldmatrix and stmatrix: the first lanes name rows, all lanes take part */
    WRONG_OTHER   /* it may stop for many reasons, and write */
} wrong_kind;

typedef struct wrong_op {
    wrong_kind kind;
    uint8_t space; /* WS_AT_... */
    uint32_t nbytes, rows;
    bool is_write, is_same; /* same: all lanes store one value */
    int64_t offset;         /* of the address in the statement */
    size_t begin, end;      /* of the text */
} wrong_op;

typedef struct wrong_kernel {
    fuzz_kernel decoded;
    wrong_op ops[WRONG_OPS];
    int count;
    uint32_t threads, blocks, ranks, shared, dynamic;
    uint64_t order;
} wrong_kernel;

/* $A: the address with its offset, $B: the second one; both of 32 bits in narrow spaces; $N: the size. */
typedef struct wrong_form {
    wrong_kind kind;
    uint8_t space;
    uint32_t nbytes, rows;
    bool is_write;
    const char *opcode;
} wrong_form;

#define WRONG_ATOMS(space, word)                                                                                       \
    {WRONG_WRITES, space, 4, 0, true, "atom" word ".add.u32 %x4, [$A], %x1"},                                          \
        {WRONG_WRITES, space, 4, 0, true, "atom" word ".cas.b32 %x5, [$A], %x1, %x2"},                                 \
        {WRONG_WRITES, space, 8, 0, true, "atom" word ".exch.b64 %y4, [$A], %y1"},                                     \
        {WRONG_WRITES, space, 2, 0, true, "atom" word ".cas.b16 %h4, [$A], %h1, %h2"},                                 \
        {WRONG_WRITES, space, 16, 0, true, "atom" word ".cas.b128 %q2, [$A], %q0, %q1"},                               \
        {WRONG_WRITES, space, 8, 0, true, "atom" word ".add.f64 %y4, [$A], %y1"},                                      \
        {WRONG_WRITES, space, 8, 0, true, "red" word ".or.b64 [$A], %y2"},                                             \
        {WRONG_WRITES, space, 4, 0, true, "red" word ".min.s32 [$A], %x2"},                                            \
        {WRONG_WRITES, space, 4, 0, true, "st.volatile" word ".b32 [$A], %x2"}, {                                      \
        WRONG_LOAD, space, 8, 0, false, "ld.volatile" word ".v2.b32 {%x4, %x5}, [$A]"                                  \
    }

static const wrong_form wrong_forms[] = {
    WRONG_ATOMS(WS_AT_GLOBAL, ".global"),
    WRONG_ATOMS(WS_AT_SHARED, ".shared"),
    WRONG_ATOMS(WS_AT_CLUSTER, ".shared::cluster"),
    WRONG_ATOMS(WS_AT_GENERIC, ""),
    {WRONG_WRITES, WS_AT_GLOBAL, 16, 0, true, "red.global.add.v4.f32 [$A], {%x1, %x2, %x3, %x1}"},
    {WRONG_WRITES, WS_AT_GLOBAL, 4, 0, true, "st.release.gpu.global.b32 [$A], %x2"},
    {WRONG_LOAD, WS_AT_GLOBAL, 4, 0, false, "ld.acquire.gpu.global.b32 %x4, [$A]"},
    {WRONG_LOAD, WS_AT_GLOBAL, 16, 0, false, "ld.global.nc.v4.b32 {%x4, %x5, %x6, %x7}, [$A]"},
    {WRONG_COPY, WS_AT_SHARED, 4, 0, true, "cp.async.ca.shared.global [$A], [$B], 4"},
    {WRONG_COPY, WS_AT_SHARED, 8, 0, true, "cp.async.ca.shared.global [$A], [$B], 8"},
    {WRONG_COPY, WS_AT_SHARED, 16, 0, true, "cp.async.cg.shared.global [$A], [$B], 16"},
    {WRONG_ROWS, WS_AT_SHARED, 16, 8, false, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x4}, [$A]"},
    {WRONG_ROWS, WS_AT_SHARED, 16, 16, false, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%x4, %x5}, [$A]"},
    {WRONG_ROWS, WS_AT_SHARED, 16, 32, false, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x4, %x5, %x6, %x7}, [$A]"},
    {WRONG_ROWS, WS_AT_SHARED, 16, 8, true, "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [$A], {%x1}"},
    {WRONG_ROWS, WS_AT_SHARED, 16, 32, true, "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$A], {%x1, %x2, %x3, %x1}"},
    {WRONG_OTHER, WS_AT_GENERIC, 16, 0, false, "ldmatrix.sync.aligned.m8n8.x2.b16 {%x4, %x5}, [$A]"},
    {WRONG_OTHER, WS_AT_SHARED, 32, 0, true,
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%x4, %x5, %x6, %x7, %x4, %x5, %x6, %x7}, [$A], $N"},
    {WRONG_OTHER, WS_AT_GLOBAL, 32, 0, true,
     "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [$A], {%x4, %x5, %x1, %x2}, $N"},
    {WRONG_OTHER, WS_AT_GENERIC, 32, 0, true,
     "wmma.store.d.sync.aligned.col.m16n16k16.f32 [$A], {%x4, %x5, %x1, %x2, %x4, %x5, %x1, %x2}, $N"},
    {WRONG_OTHER, WS_AT_SHARED, 16, 0, true, "cp.async.ca.shared.global [$A], [$B], 16, $N"},
    {WRONG_OTHER, WS_AT_SHARED, 16, 0, true,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$A], [$B], $N, [B]"},
    {WRONG_OTHER, WS_AT_SHARED, 16, 0, true,
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$A], [S], $N, [B]"},
    {WRONG_OTHER, WS_AT_GLOBAL, 16, 0, true, "cp.async.bulk.global.shared::cta.bulk_group [$A], [S], $N"},
    {WRONG_OTHER, WS_AT_GLOBAL, 16, 0, true,
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$A], [S], $N"},
    {WRONG_OTHER, WS_AT_GLOBAL, 16, 0, false, "cp.async.bulk.prefetch.L2.global [$A], $N"},
    {WRONG_OTHER, WS_AT_GLOBAL, 4, 0, false, "prefetch.global.L2 [$A]"},
    {WRONG_OTHER, WS_AT_SHARED, 8, 0, true, "mbarrier.init.shared.b64 [$A], $N"},
    {WRONG_OTHER, WS_AT_SHARED, 8, 0, true, "mbarrier.arrive.shared.b64 %y4, [$A]"},
    {WRONG_OTHER, WS_AT_SHARED, 8, 0, true, "mbarrier.arrive.expect_tx.shared.b64 %y4, [$A], $N"},
    {WRONG_OTHER, WS_AT_SHARED, 8, 0, true, "mbarrier.inval.shared.b64 [$A]"},
    {WRONG_OTHER, WS_AT_SHARED, 8, 0, false, "mbarrier.test_wait.parity.shared.b64 %g, [$A], 0"},
    {WRONG_OTHER, WS_AT_CLUSTER, 4, 0, true,
     "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [$A], %x1, [%b32]"},
    {WRONG_OTHER, WS_AT_CLUSTER, 4, 0, true,
     "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [$A], %x1, [%b32]"},
    {WRONG_OTHER, WS_AT_GENERIC, 1, 0, true, "call (%y4), malloc, (%y0)"},
    {WRONG_OTHER, WS_AT_GENERIC, 1, 0, true, "call free, (%a)"},
    {WRONG_OTHER, WS_AT_GENERIC, 1, 0, true, "call (%x4), vprintf, (%a, %b)"},
};

enum { WRONG_FORMS = sizeof wrong_forms / sizeof wrong_forms[0] };

static const char *const wrong_spaces[] = {"", ".shared", ".global", ".local", ".const", ".param", ".shared::cluster"};

/* A plain load or store of 1 to 32 bytes. */
static wrong_form wrong_plain(fuzz_input *in, char *opcode, size_t room) {
    static const uint8_t spaces[] = {WS_AT_GLOBAL,  WS_AT_GLOBAL, WS_AT_SHARED, WS_AT_SHARED,
                                     WS_AT_GENERIC, WS_AT_LOCAL,  WS_AT_CONST,  WS_AT_CLUSTER};
    static const char *const loaded[5] = {"%h4, %h5, %h6, %h7", "%h4, %h5, %h6, %h7",
                                          "%x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11", "%y4, %y5, %y6, %y7", "%q2"};
    static const char *const stored[5] = {"%h1, %h2, %h3, %h1", "%h1, %h2, %h3, %h1",
                                          "%x1, %x2, %x3, %x1, %x2, %x3, %x1, %x2", "%y1, %y2, %y3, %y1", "%q0"};
    const uint8_t space = FUZZ_CHOOSE(in, spaces);
    const bool is_write = fuzz_u8(in) % 4 != 0 && space != WS_AT_CONST;
    const int size = fuzz_below(in, 5), most = size == 4 ? 0 : space == WS_AT_GLOBAL && size >= 2 ? 5 - size : 4 - size;
    const int log = fuzz_below(in, (most > 2 && size < 2 ? 2 : most) + 1), elements = 1 << log;
    const wrong_form form = {
        is_write ? WRONG_STORE : WRONG_LOAD, space, (uint32_t)(elements << size), 0, is_write, opcode};
    char list[64], vector[16] = "";
    size_t length = 0;
    int i;
    strcpy(list, is_write ? stored[size] : loaded[size]);
    for (i = 0; i < elements; i++) length += 1 + strcspn(list + length, ",");
    list[length - 1] = '\0';
    if (elements > 1) snprintf(vector, sizeof vector, ".v%d", elements);
    if (is_write) snprintf(opcode, room, "st%s%s.b%d [$A], {%s}", wrong_spaces[space], vector, 8 << size, list);
    else snprintf(opcode, room, "ld%s%s.b%d {%s}, [$A]", wrong_spaces[space], vector, 8 << size, list);
    return form;
}

static void wrong_operation(wrong_kernel *kernel, text_of *text, int number, fuzz_input *in) {
    static const int64_t offsets[] = {0, 0, 0, 4, -16, 64, 2147483632, -2147483647 - 1};
    static const char *const after[] = {"",
                                        "",
                                        "bar.warp.sync -1;\n",
                                        "bar.sync 0;\n",
                                        "membar.gl;\n",
                                        "cp.async.wait_all;\n",
                                        "cp.async.commit_group;\n",
                                        "fence.proxy.async;\n"};
    wrong_op *op = &kernel->ops[number];
    char plain[160], line[320];
    const bool branches = fuzz_u8(in) % 2;
    const wrong_form form = fuzz_u8(in) % 2 ? wrong_plain(in, plain, sizeof plain) : FUZZ_CHOOSE(in, wrong_forms);
    const bool is_narrow = form.space == WS_AT_SHARED || form.space == WS_AT_LOCAL || form.space == WS_AT_CLUSTER;
    const char *p;
    op->kind = form.kind;
    op->space = form.space;
    op->nbytes = form.nbytes;
    op->rows = form.rows;
    op->is_write = form.is_write;
    op->offset = FUZZ_CHOOSE(in, offsets);
    op->is_same = form.kind == WRONG_STORE && fuzz_u8(in) % 8 == 0;
    snprintf(line, sizeof line,
             "ld.global.v2.b64 {%%a, %%b}, [%%t+%d];\nld.global.v2.b32 {%%n, %%s}, [%%t+%d];\n"
             "setp.ne.u32 %%p, %%n, 0; cvt.u32.u64 %%a32, %%a; cvt.u32.u64 %%b32, %%b;\n",
             number * 32, number * 32 + 16);
    add(text, line);
    if (op->is_same) add(text, "mov.b32 %x1, 84215045; mov.b32 %x2, %x1; mov.b32 %x3, %x1;\n" SPREAD);
    op->begin = text->length;
    add(text, branches ? "@!%p bra " : "@%p ");
    snprintf(line, sizeof line, "L%d;\n", number);
    if (branches) add(text, line);
    for (p = form.opcode; *p != '\0'; p++) {
        line[0] = *p;
        line[1] = '\0';
        if (p[0] == '$') {
            if (p[1] == 'N') snprintf(line, sizeof line, "%%s");
            else if (p[1] == 'B') snprintf(line, sizeof line, "%%b");
            else snprintf(line, sizeof line, "%s+%lld", is_narrow ? "%a32" : "%a", (long long)op->offset);
            p++;
        }
        add(text, line);
    }
    add(text, ";\n");
    op->end = text->length;
    snprintf(line, sizeof line, "L%d: ", number);
    add(text, line);
    if (op->is_same) add(text, OF_THREAD SPREAD);
    add(text, "xor.b32 %z, %z, %x4; xor.b32 %z, %z, %x5;\n");
    add(text, FUZZ_CHOOSE(in, after));
}

static void wrong_text(wrong_kernel *kernel, text_of *text, fuzz_input *in) {
    char line[256];
    int i;
    text->length = 0;
    add(text, WRONG_HEAD);
    snprintf(line, sizeof line, ".shared .align 32 .b8 S[%u]; .shared .align 8 .b64 B; .local .align 16 .b8 M[%d];\n",
             kernel->shared, WRONG_LOCAL);
    add(text, line);
    add(text, WRONG_BEGIN);
    for (i = 0; i < kernel->count; i++) wrong_operation(kernel, text, i, in);
    add(text, "st.global.b32 [%o], %z;\nret;\n}\n");
}

#endif
