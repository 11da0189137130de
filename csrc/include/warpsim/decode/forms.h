/* Forms of moves, memory and control; of what lanes and warps do together: exchanges, barriers, atomics, copies under
 * way, mbarrier objects; and of what changes no value. */
#ifndef WARPSIM_DECODE_FORMS_H
#define WARPSIM_DECODE_FORMS_H

#include "../lanes/form.h"
#include "../meaning/meanings.h"

typedef struct ws_form_table {
    const ws_statement_form *forms;
    size_t count;
} ws_form_table;

/* clang-format off */
#define WS_SPACES_TO "{.global|.shared|.shared::cta|.shared::cluster|.local|.const|.param|.param::entry|.param::func}"
#define WS_HINTS                                                                                                       \
    "{.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate}"                       \
    "{.L2::evict_normal|.L2::evict_first|.L2::evict_last}{.L2::cache_hint}{.L2::64B|.L2::128B|.L2::256B}"
#define WS_SCOPES "{.cta|.cluster|.gpu|.sys}"
#define WS_DATA "(.b8|.b16|.b32|.b64|.b128|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64|.f16|.bf16)"
#define WS_WORDS "(.b16|.b32|.b64|.b128|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64|.f16|.bf16|.f16x2|.bf16x2|.pred)"
/* clang-format on */

