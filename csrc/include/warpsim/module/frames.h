/* The source lines of a statement: those of the calls that were inlined around it, and its own.
 *
 *     gemm.cu:31 <- inlined_at - tile.h:12 <- inlined_at - mma.hpp:91
 *
 * The outermost comes first. Of a statement of a kernel whose outer lines are of a system header, as a kernel of CUB has
 * them, the first is the outermost line of another file: that is the one its author knows. */
#ifndef WARPSIM_MODULE_FRAMES_H
#define WARPSIM_MODULE_FRAMES_H

#include "../base/text.h"
#include "module.h"

enum { WS_SOURCE_FRAMES = 32 };

typedef struct ws_source_frames {
    uint32_t location[WS_SOURCE_FRAMES]; /* in locations of the module */
    uint32_t count;                      /* 0: the text says nothing, or no file */
} ws_source_frames;

/* The name of a file, unescaped: compilers put a backslash before each quotation mark and backslash, and write each byte
 * beyond ASCII as a backslash and three octal digits. */
static inline void ws_text_add_file(ws_text *text, const char *name, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) {
        const char *c = name + i;
        const bool has_three = c[0] == '\\' && i + 3 < length && (c[1] == '2' || c[1] == '3') && c[2] >= '0' &&
                               c[2] <= '7' && c[3] >= '0' && c[3] <= '7';
        char byte = c[0];
        if (has_three) {
            byte = (char)(unsigned char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + (c[3] - '0'));
            i += 3;
        } else if (c[0] == '\\' && i + 1 < length && (c[1] == '\\' || c[1] == '"')) {
            byte = c[1];
            i++;
        }
        ws_text_add_bytes(text, &byte, 1);
    }
}

/* Does a path have a piece? It begins with a slash, and a backslash counts as one. */
static inline bool ws_path_has(const char *path, size_t length, const char *piece) {
    const size_t wanted = ws_string_length(piece);
    size_t i, k;
    for (i = 0; i + wanted <= length + 1; i++) {
        for (k = 0; k < wanted; k++) {
            const char c = i + k == 0 ? '/' : path[i + k - 1];
            if ((c == '\\' ? '/' : c) != piece[k]) break;
        }
        if (k == wanted) return true;
    }
    return false;
}

enum { WS_MOST_PATH = 4096 }; /* characters at the end of a path that are looked at */

/* Is a file of a toolkit, a compiler or a library that comes with one? */
static inline bool ws_path_is_system(const char *path, size_t length) {
    static const char *const folders[] = {"/usr/include/",
                                          "/usr/lib/",
                                          "/cuda/std/",
                                          "/cuda/__",
                                          "/cooperative_groups/",
                                          "/libcudacxx/",
                                          "/cub/",
                                          "/thrust/",
                                          "/crt/",
                                          "/triton/language/",
                                          "/triton/experimental/gluon/language/",
                                          "/numba/cuda/",
                                          "/numba_cuda/"};
    static const char *const toolkits[] = {"/usr/local/cuda",        "/opt/cuda", "/site-packages/nvidia/",
                                           "/dist-packages/nvidia/", "/targets/", "/NVIDIA GPU Computing Toolkit/"};
    size_t i;
    for (i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (ws_path_has(path, length, folders[i])) return true;
    }
    for (i = 0; i < sizeof toolkits / sizeof toolkits[0]; i++) {
        if (ws_path_has(path, length, toolkits[i]) && ws_path_has(path, length, "/include/")) return true;
    }
    return false;
}

static inline bool ws_location_is_system(const ws_module *module, uint32_t at) {
    const ws_span name = module->files[module->locations[at].file].name;
    const size_t length = name.end - name.begin, kept = length < WS_MOST_PATH ? length : (size_t)WS_MOST_PATH;
    return ws_path_is_system(module->text + name.end - kept, kept);
}

/* A line that the text names with its file. */
static inline bool ws_location_is_known(const ws_module *module, uint32_t at) {
    return module->locations[at].file < module->file_count;
}

/* Does a statement read a register of its function? */
static inline bool ws_source_reads(const ws_module *module, const ws_statement *statement, uint32_t reg) {
    const ws_item *items = module->items;
    uint32_t i, k;
    for (i = statement->first_item; i < statement->first_item + statement->item_count; i++) {
        const bool is_first = i == statement->first_item && items[i].kind != WS_ITEM_ADDRESS;
        for (k = 0; k <= items[i].part_count && !is_first; k++) {
            const ws_item *item = k == 0 ? &items[i] : &items[items[i].first_part + k - 1];
            const bool is_base = item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER;
            if ((item->kind == WS_ITEM_REGISTER || is_base) && item->index == reg) return true;
        }
    }
    return false;
}

/* The .loc of the first statement that reads what a statement gives, and that has a line; WS_NO_INDEX: none. */
static inline uint32_t ws_source_of_reader(const ws_module *module, uint32_t statement) {
    const ws_statement *own = &module->statements[statement];
    const ws_function *function = &module->functions[own->function];
    const ws_item *gives = &module->items[own->first_item];
    uint32_t i;
    if (own->item_count == 0 || gives->kind != WS_ITEM_REGISTER) return WS_NO_INDEX;
    for (i = statement + 1; i < function->first_statement + function->statement_count; i++) {
        const uint32_t at = module->statements[i].location;
        if (at != WS_NO_INDEX && module->locations[at].line != 0 &&
            ws_source_reads(module, &module->statements[i], gives->index))
            return at;
    }
    return WS_NO_INDEX;
}

/* The .loc of a statement. Compilers write line 0 where it is of no line alone: what they have moved out of a loop has the
 * line where its value is read, anything else that of the latest statement before it that has one. */
static inline uint32_t ws_source_location(const ws_module *module, uint32_t statement) {
    const uint32_t own = module->statements[statement].location,
                   first = module->functions[module->statements[statement].function].first_statement;
    uint32_t at = own;
    if (own == WS_NO_INDEX || module->locations[own].line != 0) return own;
    at = ws_source_of_reader(module, statement);
    if (at != WS_NO_INDEX) return at;
    for (at = own; at != WS_NO_INDEX && module->locations[at].line == 0 && statement > first;)
        at = module->statements[--statement].location;
    return at != WS_NO_INDEX && module->locations[at].line != 0 ? at : own;
}

/* Of more lines than fit, some between the outermost and the statement's own are left out. */
static inline ws_source_frames ws_source_frames_of(const ws_module *module, uint32_t statement) {
    ws_source_frames all = {{0}, 0}, frames = {{0}, 0};
    const uint32_t own = ws_source_location(module, statement);
    uint32_t at, depth = 0, first = 0, i;
    for (at = own; at != WS_NO_INDEX; at = module->locations[at].inlined_at) depth += ws_location_is_known(module, at);
    all.count = depth < WS_SOURCE_FRAMES ? depth : (uint32_t)WS_SOURCE_FRAMES;
    i = depth;
    for (at = own; at != WS_NO_INDEX; at = module->locations[at].inlined_at) {
        if (!ws_location_is_known(module, at)) continue;
        i--;
        if (i + 1 == depth) all.location[all.count - 1] = at;
        else if (i + 1 < all.count) all.location[i] = at;
    }
    while (first < all.count && ws_location_is_system(module, all.location[first])) first++;
    if (first == all.count) first = 0;
    for (i = first; i < all.count; i++) frames.location[frames.count++] = all.location[i];
    return frames;
}

#endif
