/* Small kernels whole: registers, memory, special registers, branches, calls, what each thread may ask of the system. */
#include "rows.h"

static const kernel_row rows[] = {
    {"threads have numbers",
     "mov.u32 %r2, %warpid; mov.u32 %r3, %ntid.x; mov.u32 %r4, %nctaid.y; mad.lo.u32 %r1, %r3, 1000, %r9;"
     "mad.lo.u32 %r1, %r2, 100, %r1; shl.b32 %r4, %r4, 20; add.u32 %r1, %r1, %r4;",
     THREADS,
     WS_RUN_NONE,
     {96000 + (1 << 20), 96001 + (1 << 20), 96017 + (1 << 20), 96031 + (1 << 20)}},
    {"a block of part of a warp", "activemask.b32 %r1;", 20, WS_RUN_NONE, {0xfffff, 0xfffff, 0xfffff, 7}},
    {"masks of lanes",
     "mov.u32 %r2, %lanemask_lt; mov.u32 %r3, %lanemask_ge; popc.b32 %r2, %r2; popc.b32 %r3, %r3;"
     "mad.lo.u32 %r1, %r2, 100, %r3;",
     32,
     WS_RUN_NONE,
     {32, 131, 1715, 3101}},
    {"words of vectors keep their order",
     "mov.u32 %r2, s; st.shared.v4.u32 [%r2], {1, 2, 3, 4}; ld.shared.v2.u32 {%r3, %r4}, [%r2+8];"
     "ld.shared.u8 %r5, [%r2+4]; mad.lo.u32 %r1, %r3, 10, %r4; mad.lo.u32 %r1, %r5, 100, %r1;",
     32,
     WS_RUN_NONE,
     {234, 234, 234, 234}},
    {"four words of each lane, side by side, read by ones and twos",
     "mov.u32 %r2, s; mad.lo.u32 %r3, %r9, 16, %r2; add.u32 %r4, %r9, 100; add.u32 %r5, %r9, 200; add.u32 %r6, %r9, "
     "300;"
     "st.shared.v4.u32 [%r3], {%r9, %r4, %r5, %r6}; bar.warp.sync -1; mad.lo.u32 %r7, %r9, 4, %r2;"
     "ld.shared.u32 %r8, [%r7+16]; mad.lo.u32 %r7, %r9, 8, %r2; ld.shared.v2.u32 {%r10, %r11}, [%r7+8];"
     "mad.lo.u32 %r1, %r10, 1000, %r11; mad.lo.u32 %r1, %r1, 1000, %r8;",
     32,
     WS_RUN_NONE,
     {200300001, 1101101, 9109105, 16116308}},
    {"two words of each lane, side by side, read by fours",
     "mov.u32 %r2, s; mad.lo.u32 %r3, %r9, 8, %r2; add.u32 %r4, %r9, 100; st.shared.v2.u32 [%r3], {%r9, %r4};"
     "st.shared.v2.u32 [%r3+256], {%r4, %r9}; bar.warp.sync -1; mad.lo.u32 %r3, %r9, 16, %r2;"
     "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r3]; mad.lo.u32 %r1, %r8, 1000, %r7; mad.lo.u32 %r1, %r1, 1000, %r6;"
     "add.u32 %r1, %r1, %r5;",
     32,
     WS_RUN_NONE,
     {101001100, 103003104, 3103104, 31131160}},
    {"one address for all lanes",
     "mov.u32 %r2, s; @%p2 st.shared.v4.u32 [%r2], {1, 2, 3, 4}; bar.warp.sync -1; ld.shared.v4.u32 {%r3, %r4, %r5, "
     "_}, [s];"
     "mad.lo.u32 %r1, %r3, 10, %r4; mad.lo.u32 %r1, %r1, 10, %r5; ld.shared.b64 %d2, [s+8]; shr.u64 %d2, %d2, 32;"
     "cvt.u32.u64 %r3, %d2; mad.lo.u32 %r1, %r1, 10, %r3; st.shared.u32 [s], %r9; ld.shared.u32 %r3, [s];"
     "mad.lo.u32 %r1, %r1, 10, %r3;",
     32,
     WS_RUN_NONE,
     {12340, 12340, 12340, 12340}},
    {"the last lane of many lies outside",
     "mov.u32 %r2, s; mad.lo.u32 %r3, %r9, 4, %r2; st.shared.u32 [%r3+384], %r9; st.shared.u32 [%r3+388], %r9;",
     32,
     WS_RUN_BOUNDS,
     {7, 7, 7, 7}},
    {"lanes side by side, not aligned",
     "mov.u32 %r2, s; mad.lo.u32 %r3, %r9, 8, %r2; ld.shared.v2.u32 {%r4, %r5}, [%r3+4];",
     32,
     WS_RUN_ALIGNMENT,
     {7, 7, 7, 7}},
    {"variables of shared memory lie as they are declared, those that are named",
     ".shared .align 4 .b8 t[4]; .shared .align 4 .b8 x[64]; .shared .align 16 .b8 u[16]; .shared .align 4 .b8 v[4];"
     "mov.u32 %r2, v; mov.u32 %r3, u; mov.u32 %r4, t; mad.lo.u32 %r1, %r2, 100, %r3; mad.lo.u32 %r1, %r1, 100, %r4;",
     32,
     WS_RUN_NONE,
     {321600, 321600, 321600, 321600}},
    {"narrow loads extend by their type",
     "mov.u32 %r2, s; st.shared.u32 [%r2], 0x80f0; ld.shared.s8 %r3, [%r2]; ld.shared.u16 %r4, [%r2];"
     "add.s32 %r1, %r3, %r4;",
     32,
     WS_RUN_NONE,
     {0x80e0, 0x80e0, 0x80e0, 0x80e0}},
    {"a generic address is where cvta says",
     "mov.u64 %d2, s; cvta.shared.u64 %d3, %d2; mov.u32 %r5, 31; st.u32 [%d3], %r5; isspacep.shared %p4, %d3; "
     "isspacep.global %p5, %d3;"
     "ld.shared.u32 %r2, [%d2]; selp.b32 %r3, 100, 0, %p4; selp.b32 %r4, 1000, 0, %p5; add.u32 %r1, %r2, %r3;"
     "add.u32 %r1, %r1, %r4; cvta.to.shared.u64 %d4, %d3; setp.ne.u64 %p4, %d4, %d2; selp.b32 %r1, 0, %r1, %p4;",
     32,
     WS_RUN_NONE,
     {131, 131, 131, 131}},
    {"local memory is each thread's own",
     ".local .align 8 .b8 l[16]; mov.u32 %r2, l; st.local.u32 [%r2+4], %r9; bar.warp.sync -1; ld.local.u32 %r1, [l+4];"
     "mov.u64 %d2, l; cvta.local.u64 %d3, %d2; ld.u32 %r3, [%d3+4]; mad.lo.u32 %r1, %r3, 100, %r1;",
     32,
     WS_RUN_NONE,
     {0, 101, 1717, 3131}},
    {"a write outside of everything", "st.global.u32 [%d0+100000], %r1;", 32, WS_RUN_BOUNDS, {7, 7, 7, 7}},
    {"a write that is not aligned", "st.global.u32 [%d0+2], %r1;", 32, WS_RUN_ALIGNMENT, {7, 7, 7, 7}},
    {"loops end where each thread ends them",
     "L: setp.ge.u32 %p4, %r1, %r9; @%p4 bra E; add.u32 %r1, %r1, 1; bra L; E: mad.lo.u32 %r1, %r1, 3, 1;",
     32,
     WS_RUN_NONE,
     {1, 4, 52, 94}},
    {"a table of branches",
     "T: .branchtargets A, B, C; and.b32 %r2, %r9, 3; min.u32 %r2, %r2, 2; brx.idx %r2, T;"
     "A: mov.u32 %r1, 10; bra E; B: mov.u32 %r1, 20; bra E; C: mov.u32 %r1, 30; E:",
     32,
     WS_RUN_NONE,
     {10, 20, 20, 30}},
    {"mul and add become fma unless a rounding is named", /* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 or 0 */
     "mov.b32 %f1, 0f3f800800; mov.b32 %f2, 0fbf801000; mul.f32 %f3, %f1, %f1; add.f32 %f4, %f3, %f2;"
     "mul.rn.f32 %f5, %f1, %f1; add.rn.f32 %f6, %f5, %f2; mov.b32 %r2, %f4; mov.b32 %r3, %f6; add.u32 %r1, %r2, %r3;",
     32,
     WS_RUN_NONE,
     {0x33800000, 0x33800000, 0x33800000, 0x33800000}},
    {"numbers of each format",
     "cvt.rn.f32.u32 %f1, %r9; cvt.f64.f32 %d2, %f1; mul.f64 %d2, %d2, 0d3FE0000000000000; cvt.rzi.u32.f64 %r1, %d2;"
     "sqrt.rn.f32 %f2, %f1; cvt.rni.u32.f32 %r2, %f2; mad.lo.u32 %r1, %r2, 100, %r1;",
     32,
     WS_RUN_NONE,
     {0, 100, 408, 615}},
    {"the special function unit at 1 and at 0",
     "mov.b32 %f1, 0f3f800000; rcp.approx.ftz.f32 %f2, %f1; mov.b32 %f1, 0; ex2.approx.ftz.f32 %f3, %f1;"
     "mov.b32 %r2, %f2; mov.b32 %r3, %f3; add.u32 %r1, %r2, %r3;",
     32,
     WS_RUN_NONE,
     {0x7f000000, 0x7f000000, 0x7f000000, 0x7f000000}},
    {"signs and classes",
     "mov.b32 %f1, 0f3f800000; mov.b32 %f2, 0fc0000000; copysign.f32 %f3, %f2, %f1; testp.number.f32 %p4, %f1;"
     "selp.b32 %r2, 5, 0, %p4; mov.b32 %r1, %f3; add.u32 %r1, %r1, %r2;",
     32,
     WS_RUN_NONE,
     {0xbf800005, 0xbf800005, 0xbf800005, 0xbf800005}},
    {"halves in pairs",
     "cvt.rn.f16x2.f32 %r2, 0f40000000, 0f3f800000; add.f16x2 %r3, %r2, %r2; fma.rn.f16x2 %r1, %r3, %r2, %r2;",
     32,
     WS_RUN_NONE,
     {0x49004200, 0x49004200, 0x49004200, 0x49004200}},
    {"carries, products of 64 bits, fields",
     "add.cc.u32 %r2, -1, %r9; addc.u32 %r3, 0, 0; mul.wide.u32 %d2, %r9, 0x10000001; mov.b64 {%r4, %r5}, %d2;"
     "bfe.u32 %r6, %r4, 28, 4; add.u32 %r1, %r3, %r5; mad.lo.u32 %r1, %r6, 16, %r1;",
     32,
     WS_RUN_NONE,
     {0, 17, 18, 242}},
    {"atomics of each kind",
     "mov.u32 %r2, s; @%p2 st.shared.u32 [%r2], 5; @%p2 st.shared.u32 [%r2+4], 40; @%p2 st.shared.u32 [%r2+8], 0;"
     "bar.warp.sync -1; atom.shared.max.u32 %r3, [%r2], %r9; red.shared.min.u32 [%r2+4], %r9;"
     "atom.shared.inc.u32 %r4, [%r2+8], 9; red.shared.or.b32 [%r2+4], 64; bar.warp.sync -1; ld.shared.u32 %r5, [%r2];"
     "ld.shared.u32 %r6, [%r2+4]; mad.lo.u32 %r1, %r5, 1000, %r6; mad.lo.u32 %r1, %r4, 100000, %r1;",
     32,
     WS_RUN_NONE,
     {31064, 131064, 731064, 131064}},
    {"compare and swap, exchange",
     "mov.u32 %r2, s; @%p2 st.shared.u32 [%r2], 0; bar.warp.sync -1; add.u32 %r3, %r9, 1;"
     "atom.shared.cas.b32 %r4, [%r2], %r9, %r3; atom.shared.exch.b32 %r5, [%r2], %r9; mad.lo.u32 %r1, %r5, 100, %r4;",
     32,
     WS_RUN_NONE,
     {3200, 1, 1617, 3031}},
    {"exchanges",
     "shfl.sync.up.b32 %r2|%p4, %r9, 1, 0, -1; selp.b32 %r3, 100, 0, %p4; shr.u32 %r4, %r9, 4; match.any.sync.b32 %r4, "
     "%r4, -1;"
     "add.u32 %r1, %r2, %r3; mad.lo.u32 %r1, %r4, 2, %r1;",
     32,
     WS_RUN_NONE,
     {0x1fffe, 0x1fffe + 100, 0xfffe0000 + 116, 0xfffe0000 + 130}},
    {"lanes vote",
     "vote.sync.all.pred %p4, %p1, -1; vote.sync.any.pred %p5, %p1, -1; vote.sync.ballot.b32 %r2, %p1, -1;"
     "selp.b32 %r3, 1, 0, %p5; selp.b32 %r3, 2, %r3, %p4; redux.sync.max.s32 %r4, %r9, -1; add.u32 %r1, %r2, %r3;"
     "mad.lo.u32 %r1, %r4, 0x10000, %r1;",
     32,
     WS_RUN_NONE,
     {0x200000, 0x200000, 0x200000, 0x200000}},
    {"rows of matrices turned",
     "mov.u32 %r2, s; mad.lo.u32 %r3, %r9, 4, %r2; st.shared.u32 [%r3], %r9; bar.warp.sync -1; and.b32 %r4, %r9, 7;"
     "mad.lo.u32 %r4, %r4, 16, %r2; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4];"
     "movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r5; movmatrix.sync.aligned.m8n8.trans.b16 %r7, %r6;"
     "sub.u32 %r8, %r7, %r5; mad.lo.u32 %r1, %r8, 100, %r6;",
     32,
     WS_RUN_NONE,
     {0x40000, 0xc0008, 0xe000a, 0}},
    {"a product of a warp", /* ones: every element of D is 16 */
     "mov.u32 %r2, 0x3c003c00; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4},"
     "{%r2, %r2, %r2, %r2}, {%r2, %r2}, {0f00000000, 0f00000000, 0f00000000, 0f3f800000}; add.f32 %f5, %f1, %f4;"
     "mov.b32 %r1, %f5;",
     32,
     WS_RUN_NONE,
     {0x42040000, 0x42040000, 0x42040000, 0x42040000}},
    {"part of a warp at an instruction of all",
     "mov.u32 %r2, s; @%p1 bra E; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r2]; E:",
     32,
     WS_RUN_INSTRUCTION,
     {7, 7, 7, 7}},
    {"a call, and one by its address",
     "call (%r2), twice, (%r9); mov.u64 %d2, twice; P: .callprototype (.reg .b32 _) _ (.reg .b32 _);"
     "@%p1 call (%r2), %d2, (%r2), P; mov.u32 %r1, %r2;",
     32,
     WS_RUN_NONE,
     {0, 4, 34, 62}},
    {"a call of one of some targets",
     "mov.u64 %d2, twice; mov.u64 %d3, sum; selp.b64 %d2, %d2, %d3, %p1; C: .calltargets twice, sum;"
     "call (%r1), %d2, (%r9), C;",
     32,
     WS_RUN_NONE,
     {0, 2, 153, 496}},
    {"a function that calls itself", "call (%r1), sum, (%r9);", 32, WS_RUN_NONE, {0, 1, 153, 496}},
    {"what malloc gives is apart, and is there again after free",
     "{ .param .b64 n; .param .b64 at; mov.u64 %d2, 16; st.param.b64 [n], %d2; call (at), malloc, (n);"
     "ld.param.b64 %d3, [at]; } st.u32 [%d3], %r9; st.u32 [%d3+12], %r9; bar.warp.sync -1; ld.u32 %r1, [%d3];"
     "{ .param .b64 at; st.param.b64 [at], %d3; call free, (at); }",
     32,
     WS_RUN_NONE,
     {0, 1, 17, 31}},
    {"square roots between two floats are rounded as asked",
     "mov.b32 %f1, 0f40000000; sqrt.rz.f32 %f2, %f1; sqrt.rp.f32 %f3, %f1; mov.b32 %r2, %f2; mov.b32 %r3, %f3;"
     "add.u32 %r1, %r2, %r3;",
     32,
     WS_RUN_NONE,
     {0x7f6a09e7, 0x7f6a09e7, 0x7f6a09e7, 0x7f6a09e7}},
    {"a NaN survives a sum, and numbers add up",
     "mov.b64 %d2, 0xfff4000000000123; mov.b64 %d3, 0d3FF0000000000000; add.rz.f64 %d4, %d2, %d3;"
     "add.rz.f64 %d5, %d3, %d3; shr.u64 %d6, %d5, 32; cvt.u32.u64 %r2, %d6; cvt.u32.u64 %r3, %d4;"
     "add.u32 %r1, %r2, %r3;",
     32,
     WS_RUN_NONE,
     {0x40000123, 0x40000123, 0x40000123, 0x40000123}},
    {"a trap", "@%p2 trap;", 32, WS_RUN_TRAP, {7, 7, 7, 7}},
};

static void test_rows(void) { check_rows(rows, sizeof rows / sizeof rows[0]); }

CHECK_MAIN(test_rows)