static inline ws_form_table ws_forms_run(void) {
    static const ws_statement_form rows[] = {
        {"mov" WS_WORDS, "", WS_DECODE_MOV},
        {"cvta{.to}(.global|.shared|.shared::cta|.shared::cluster|.local|.const|.param|.param::entry)(.u32|.u64)",
         "d0 s0", WS_DECODE_CVTA},
        {"isspacep(.global|.shared|.shared::cta|.shared::cluster|.local|.const|.param|.param::entry)", "",
         WS_DECODE_ISSPACEP},
        {"ld{.weak|.volatile}" WS_SPACES_TO "{.ca|.cg|.cs|.lu|.cv}{.nc}" WS_HINTS "{.v2|.v4|.v8}" WS_DATA,
         "v0 m ?s.b64", WS_DECODE_LOAD},
        {"ld(.relaxed|.acquire|.mmio.relaxed)" WS_SCOPES WS_SPACES_TO WS_HINTS "{.v2|.v4|.v8}" WS_DATA, "v0 m ?s.b64",
         WS_DECODE_LOAD},
        {"ldu{.global}{.v2|.v4}" WS_DATA, "v0 m", WS_DECODE_LOAD},
        {"st{.weak|.volatile}" WS_SPACES_TO "{.wb|.cg|.cs|.wt}" WS_HINTS "{.v2|.v4|.v8}" WS_DATA, "m w0 ?s.b64",
         WS_DECODE_STORE},
        {"st(.relaxed|.release|.mmio.relaxed)" WS_SCOPES WS_SPACES_TO WS_HINTS "{.v2|.v4|.v8}" WS_DATA, "m w0 ?s.b64",
         WS_DECODE_STORE},
        {"bra{.uni}", "", WS_DECODE_BRANCH},
        {"brx.idx{.uni}", "", WS_DECODE_BRX},
        {"call{.uni}", "", WS_DECODE_CALL},
        {"ret{.uni}", "", WS_DECODE_RET},
        {"exit", "", WS_DO_EXIT},
        {"trap", "", WS_DO_TRAP},
        {"brkpt", "", WS_DO_TRAP},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

static inline ws_form_table ws_forms_exchange(void) {
    static const ws_statement_form rows[] = {
        {"shfl.sync.up.b32", "d0|p s0 s.u32 s.u32 s.u32", WS_DO_SHFL_UP},
        {"shfl.sync.down.b32", "d0|p s0 s.u32 s.u32 s.u32", WS_DO_SHFL_DOWN},
        {"shfl.sync.bfly.b32", "d0|p s0 s.u32 s.u32 s.u32", WS_DO_SHFL_BFLY},
        {"shfl.sync.idx.b32", "d0|p s0 s.u32 s.u32 s.u32", WS_DO_SHFL_IDX},
        {"vote.sync.all.pred", "p q s.u32", WS_DO_VOTE_ALL},
        {"vote.sync.any.pred", "p q s.u32", WS_DO_VOTE_ANY},
        {"vote.sync.uni.pred", "p q s.u32", WS_DO_VOTE_UNI},
        {"vote.sync.ballot.b32", "d0 q s.u32", WS_DO_VOTE_BALLOT},
        {"match.any.sync(.b32|.b64)", "d.b32 s0 s.u32", WS_DO_MATCH_ANY},
        {"match.all.sync(.b32|.b64)", "d.b32|p s0 s.u32", WS_DO_MATCH_ALL},
        {"redux.sync.add(.u32|.s32)", "d0 s0 s.u32", WS_DO_REDUX_ADD},
        {"redux.sync.min(.u32|.s32)", "d0 s0 s.u32", WS_DO_REDUX_MIN},
        {"redux.sync.max(.u32|.s32)", "d0 s0 s.u32", WS_DO_REDUX_MAX},
        {"redux.sync.min{.abs}{.NaN}.f32", "d0 s0 s.u32", WS_DO_REDUX_MIN},
        {"redux.sync.max{.abs}{.NaN}.f32", "d0 s0 s.u32", WS_DO_REDUX_MAX},
        {"redux.sync(.and|.or|.xor).b32", "d0 s0 s.u32", WS_DO_REDUX_LOGIC},
        {"activemask.b32", "d0", WS_DO_ACTIVEMASK},
        {"elect.sync", "d.b32|p s.u32", WS_DO_ELECT},
        {"bar.warp.sync", "s.u32", WS_DO_WARP_SYNC},
        {"bar{.cta}.sync", "s.u32 ?s.u32", WS_DO_BAR_SYNC},
        {"bar{.cta}.arrive", "s.u32 s.u32", WS_DO_BAR_ARRIVE},
        {"bar{.cta}.red.popc.u32", "d0 s.u32 ?s.u32 q", WS_DO_BAR_RED},
        {"bar{.cta}.red(.and|.or).pred", "p s.u32 ?s.u32 q", WS_DO_BAR_RED},
        {"barrier{.cta}.sync{.aligned}", "s.u32 ?s.u32", WS_DO_BAR_SYNC},
        {"barrier{.cta}.arrive{.aligned}", "s.u32 s.u32", WS_DO_BAR_ARRIVE},
        {"barrier{.cta}.red{.aligned}.popc{.aligned}.u32", "d0 s.u32 ?s.u32 q", WS_DO_BAR_RED},
        {"barrier{.cta}.red{.aligned}(.and|.or){.aligned}.pred", "p s.u32 ?s.u32 q", WS_DO_BAR_RED},
        {"barrier.cluster.arrive{.release|.relaxed}{.aligned}", "", WS_DO_CLUSTER_ARRIVE},
        {"barrier.cluster.wait{.acquire}{.aligned}", "", WS_DO_CLUSTER_WAIT},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

#define WS_ATOM_SPACE "{.global|.shared|.shared::cta|.shared::cluster}"
#define WS_ATOM_SCOPE "{.cta|.cluster|.gpu|.sys}"
#define WS_ATOM WS_ATOM_SPACE WS_ATOM_SCOPE "{.relaxed|.acquire|.release|.acq_rel}" WS_ATOM_SCOPE WS_ATOM_SPACE
#define WS_HINT "{.L2::cache_hint}"

/* atom, and red where it has the operation, too. ptxas takes order, scope and space in any sequence,
 * and after the operation as well. */
#define WS_ATOM_ROWS(op, types, NAME)                                                                                  \
    {"atom" WS_ATOM op WS_ATOM types, "d0 m s0 ?s.b64", WS_DO_ATOM_##NAME}, {                                          \
        "red" WS_ATOM op WS_ATOM types, "m s0 ?s.b64", WS_DO_ATOM_##NAME                                               \
    }
#define WS_ATOM_VECTORS(op, types, NAME)                                                                               \
    {"atom" WS_ATOM op WS_ATOM types, "v0 m w0 ?s.b64", WS_DO_ATOM_##NAME}, {                                          \
        "red" WS_ATOM op WS_ATOM types, "m w0 ?s.b64", WS_DO_ATOM_##NAME                                               \
    }
#define WS_ATOM_HALVES(op, NAME)                                                                                       \
    WS_ATOM_ROWS(op, ".noftz" WS_HINT "(.f16|.f16x2|.bf16|.bf16x2)", NAME),                                            \
        WS_ATOM_VECTORS(op, ".noftz" WS_HINT "(.v2|.v4|.v8)(.f16|.bf16)", NAME),                                       \
        WS_ATOM_VECTORS(op, ".noftz" WS_HINT "(.v2|.v4)(.f16x2|.bf16x2)", NAME)

static inline ws_form_table ws_forms_atomic(void) {
    static const ws_statement_form rows[] = {
        WS_ATOM_ROWS(".add", WS_HINT "(.u32|.s32|.u64|.f32|.f64)", ADD),
        WS_ATOM_ROWS(".min", WS_HINT "(.u32|.s32|.u64|.s64)", MIN),
        WS_ATOM_ROWS(".max", WS_HINT "(.u32|.s32|.u64|.s64)", MAX),
        WS_ATOM_ROWS(".inc", WS_HINT ".u32", INC),
        WS_ATOM_ROWS(".dec", WS_HINT ".u32", DEC),
        WS_ATOM_ROWS("(.and|.or|.xor)", WS_HINT "(.b32|.b64)", LOGIC),
        WS_ATOM_HALVES(".add", ADD),
        WS_ATOM_HALVES(".min", MIN),
        WS_ATOM_HALVES(".max", MAX),
        WS_ATOM_VECTORS(".add", WS_HINT "(.v2|.v4).f32", ADD),
        {"atom" WS_ATOM ".exch" WS_ATOM WS_HINT "(.b32|.b64)", "d0 m s0 ?s.b64", WS_DO_ATOM_EXCH},
        {"atom" WS_ATOM ".exch" WS_ATOM WS_HINT ".b128", "d0 m s0 ?s.b64", WS_DO_ATOM_EXCH_WIDE},
        {"atom" WS_ATOM ".cas" WS_ATOM WS_HINT "(.b16|.b32|.b64)", "d0 m s0 s0 ?s.b64", WS_DO_ATOM_CAS},
        {"atom" WS_ATOM ".cas" WS_ATOM WS_HINT ".b128", "d0 m s0 s0 ?s.b64", WS_DO_ATOM_CAS_WIDE},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

#define WS_OBJECT "{.cta|.cluster}{.shared|.shared::cta|.shared::cluster}.b64"
#define WS_RELEASES "{.release|.relaxed}"
#define WS_SOURCES_OF "(.shared|.shared::cta).global"
#define WS_AHEAD "{.L2::64B|.L2::128B|.L2::256B}"

static inline ws_form_table ws_forms_async(void) {
    static const ws_statement_form rows[] = {
        {"cp.async(.ca|.cg)" WS_SOURCES_OF WS_AHEAD, "m m c.u32 ?z", WS_DO_CP_ASYNC},
        {"cp.async(.ca|.cg)" WS_SOURCES_OF ".L2::cache_hint" WS_AHEAD, "m m c.u32 ?z s.b64", WS_DO_CP_ASYNC},
        {"cp.async.commit_group", "", WS_DO_CP_COMMIT},
        {"cp.async.wait_group", "i", WS_DO_CP_WAIT},
        {"cp.async.wait_all", "", WS_DO_CP_WAIT_ALL},
        {"cp.async.mbarrier.arrive{.shared|.shared::cta}.b64", "m", WS_DO_CP_ARRIVE},
        {"cp.async.mbarrier.arrive.noinc{.shared|.shared::cta}.b64", "m", WS_DO_CP_ARRIVE_NOINC},
        {"mbarrier.init{.shared|.shared::cta}.b64", "m s.u32", WS_DO_MBARRIER_INIT},
        {"mbarrier.inval{.shared|.shared::cta}.b64", "m", WS_DO_MBARRIER_INVAL},
        {"mbarrier.arrive" WS_RELEASES WS_OBJECT, "d0 m ?s.u32", WS_DO_MBARRIER_ARRIVE},
        {"mbarrier.arrive.noComplete" WS_RELEASES WS_OBJECT, "d0 m s.u32", WS_DO_MBARRIER_ARRIVE},
        {"mbarrier.arrive.expect_tx" WS_RELEASES WS_OBJECT, "d0 m s.u32", WS_DO_MBARRIER_ARRIVE_TX},
        {"mbarrier.arrive_drop" WS_RELEASES WS_OBJECT, "d0 m ?s.u32", WS_DO_MBARRIER_DROP},
        {"mbarrier.arrive_drop.noComplete" WS_RELEASES WS_OBJECT, "d0 m s.u32", WS_DO_MBARRIER_DROP},
        {"mbarrier.arrive_drop.expect_tx" WS_RELEASES WS_OBJECT, "d0 m s.u32", WS_DO_MBARRIER_DROP_TX},
        {"mbarrier.expect_tx{.relaxed}" WS_OBJECT, "m s.u32", WS_DO_MBARRIER_EXPECT_TX},
        {"mbarrier.complete_tx{.relaxed}" WS_OBJECT, "m s.u32", WS_DO_MBARRIER_COMPLETE_TX},
        {"mbarrier(.test_wait|.try_wait){.acquire|.relaxed}" WS_OBJECT, "p m s.b64 ?s.u32", WS_DO_MBARRIER_TEST},
        {"mbarrier(.test_wait|.try_wait).parity{.acquire|.relaxed}" WS_OBJECT, "p m s.u32 ?s.u32",
         WS_DO_MBARRIER_TEST_PARITY},
        {"wgmma.fence.sync.aligned", "", WS_DO_WGMMA_FENCE},
        {"wgmma.commit_group.sync.aligned", "", WS_DO_WGMMA_COMMIT},
        {"wgmma.wait_group.sync.aligned", "i", WS_DO_WGMMA_WAIT},
        {"mbarrier.pending_count.b64", "d.b32 s.b64", WS_DO_MBARRIER_PENDING},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

#define WS_COUNTED "{.shared::cluster}.mbarrier::complete_tx::bytes"
#define WS_RED_MMIO "red.async{.mmio}.release(.gpu|.sys){.global}"
#define WS_ST_TYPES "(.b8|.b16|.b32|.b64|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64)"
#define WS_CANCEL "clusterlaunchcontrol"
#define WS_RED_ASYNC "red.async.relaxed.cluster" WS_COUNTED

static inline ws_form_table ws_forms_cluster(void) {
    static const ws_statement_form rows[] = {
        {"mapa{.shared::cluster}(.u32|.u64)", "d0 s0 s.u32", WS_DO_MAPA},
        {"getctarank{.shared::cluster}(.u32|.u64)", "d.u32 s0", WS_DO_CTARANK},
        {"st.async{.weak}" WS_COUNTED "{.v2|.v4}(.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64)", "", WS_DO_ST_ASYNC},
        {WS_CANCEL ".try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128", "",
         WS_DO_TRY_CANCEL},
        {WS_CANCEL ".query_cancel.is_canceled.pred.b128", "p s.b128", WS_DO_IS_CANCELED},
        {WS_CANCEL ".query_cancel.get_first_ctaid.v4.b32.b128", "v0 s.b128", WS_DO_FIRST_CTAID},
        {WS_CANCEL ".query_cancel(.get_first_ctaid::x|.get_first_ctaid::y|.get_first_ctaid::z).b32.b128", "d0 s.b128",
         WS_DO_FIRST_CTAID},
        {WS_RED_MMIO ".add(.u32|.s32|.u64)", "m s0", WS_DO_ATOM_ADD},
        {WS_RED_MMIO ".min(.u32|.s32|.u64|.s64)", "m s0", WS_DO_ATOM_MIN},
        {WS_RED_MMIO ".max(.u32|.s32|.u64|.s64)", "m s0", WS_DO_ATOM_MAX},
        {WS_RED_MMIO ".inc.u32", "m s0", WS_DO_ATOM_INC},
        {WS_RED_MMIO ".dec.u32", "m s0", WS_DO_ATOM_DEC},
        {WS_RED_MMIO "(.and|.or|.xor)(.b32|.b64)", "m s0", WS_DO_ATOM_LOGIC},
        {"st.async{.mmio}.release(.gpu|.sys){.global}" WS_ST_TYPES, "m w0", WS_DO_ST},
        {WS_RED_ASYNC ".add(.u32|.s32|.u64)", "", WS_DO_RED_ASYNC_ADD},
        {WS_RED_ASYNC ".min(.u32|.s32)", "", WS_DO_RED_ASYNC_MIN},
        {WS_RED_ASYNC ".max(.u32|.s32)", "", WS_DO_RED_ASYNC_MAX},
        {WS_RED_ASYNC ".inc.u32", "", WS_DO_RED_ASYNC_INC},
        {WS_RED_ASYNC ".dec.u32", "", WS_DO_RED_ASYNC_DEC},
        {WS_RED_ASYNC "(.and|.or|.xor).b32", "", WS_DO_RED_ASYNC_LOGIC},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

#define WS_RESTRICTED "(.sync_restrict::shared::cta|.sync_restrict::shared::cluster)"
#define WS_EVICTS "(.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged)"

/* Orders, hints and scheduling: all is in order here already. */
static inline ws_form_table ws_forms_hints(void) {
    static const ws_statement_form rows[] = {
        {"membar(.cta|.gl|.sys)", "", WS_DO_FENCE},
        {"membar.proxy.alias", "", WS_DO_NOTHING},
        {"membar.proxy.async", "", WS_DO_FENCE_PROXY},
        {"fence{.sc|.acq_rel|.acquire|.release}(.cta|.cluster|.gpu|.sys)", "", WS_DO_FENCE},
        {"fence(.acquire|.release)" WS_RESTRICTED ".cluster", "", WS_DO_FENCE},
        {"fence.mbarrier_init.release.cluster", "", WS_DO_FENCE_INIT},
        {"fence.proxy.alias", "", WS_DO_NOTHING},
        {"fence.proxy(.async.global|.async.shared::cta|.async.shared::cluster|.async)", "", WS_DO_FENCE_PROXY},
        {"fence.proxy.async::generic(.acquire|.release)" WS_RESTRICTED ".cluster", "", WS_DO_FENCE_PROXY},
        {"fence.proxy.tensormap::generic.release(.cta|.cluster|.gpu|.sys)", "", WS_DO_NOTHING},
        {"fence.proxy.tensormap::generic.acquire(.cta|.cluster|.gpu|.sys)", "m s.u32", WS_DO_NOTHING},
        {"nanosleep.u32", "s0", WS_DO_NANOSLEEP},
        {"setmaxnreg(.inc|.dec).sync.aligned.u32", "r", WS_DO_WHOLE},
        {"griddepcontrol(.launch_dependents|.wait)", "", WS_DO_NOTHING},
        {"prefetch{.global|.local}(.L1|.L2)", "m", WS_DO_NOTHING},
        {"prefetch.global(.L2::evict_last|.L2::evict_normal)", "m", WS_DO_NOTHING},
        {"prefetch{.const|.param}.tensormap", "m", WS_DO_NOTHING},
        {"prefetchu.L1", "m", WS_DO_NOTHING},
        {"applypriority{.global}.L2::evict_normal", "m i", WS_DO_NOTHING},
        {"discard{.global}.L2", "m s.u32", WS_DO_DISCARD},
        {"createpolicy.fractional" WS_EVICTS "{.L2::evict_first|.L2::evict_unchanged}.b64", "d0 ?s.f32", WS_DO_NOTHING},
        {"createpolicy.range{.global}" WS_EVICTS "{.L2::evict_first|.L2::evict_unchanged}.b64", "d0 m s.u32 s.u32",
         WS_DO_NOTHING},
        {"createpolicy.cvt.L2.b64", "d0 s.b64", WS_DO_NOTHING},
        {"pmevent{.mask}", "i", WS_DO_NOTHING},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

#endif
