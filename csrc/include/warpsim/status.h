/* How a call says that it failed: a status, and a message in a buffer of the caller.
 *
 * Nothing here allocates or prints. A message is put together piece by piece with
 * ws_text_*, which cuts silently at the end of its buffer and always leaves a
 * terminating zero. */
#ifndef WARPSIM_STATUS_H
#define WARPSIM_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_status {
    WS_OK = 0,
    WS_SYNTAX,           /* malformed text or an unknown word */
    WS_UNSUPPORTED,      /* legal nowhere, not at this target, or not modelled */
    WS_INVALID_ARGUMENT, /* a null pointer, a name that does not exist ... */
    WS_UNDEFINED,        /* undefined behaviour, under the policy "raise" */
    WS_TRAP,             /* the hardware stops with an error (or hangs), under "hardware" */
    WS_UNKNOWN_HARDWARE  /* nobody measured what the hardware does */
} ws_status;

enum { WS_MESSAGE_BYTES = 512, WS_NO_COLUMN = -1 };

typedef struct ws_error {
    char message[WS_MESSAGE_BYTES]; /* empty when all is well */
    const char *code;               /* WS_TRAP: the CUDA error's name or "HANG"; else NULL */
    int column;                     /* 0-based byte in the text; WS_NO_COLUMN where there is none */
    int length;                     /* bytes of text meant, from column */
} ws_error;

/* A text that grows inside a fixed buffer. */
typedef struct ws_text {
    char *bytes;     /* owned by the caller; always terminated */
    size_t capacity; /* bytes, the terminating zero included */
    size_t length;   /* bytes written, the zero not counted */
    size_t wanted;   /* bytes that came, also beyond capacity */
} ws_text;

static inline ws_text ws_text_make(char *bytes, size_t capacity) {
    ws_text text;
    text.bytes = bytes;
    text.capacity = capacity;
    text.length = 0;
    text.wanted = 0;
    if (capacity > 0) bytes[0] = '\0';
    return text;
}

static inline void ws_text_add_bytes(ws_text *text, const char *bytes, size_t count) {
    size_t i;
    text->wanted += count;
    for (i = 0; i < count && text->length + 1 < text->capacity; i++) {
        text->bytes[text->length++] = bytes[i];
    }
    if (text->capacity > 0) text->bytes[text->length] = '\0';
}

static inline size_t ws_string_length(const char *string) {
    size_t n = 0;
    while (string[n] != '\0') n++;
    return n;
}

static inline void ws_text_add(ws_text *text, const char *string) {
    ws_text_add_bytes(text, string, ws_string_length(string));
}

static inline void ws_text_add_uint(ws_text *text, uint64_t value) {
    char digits[20];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value != 0);
    ws_text_add_bytes(text, digits + n, sizeof digits - n);
}

static inline void ws_text_add_int(ws_text *text, int64_t value) {
    if (value < 0) ws_text_add(text, "-");
    ws_text_add_uint(text, value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value);
}

static inline void ws_text_add_hex(ws_text *text, uint64_t value) {
    char digits[16];
    size_t n = sizeof digits;
    do {
        digits[--n] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    ws_text_add(text, "0x");
    ws_text_add_bytes(text, digits + n, sizeof digits - n);
}

static inline bool ws_bytes_equal(const char *bytes, size_t count, const char *string) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (string[i] == '\0' || string[i] != bytes[i]) return false;
    }
    return string[count] == '\0';
}

static inline void ws_error_clear(ws_error *error) {
    if (error == NULL) return;
    error->message[0] = '\0';
    error->code = NULL;
    error->column = WS_NO_COLUMN;
    error->length = 0;
}

/* The text that `error` holds, emptied, to be written anew; error may be NULL (then nothing is kept). */
static inline ws_text ws_error_text(ws_error *error) {
    ws_error_clear(error);
    return ws_text_make(error != NULL ? error->message : NULL, error != NULL ? sizeof error->message : 0);
}

static inline ws_status ws_error_set(ws_error *error, ws_status status, const char *message) {
    ws_text text = ws_error_text(error);
    ws_text_add(&text, message);
    return status;
}

#define WS_RETURN_IF_ERROR(expression)                            \
    do {                                                          \
        const ws_status ws_status_of_expression_ = (expression);  \
        if (ws_status_of_expression_ != WS_OK) return ws_status_of_expression_; \
    } while (0)

#endif
