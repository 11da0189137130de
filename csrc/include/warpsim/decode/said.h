/* What the words of an opcode say of order and values: the one place that reads them for those who observe.
 *
 *     ld, st               .relaxed .acquire .release, of the GPU unless they name a scope; .volatile: relaxed, of the system
 *     atom, red            relaxed, of the GPU, unless they say otherwise
 *     fence, membar        both sides, or one with .acquire or .release */
#ifndef WARPSIM_DECODE_SAID_H
#define WARPSIM_DECODE_SAID_H

#include "../module/guess.h"
#include "../step/meant.h"
#include "../meet/exchange.h"

static inline bool ws_opcode_has(const ws_opcode *opcode, const char *word) {
    size_t length = 0, i, k;
    while (word[length] != '\0') length++;
    for (i = 0; i + length <= opcode->length; i++) {
        for (k = 0; k < length && opcode->text[i + k] == word[k]; k++) {
        }
        if (k == length) return true;
    }
    return false;
}

static inline bool ws_opcode_begins(const ws_opcode *opcode, const char *word) {
    uint32_t i = 0;
    while (word[i] != '\0' && i < opcode->length && opcode->text[i] == word[i]) i++;
    return word[i] == '\0';
}

/* The number of the first of these words that the opcode begins with, or `count`. */
static inline size_t ws_opcode_first(const ws_opcode *opcode, const char *const *words, size_t count) {
    size_t i = 0;
    while (i < count && !ws_opcode_begins(opcode, words[i])) i++;
    return i;
}

static inline ws_use_kind ws_said_use(const ws_opcode *opcode) {
    static const struct {
        const char *word;
        uint8_t use;
    } rows[] = {
        {"st.async", WS_USE_ALL},
        {"st", WS_USE_STORE},
        {"red.", WS_USE_ALL},
        {"bra", WS_USE_ALL},
        {"brx", WS_USE_ALL},
        {"bar.red", WS_USE_ATOMIC},
        {"bar.cta.red", WS_USE_ATOMIC},
        {"barrier.red", WS_USE_ATOMIC},
        {"barrier.cta.red", WS_USE_ATOMIC},
        {"bar", WS_USE_ALL},
        {"wmma.store", WS_USE_STORE},
        {"cp.", WS_USE_ALL},
        {"mbarrier", WS_USE_ATOMIC},
        {"atom", WS_USE_ATOMIC},
        {"ld", WS_USE_LOAD},
        {"wmma.load", WS_USE_LOAD},
        {"selp", WS_USE_SELECT},
        {"shfl.sync.up", (int)WS_USE_SHUFFLE + (int)WS_SHFL_UP},
        {"shfl.sync.down", (int)WS_USE_SHUFFLE + (int)WS_SHFL_DOWN},
        {"shfl.sync.bfly", (int)WS_USE_SHUFFLE + (int)WS_SHFL_BFLY},
        {"shfl.sync.idx", (int)WS_USE_SHUFFLE + (int)WS_SHFL_IDX},
        {"vote", WS_USE_WARP},
        {"match", WS_USE_WARP},
        {"redux", WS_USE_WARP},
        {"mma.sp", WS_USE_WARP},
        {"mma", WS_USE_PRODUCT},
        {"wgmma", WS_USE_WARP},
        {"wmma.mma", WS_USE_PRODUCT},
        {"movmatrix", WS_USE_WARP},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (ws_opcode_begins(opcode, rows[i].word)) return (ws_use_kind)rows[i].use;
    }
    return WS_USE_CARRIES;
}

/* .shared::cta is no scope: its colons tell. */
static inline ws_scope ws_said_scope(const ws_opcode *opcode) {
    if (ws_opcode_has(opcode, ".volatile")) return WS_SCOPE_GPU;
    if (ws_opcode_has(opcode, ".cta")) return WS_SCOPE_CTA;
    return ws_opcode_has(opcode, ".cluster") ? WS_SCOPE_CLUSTER : WS_SCOPE_GPU;
}

static inline bool ws_said_stores(const ws_opcode *opcode) {
    static const char *const words[] = {"cp.",        "wmma.store", "stmatrix",   "st.async",   "red.async", "st.bulk",
                                        "mbarrier.i", "mbarrier.a", "mbarrier.e", "mbarrier.c", "exit"};
    const size_t count = sizeof words / sizeof words[0];
    return ws_opcode_first(opcode, words, count) != count;
}

/* Does it name a rounding? */
static inline bool ws_said_rounds(const ws_opcode *opcode) {
    return ws_opcode_has(opcode, ".rn") || ws_opcode_has(opcode, ".rz") || ws_opcode_has(opcode, ".rm") ||
           ws_opcode_has(opcode, ".rp");
}

/* Does a result stay at the end of its range? */
static inline bool ws_said_saturates(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".sat"); }

/* Do the numbers of a video instruction come to one sum? */
static inline bool ws_said_sums(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".add"); }

static inline bool ws_said_is_of_predicates(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".pred"); }

/* Does a tensor map say where a bulk copy reads or writes? */
static inline bool ws_said_is_by_map(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".tensor"); }

static inline bool ws_said_is_of_64_bits(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".b64"); }

/* Halves, one or two of them, or integers of their size. */
static inline bool ws_said_is_of_halves(const ws_opcode *opcode) { return ws_opcode_has(opcode, "16"); }

static inline bool ws_said_is_of_bytes(const ws_opcode *opcode) {
    return opcode->text[opcode->length - 1] == '8' && !ws_opcode_has(opcode, "128");
}

