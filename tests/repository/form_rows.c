/* The rows of the tables of statements: with an argument all of them, else the row of each opcode of the input. */
#include <stdio.h>
#include <string.h>
#include <warpsim/run.h>

static void show_all(void) {
    int number;
    size_t i;
    for (number = 0; ws_form_table_at(number).forms != NULL; number++) {
        const ws_form_table table = ws_form_table_at(number);
        for (i = 0; i < table.count; i++) printf("%s\n", table.forms[i].opcode);
    }
}

int main(int count, char **arguments) {
    char line[256];
    (void)arguments;
    if (count > 1) {
        show_all();
        return 0;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        ws_opcode_match match;
        const ws_statement_form *form = ws_forms_find(line, strcspn(line, "\n"), &match);
        printf("%s\n", form != NULL ? form->opcode : "");
    }
    return 0;
}
