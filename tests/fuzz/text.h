/* A text that a fuzzer writes, of at most MOST_TEXT bytes, which the including file defines. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stdlib.h>
#include <string.h>

typedef struct text_of {
    char bytes[MOST_TEXT];
    size_t length;
} text_of;

static void add(text_of *text, const char *string) {
    const size_t length = strlen(string);
    if (text->length + length >= MOST_TEXT) abort();
    memcpy(text->bytes + text->length, string, length + 1);
    text->length += length;
}

#endif