static inline bool ws_said_is_of_floats(const ws_opcode *opcode) { return ws_opcode_has(opcode, ".f"); }

static inline bool ws_said_reads_a_parameter(const ws_opcode *opcode) { return ws_opcode_begins(opcode, "ld.param"); }

static inline bool ws_said_copies(const ws_opcode *opcode) {
    return ws_opcode_begins(opcode, "mov.") || ws_opcode_begins(opcode, "cvta");
}

/* Does it ask whether two values are the same? */
static inline bool ws_said_is_equality(const ws_opcode *opcode) {
    return ws_opcode_begins(opcode, "setp.eq") || ws_opcode_begins(opcode, "setp.ne");
}

static inline ws_said ws_opcode_said(const ws_opcode *opcode) {
    const bool is_membar = ws_opcode_begins(opcode, "membar"),
               is_fence = (is_membar || ws_opcode_begins(opcode, "fence")) && !ws_opcode_has(opcode, "proxy"),
               acquires = ws_opcode_has(opcode, ".acquire"), releases = ws_opcode_has(opcode, ".release"),
               is_both = ws_opcode_has(opcode, ".acq_rel");
    ws_said said;
    said.use = (uint8_t)ws_said_use(opcode);
    said.scope = (uint8_t)ws_said_scope(opcode);
    said.is_volatile = ws_opcode_has(opcode, ".volatile");
    said.is_relaxed = ws_opcode_has(opcode, ".relaxed");
    said.is_strong = said.is_volatile || said.is_relaxed || acquires || releases;
    said.releases = releases || is_both || (is_fence && !acquires);
    said.acquires = acquires || is_both || (is_fence && !releases);
    said.is_consistent = is_membar || ws_opcode_begins(opcode, "fence.sc");
    said.is_aligned = ws_opcode_has(opcode, ".aligned") || ws_opcode_begins(opcode, "bar.");
    said.is_noncoherent = ws_opcode_has(opcode, ".nc");
    said.bypasses_l1 = ws_opcode_begins(opcode, "cp.async.cg");
    said.is_passed = ws_opcode_begins(opcode, "call") || ws_opcode_begins(opcode, "ret");
    said.stores = ws_said_stores(opcode);
    said.rounds = ws_said_rounds(opcode);
    said.of_sources = ws_opcode_begins(opcode, "cp.async.bulk.wait_group.read");
    return said;
}

/* What the idiom of module/guess.h sees in a statement. */
static inline ws_guess_kind ws_said_guess(const ws_opcode *opcode) {
    static const char *const uses[] = {"st", "red", "call", "ret", "cp", "bar"};
    const size_t count = sizeof uses / sizeof uses[0];
    if (ws_opcode_begins(opcode, "bar") && ws_opcode_has(opcode, ".red")) return WS_GUESS_ASKS;
    if (ws_opcode_begins(opcode, "ld")) return WS_GUESS_LOAD;
    if (ws_opcode_begins(opcode, "atom")) return ws_opcode_has(opcode, ".cas") ? WS_GUESS_SWAP : WS_GUESS_ATOMIC;
    if (ws_opcode_begins(opcode, "setp")) return WS_GUESS_COMPARE;
    if (ws_opcode_begins(opcode, "bra") || ws_opcode_begins(opcode, "brx")) return WS_GUESS_BRANCH;
    return ws_opcode_first(opcode, uses, count) != count ? WS_GUESS_USES : WS_GUESS_OTHER;
}

/* What becomes of a value that was loaded and is stored again. */
typedef enum ws_change {
    WS_CHANGE_ANY,
    WS_CHANGE_ADD,
    WS_CHANGE_MIN,
    WS_CHANGE_MAX,
    WS_CHANGE_AND,
    WS_CHANGE_OR,
    WS_CHANGE_XOR,
    WS_CHANGE_BEST, /* it is replaced if a comparison says so */
    WS_CHANGES
} ws_change;

/* The change that a statement makes, atomic or not; WS_CHANGE_ANY for a minimum or maximum of floats. */
static inline ws_change ws_said_change(const ws_opcode *opcode) {
    static const char *const words[] = {"add", "sub", "mad", "fma", "min", "max", "and", "or", "xor"};
    static const uint8_t changes[] = {WS_CHANGE_ADD, WS_CHANGE_ADD, WS_CHANGE_ADD, WS_CHANGE_ADD, WS_CHANGE_MIN,
                                      WS_CHANGE_MAX, WS_CHANGE_AND, WS_CHANGE_OR,  WS_CHANGE_XOR, WS_CHANGE_ANY};
    const ws_change change = (ws_change)changes[ws_opcode_first(opcode, words, sizeof words / sizeof words[0])];
    return (change == WS_CHANGE_MIN || change == WS_CHANGE_MAX) && ws_opcode_has(opcode, ".f") ? WS_CHANGE_ANY : change;
}

/* Does an atomic make the change of a statement, to operand number `at` of it? No atomic adds a carry, saturates or takes its
 * operand from another; of halves (which are stored) it only adds, to floats. */
static inline bool ws_said_is_as_atomic(const ws_opcode *opcode, uint32_t at, bool is_half) {
    if (ws_opcode_has(opcode, "c.") || ws_said_saturates(opcode)) return false;
    if (is_half && (ws_said_change(opcode) != WS_CHANGE_ADD || !ws_opcode_has(opcode, "f16"))) return false;
    if (ws_opcode_begins(opcode, "sub")) return at == 1;
    return at == 3 || !(ws_opcode_begins(opcode, "mad") || ws_opcode_begins(opcode, "fma"));
}

#endif
