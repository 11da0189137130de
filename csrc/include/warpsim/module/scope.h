/* What the words of an opcode say about order: which operations are strong, how far their scope reaches, what they release
 * and acquire.
 *
 *     ld, st               .relaxed .acquire .release, of the GPU unless they name a scope; .volatile: relaxed, of the system
 *     atom, red            relaxed, of the GPU, unless they say otherwise
 *     fence, membar        both sides, or one with .acquire or .release
 *
 * One GPU is simulated, so the scope of the system is that of the GPU. */
#ifndef WARPSIM_MODULE_SCOPE_H
#define WARPSIM_MODULE_SCOPE_H

#include "module.h"

/* Whom an operation may synchronise with. */
typedef enum ws_scope { WS_SCOPE_CTA, WS_SCOPE_CLUSTER, WS_SCOPE_GPU } ws_scope;

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

/* .shared::cta is no scope: its colons tell. */
static inline ws_scope ws_opcode_scope(const ws_opcode *opcode) {
    if (ws_opcode_has(opcode, ".volatile")) return WS_SCOPE_GPU;
    if (ws_opcode_has(opcode, ".cta")) return WS_SCOPE_CTA;
    return ws_opcode_has(opcode, ".cluster") ? WS_SCOPE_CLUSTER : WS_SCOPE_GPU;
}

/* ld and st, beyond atom and red. */
static inline bool ws_opcode_is_strong(const ws_opcode *opcode) {
    return ws_opcode_has(opcode, ".volatile") || ws_opcode_has(opcode, ".relaxed") ||
           ws_opcode_has(opcode, ".acquire") || ws_opcode_has(opcode, ".release");
}

static inline bool ws_opcode_is_fence(const ws_opcode *opcode) {
    return (ws_opcode_begins(opcode, "membar") || ws_opcode_begins(opcode, "fence")) && !ws_opcode_has(opcode, "proxy");
}

/* Sequentially consistent: membar is a fence.sc. */
static inline bool ws_opcode_is_consistent(const ws_opcode *opcode) {
    return ws_opcode_begins(opcode, "membar") || ws_opcode_begins(opcode, "fence.sc");
}

static inline bool ws_opcode_releases(const ws_opcode *opcode) {
    return ws_opcode_has(opcode, ".release") || ws_opcode_has(opcode, ".acq_rel") ||
           (ws_opcode_is_fence(opcode) && !ws_opcode_has(opcode, ".acquire"));
}

static inline bool ws_opcode_acquires(const ws_opcode *opcode) {
    return ws_opcode_has(opcode, ".acquire") || ws_opcode_has(opcode, ".acq_rel") ||
           (ws_opcode_is_fence(opcode) && !ws_opcode_has(opcode, ".release"));
}

#endif
