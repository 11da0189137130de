/* A PTX text as tokens: names and numbers, directives and qualifiers with their dot, strings, other characters one by one.
 *
 *     .global .u32 x[2] = {1};     .global  .u32  x  [  2  ]  =  {  1  }  ;
 *
 * Comments are left out. Any text has tokens; this file knows nothing about what they mean. */
#ifndef WARPSIM_PTX_TOKENS_H
#define WARPSIM_PTX_TOKENS_H

#include "text.h"

/* The token at `at`, or after the blanks and comments there; empty at the end. *none_before: 0 at first; the caller keeps
 * it. */
static inline ws_span ws_ptx_token(const char *text, size_t length, size_t at, size_t *none_before) {
    size_t end;
    for (;;) {
        at = ws_ptx_skip_space(text, at, length);
        if (at + 1 >= length || text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) break;
        at = ws_ptx_comment_end(text, length, at);
    }
    if (at >= length) return ws_span_make(length, length);
    end = ws_ptx_skip_loose_name(text, at, length);
    if (text[at] == '.') end = ws_ptx_skip_name(text, at + 1, length);
    if (text[at] == '"' && at >= *none_before) end = ws_ptx_string_end(text, length, at, none_before);
    return ws_span_make(at, end > at ? end : at + 1);
}

#endif
