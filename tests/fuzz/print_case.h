/* A case and the reference's answer as one line of JSON: what the tests compare with the oracle in Python. */
#ifndef PRINT_CASE_H
#define PRINT_CASE_H

#include "decode.h"
#include "reference/count.h"
#include "reference/undefined.h"

static inline void print_list(const char *name, const uint64_t *values) {
    printf(", \"%s\": [", name);
    for (int i = 0; i < REF_LANES; i++) printf("%s%llu", i == 0 ? "" : ", ", (unsigned long long)values[i]);
    printf("]");
}

static inline void print_hex(const char *name, const uint8_t *bytes, size_t count) {
    printf(", \"%s\": \"", name);
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\"");
}

/* {"mnemonic": ..., "issue": [ ... ]: the caller goes on. */
static inline void print_begin(const fuzz_case *c) {
    const ref_form *f = c->form;
    printf(
        "{\"row\": %d, \"mnemonic\": \"%s\", \"shape\": \"%s\", \"type\": \"%s\", \"space\": \"%s\", \"layout\": "
        "\"%s\", \"cache\": \"%s\", "
        "\"operand\": \"%s\", \"num\": %d, \"trans\": %d, \"vec\": %d, \"size\": %d, \"window\": %llu, \"issues\": [",
        (int)c->op->form, f->mnemonic, f->shape, f->type, f->space, f->layout, f->cache, f->operand, f->num, f->trans,
        f->vec, f->size, (unsigned long long)c->window);
    for (int i = 0; i < c->different; i++) {
        uint64_t stride[REF_LANES];
        for (int lane = 0; lane < REF_LANES; lane++) stride[lane] = c->issue[i].stride[lane];
        printf("%s{\"active\": %lu, \"exited\": %lu, \"target\": %d", i == 0 ? "" : ", ",
               (unsigned long)c->issue[i].active, (unsigned long)c->issue[i].exited, c->issue[i].target);
        print_list("address", c->issue[i].address);
        print_list("source", c->issue[i].source);
        print_list("stride", stride);
        printf("}");
    }
    printf("]");
}

static inline void print_count(const fuzz_case *c, const ref_counts *counts) {
    print_begin(c);
    printf(", \"counts\": [");
    for (int i = 0; i < c->different; i++) {
        printf("%s[%llu, %llu, %llu, %llu, %llu, %llu]", i == 0 ? "" : ", ", (unsigned long long)counts[i].instructions,
               (unsigned long long)counts[i].requests, (unsigned long long)counts[i].wavefronts,
               (unsigned long long)counts[i].ideal, (unsigned long long)counts[i].conflicts,
               (unsigned long long)counts[i].sectors);
    }
    printf("]}\n");
}

static inline void print_findings(const ref_findings *found) {
    printf(", \"findings\": [");
    for (int i = 0; i < found->count; i++) {
        const ref_finding *one = &found->item[i];
        printf("%s[\"%s\", %d, ", i == 0 ? "" : ", ", one->rule, one->lane);
        if (one->has_address) printf("%llu]", (unsigned long long)one->address);
        else printf("null]");
    }
    printf("]");
}

#endif
