/* How a call reports failure: a status, and a message in the caller's buffer. Nothing here allocates or prints.
 *
 * Code that has to know why a call failed reads the status and the fields of the error, never the message: that is for
 * people. */
#ifndef WARPSIM_BASE_STATUS_H
#define WARPSIM_BASE_STATUS_H

#include "public.h"
#include "text.h"

typedef enum ws_status {
    WS_OK = 0,
    WS_SYNTAX,           /* malformed text or an unknown word */
    WS_UNSUPPORTED,      /* legal nowhere, or not for this target */
    WS_INVALID_ARGUMENT, /* a null pointer, an unknown name ... */
    WS_UNDEFINED,        /* undefined behaviour, under the policy "raise" */
    WS_TRAP,             /* the hardware stops with an error (or hangs), under "hardware" */
    WS_UNKNOWN_HARDWARE, /* what the hardware does was never measured */
    WS_NOT_MODELLED      /* legal PTX that warpsim does not model */
} ws_status;

enum { WS_MESSAGE_BYTES = 512, WS_NO_COLUMN = -1 };

typedef struct ws_error {
    char message[WS_MESSAGE_BYTES]; /* empty if the call succeeded */
    const char *code;               /* WS_TRAP: the CUDA error's name or "HANG"; else NULL */
    const char *argument;           /* "warps": the argument that the message is about and begins with; else NULL */
    const char *expected;           /* WS_SYNTAX: what is expected at the column; NULL if nothing fits */
    int column;                     /* 0-based byte offset in the text, its length for the end; else WS_NO_COLUMN */
    int length;                     /* bytes of text meant, from column */
} ws_error;

static inline void ws_error_clear(ws_error *error) {
    if (error == NULL) return;
    error->message[0] = '\0';
    error->code = error->argument = error->expected = NULL;
    error->column = WS_NO_COLUMN;
    error->length = 0;
}

/* The text of `error`, emptied and ready to be written; error may be NULL (then nothing is kept). */
static inline ws_text ws_error_text(ws_error *error) {
    ws_error_clear(error);
    return ws_text_make(error != NULL ? error->message : NULL, error != NULL ? sizeof error->message : 0);
}

static inline ws_status ws_error_set(ws_error *error, ws_status status, const char *message) {
    ws_text text = ws_error_text(error);
    ws_text_add(&text, message);
    return status;
}

/* Begins a message about one argument: "warps: ". */
static inline ws_text ws_error_about(ws_error *error, const char *argument) {
    ws_text text = ws_error_text(error);
    if (error != NULL) error->argument = argument;
    ws_text_add(&text, argument);
    ws_text_add(&text, ": ");
    return text;
}

static inline ws_status ws_error_wrong(ws_error *error, const char *argument, const char *expected) {
    ws_text text = ws_error_about(error, argument);
    ws_text_add(&text, expected);
    return WS_INVALID_ARGUMENT;
}

/* The message without its argument's name, for callers that have another name for it. */
static inline const char *ws_error_sentence(const ws_error *error) {
    return error->message + (error->argument != NULL ? ws_string_length(error->argument) + 2 : 0);
}

#define WS_RETURN_IF_ERROR(expression)                                                                                 \
    do {                                                                                                               \
        const ws_status ws_status_of_expression_ = (expression);                                                       \
        if (ws_status_of_expression_ != WS_OK) return ws_status_of_expression_;                                        \
    } while (0)

#endif
