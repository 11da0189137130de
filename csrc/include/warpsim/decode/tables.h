/* All tables of forms, and the row of an opcode. */
#ifndef WARPSIM_DECODE_TABLES_H
#define WARPSIM_DECODE_TABLES_H

#include "../lanes/forms_compare.h"
#include "../lanes/forms_convert.h"
#include "../lanes/forms_float.h"
#include "../lanes/forms_integer.h"
#include "bulk.h"
#include "forms.h"
#include "ordered.h"
#include "video.h"

static inline ws_form_table ws_form_table_at(int number) {
    ws_form_table table = {NULL, 0};
    switch (number) {
        case 0: return ws_forms_run();
        case 1: table.forms = ws_forms_integer(&table.count); break;
        case 2: table.forms = ws_forms_compare(&table.count); break;
        case 3: table.forms = ws_forms_convert(&table.count); break;
        case 4: table.forms = ws_forms_float(&table.count); break;
        case 5: return ws_forms_exchange();
        case 6: return ws_forms_atomic();
        case 7: return ws_forms_async();
        case 8: return ws_forms_hints();
        case 9: return ws_forms_video();
        case 10: return ws_forms_bulk();
        case 11: return ws_forms_cluster();
        default: break;
    }
    return table;
}

/* The row that an opcode matches, or NULL. `ordered`: its words may have any order; NULL: they have that of PTX. */
static inline const ws_statement_form *ws_forms_look(const char *text, size_t length, ws_ordered *ordered,
                                                     ws_opcode_match *match) {
    int number;
    size_t i;
    for (number = 0;; number++) {
        const ws_form_table table = ws_form_table_at(number);
        if (table.forms == NULL) return NULL;
        for (i = 0; i < table.count; i++) {
            const ws_statement_form *form = &table.forms[i];
            if (form->opcode[0] != text[0]) continue;
            if (ordered == NULL ? ws_form_matches(form, text, length, match) : ws_ordered_matches(ordered, form, match))
                return form;
        }
    }
}

static inline const ws_statement_form *ws_forms_find(const char *text, size_t length, ws_opcode_match *match) {
    const ws_statement_form *form = ws_forms_look(text, length, NULL, match);
    ws_ordered ordered;
    if (form != NULL || !ws_ordered_make(&ordered, text, length)) return form;
    return ws_forms_look(text, length, &ordered, match);
}

#endif
