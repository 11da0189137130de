/* Forms of moves, memory and control; and the tables of all forms. */
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

#endif
