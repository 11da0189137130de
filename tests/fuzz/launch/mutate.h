/* A text in which something was changed by chance: a register, a number or a word of an opcode replaced by another one of
 * the text, an operand likewise; a statement left out, written twice, or moved. */
#ifndef FUZZ_LAUNCH_MUTATE_H
#define FUZZ_LAUNCH_MUTATE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../c/check.h"

typedef struct mutated_text {
    char *bytes;
    size_t length, room;
} mutated_text;

/* A part of the text. */
typedef struct mutated_part {
    size_t begin, end;
} mutated_part;

static size_t mutate_below(uint64_t *random, size_t count) {
    return count == 0 ? 0 : (size_t)((check_random(random) >> 16) % count);
}

static int mutate_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%' ||
           c == '$';
}

/* Writes `with` in the place of a part. */
static void mutate_replace(mutated_text *text, mutated_part part, const char *with, size_t length) {
    if (text->length + length + 1 > text->room) return;
    memmove(text->bytes + part.begin + length, text->bytes + part.end, text->length - part.end);
    memcpy(text->bytes + part.begin, with, length);
    text->length = text->length - (part.end - part.begin) + length;
}

/* A word of a kind: '%' registers, '0' numbers, '.' words of opcodes; the first from a place drawn by chance on. */
static mutated_part mutate_find(const mutated_text *text, char kind, uint64_t *random) {
    size_t at = mutate_below(random, text->length), seen;
    mutated_part part = {0, 0};
    for (seen = 0; seen < text->length; seen++, at = at + 1 < text->length ? at + 1 : 0) {
        const char c = text->bytes[at], before = at > 0 ? text->bytes[at - 1] : ' ';
        const int is_kind = kind == '0' ? c >= '0' && c <= '9' : c == kind;
        if (!is_kind || (kind != '.' && mutate_is_word(before)) || (kind == '.' && !mutate_is_word(before))) continue;
        part.begin = at;
        part.end = at + 1;
        while (part.end < text->length && mutate_is_word(text->bytes[part.end])) part.end++;
        return part;
    }
    return part;
}

/* Between two of ",;" and the like: an operand, or from one ';' to the next: a statement. */
static mutated_part mutate_between(const mutated_text *text, const char *ends, uint64_t *random) {
    mutated_part part;
    part.begin = mutate_below(random, text->length);
    while (part.begin > 0 && strchr(ends, text->bytes[part.begin - 1]) == NULL) part.begin--;
    part.end = part.begin;
    while (part.end < text->length && strchr(ends, text->bytes[part.end]) == NULL) part.end++;
    return part;
}

static void mutate_by_another(mutated_text *text, mutated_part to, mutated_part from) {
    const size_t length = from.end - from.begin;
    char *copy = (char *)malloc(length + 1);
    if (copy == NULL) abort();
    memcpy(copy, text->bytes + from.begin, length);
    mutate_replace(text, to, copy, length);
    free(copy);
}

static void mutate_number(mutated_text *text, uint64_t *random) {
    static const char *const numbers[] = {"0",    "1",     "2",          "3",          "4",  "7",  "8",          "12",
                                          "15",   "16",    "31",         "32",         "33", "64", "128",        "1020",
                                          "4096", "65535", "2147483647", "4294967295", "-1", "-4", "-2147483648"};
    const char *number = numbers[mutate_below(random, sizeof numbers / sizeof numbers[0])];
    mutate_replace(text, mutate_find(text, '0', random), number, strlen(number));
}

/* One change. */
static void mutate_once(mutated_text *text, uint64_t *random) {
    const size_t how = mutate_below(random, 12);
    const char kinds[] = "%%%%..";
    if (how < 6) mutate_by_another(text, mutate_find(text, kinds[how], random), mutate_find(text, kinds[how], random));
    else if (how < 8) mutate_number(text, random);
    else if (how == 8)
        mutate_by_another(text, mutate_between(text, ",;[]{}\n", random), mutate_between(text, ",;[]{}\n", random));
    else {
        const mutated_part statement = mutate_between(text, ";{}", random);
        mutated_part to = mutate_between(text, ";{}", random);
        const mutated_part none = {statement.begin, statement.begin};
        if (how == 9 && statement.end < text->length && text->bytes[statement.end] == ';')
            mutate_replace(text, statement, "", 0);
        if (how == 10) mutate_by_another(text, none, statement);
        to.end = to.begin;
        if (how == 11) mutate_by_another(text, to, statement);
    }
}

#endif
