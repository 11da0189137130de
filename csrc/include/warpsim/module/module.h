/* A whole PTX file as tables: what it declares, and its statements with their operands.
 *
 *     functions -> statements -> items -> registers | variables | functions | statements (labels)
 *                     |  \-> opcodes (each spelling once)
 *                     \----> locations (.loc) -> files
 *
 * Everything refers to everything else by index; names and strings are pieces of the text. The tables lie in an arena
 * that the caller gives. Sources: "Syntax", "State Spaces, Types, and Variables", "Instruction Operands" and
 * "Directives" of the PTX ISA.
 *
 * This file knows nothing about what any statement means: an opcode is a text. */
#ifndef WARPSIM_MODULE_MODULE_H
#define WARPSIM_MODULE_MODULE_H

#include "../base/effort.h"
#include "../isa/op.h"
#include "../ptx/names.h"

#define WS_NO_INDEX UINT32_MAX

typedef enum ws_linkage {
    WS_LINKAGE_NONE = 0,
    WS_LINKAGE_EXTERN,
    WS_LINKAGE_VISIBLE,
    WS_LINKAGE_WEAK,
    WS_LINKAGE_COMMON
} ws_linkage;

/* A variable of any space, or a parameter. */
typedef struct ws_variable {
    ws_span name;       /* "_" of a prototype */
    uint64_t nbytes;    /* 0 of x[] without a size */
    uint32_t align;     /* bytes, a power of two */
    uint32_t function;  /* whose scope it is in, or WS_NO_INDEX: the module's */
    uint32_t reg;       /* of a parameter in .reg: its register, else WS_NO_INDEX */
    uint32_t first_run; /* in runs: bytes that are initialised; the others are 0 */
    uint32_t run_count;
    uint32_t first_relocation;
    uint32_t relocation_count;
    uint32_t
        definition; /* of a name that the file declares more than once: the variable with the memory; else itself */
    uint32_t pointer_align; /* .ptr .align 16: what the pointer has; 0: nothing said */
    uint8_t space;          /* ws_name_space */
    uint8_t type;           /* ws_type of one element; WS_TYPE_NONE: .texref, .samplerref, .surfref */
    uint8_t vec;            /* 1, 2, 4, 8 */
    uint8_t linkage;        /* ws_linkage */
    uint8_t pointer_space;  /* .ptr .global: ws_name_space; WS_NAME_UNKNOWN: nothing said, or generic */
    bool is_parameter;      /* of a function or a prototype: a parameter or what it returns */
    bool is_pointer;        /* .ptr */
    bool is_array;
    bool has_initial; /* = ... */
    bool is_managed;  /* .attribute(.managed) */
} ws_variable;

/* Initial bytes of a variable, without a gap. */
typedef struct ws_initial_run {
    uint64_t at;    /* bytes from the beginning of the variable */
    uint64_t first; /* in module->bytes */
    uint64_t count; /* bytes */
} ws_initial_run;

/* An initial value that is an address: `nbytes` little-endian bytes of (address + addend) >> shift. */
typedef struct ws_relocation {
    uint64_t at;     /* bytes from the beginning of the variable */
    uint64_t addend; /* wraps */
    uint32_t symbol; /* variable or function */
    uint8_t nbytes;  /* 1, 2, 4, 8 */
    uint8_t shift;   /* bits; 8 of 0xFF00(x) */
    bool is_function;
    bool is_generic; /* generic(x) */
} ws_relocation;

typedef struct ws_register {
    ws_span name; /* where it occurs first; the name of a vector register for each of its components */
    uint8_t type; /* ws_type; WS_TYPE_PRED of a predicate */
    uint8_t part; /* component of a vector register, else 0 */
} ws_register;

/* Up to 3 numbers after a directive; 0: not there. */
typedef struct ws_extent {
    uint32_t x, y, z;
} ws_extent;

typedef struct ws_function {
    ws_span name;
    uint32_t first_return, return_count;       /* in variables */
    uint32_t first_parameter, parameter_count; /* in variables */
    uint32_t first_register, register_count;   /* those that occur; register i is registers[first + i] */
    uint32_t first_statement, statement_count; /* a label at the end is statement first + count */
    uint32_t definition;                       /* of a declaration: the function with the body, or itself; see .alias */
    uint32_t at;                               /* of .entry or .func, in the text */
    uint8_t linkage;                           /* ws_linkage */
    bool is_entry, is_declaration;
    bool noreturn, explicit_cluster;
    ws_extent maxntid, reqntid, cluster; /* .maxntid, .reqntid, .reqnctapercluster: missing numbers are 1 */
    uint32_t minnctapersm, maxnreg, maxclusterrank;
} ws_function;

/* .pragma "nounroll"; */
typedef struct ws_pragma {
    ws_span text;       /* without quotes */
    uint32_t function;  /* or WS_NO_INDEX */
    uint32_t statement; /* that follows */
} ws_pragma;

/* label: .branchtargets a, b;  label: .calltargets f, g;  label: .callprototype (...) _ (...); */
typedef enum ws_list_kind { WS_LIST_BRANCHTARGETS, WS_LIST_CALLTARGETS, WS_LIST_CALLPROTOTYPE } ws_list_kind;

typedef struct ws_list {
    ws_span name;
    uint8_t kind;                              /* ws_list_kind */
    bool noreturn;                             /* of a prototype */
    uint32_t first_item, item_count;           /* LABELs or FUNCTIONs */
    uint32_t first_return, return_count;       /* of a prototype, in variables */
    uint32_t first_parameter, parameter_count; /* of a prototype, in variables */
} ws_list;

typedef struct ws_opcode {
    const char *text; /* "ld.global.nc.v4.f32", without blanks and comments; in the text or in the arena */
    uint32_t length;
    uint32_t statement_count;
} ws_opcode;

typedef struct ws_statement {
    uint32_t at;        /* byte of its guard or opcode in the text */
    uint32_t opcode_at; /* byte of its opcode */
    uint32_t function;
    uint32_t opcode; /* in opcodes */
    uint32_t guard;  /* register of the function, or WS_NO_INDEX */
    uint32_t first_item, item_count;
    uint32_t location;     /* in locations, or WS_NO_INDEX */
    bool guard_is_negated; /* @!%p1 */
} ws_statement;

/* An operand, or a part of one. */
typedef enum ws_item_kind {
    WS_ITEM_REGISTER,    /* index in its function; also predicates; value: %r1+4 */
    WS_ITEM_INTEGER,     /* value, 64 bits; is_negative */
    WS_ITEM_FLOAT32,     /* value: bits of 0f3F800000 */
    WS_ITEM_FLOAT64,     /* value: bits of 0d3FF0000000000000 or 1.0 */
    WS_ITEM_VARIABLE,    /* index, value: bytes from its beginning */
    WS_ITEM_FUNCTION,    /* index */
    WS_ITEM_LABEL,       /* index: of a statement (of the module) */
    WS_ITEM_LIST,        /* index: in lists; a label of .branchtargets, .calltargets or .callprototype */
    WS_ITEM_SINK,        /* _ */
    WS_ITEM_SPECIAL,     /* %clock64: its name; index: 0 .. 3 of .x .. .w after it, else WS_NO_INDEX */
    WS_ITEM_ADDRESS,     /* [base + value, more ...]: base_kind, index; the items after the base are its parts */
    WS_ITEM_VECTOR,      /* {a, b}, or a vector register: its parts */
    WS_ITEM_PARENTHESES, /* (a, b): its parts */
    WS_ITEM_PAIR         /* d|p: two parts */
} ws_item_kind;

typedef struct ws_item {
    uint8_t kind;        /* ws_item_kind */
    uint8_t base_kind;   /* of ADDRESS: REGISTER, VARIABLE, SPECIAL ..., or INTEGER: value alone */
    bool is_inverted;    /* !p */
    bool is_negative;    /* INTEGER: a minus sign made it, and as int64 it is below 0; REGISTER: -%r1 */
    uint32_t index;      /* see the kinds */
    uint32_t at, length; /* in the text; SPECIAL: the whole name */
    uint32_t first_part; /* in items */
    uint32_t part_count;
    uint32_t selector; /* REGISTER with .b0, .h1: where its dot is in the text, else 0 */
    uint64_t value;
} ws_item;

typedef struct ws_location {
    uint32_t file;         /* in files; WS_NO_INDEX: its number has no .file */
    uint32_t line, column; /* as written, below 2^31: line 0 occurs */
    uint32_t inlined_at;   /* in locations, an earlier one; WS_NO_INDEX: not inlined */
    ws_span function_name; /* in module->bytes, a name without its zero; empty: nothing said */
} ws_location;

typedef struct ws_file {
    uint64_t number;
    ws_span name; /* in the text, without quotes */
} ws_file;

typedef struct ws_module {
    const char *text; /* the caller's; it must outlive the module */
    size_t length;
    uint32_t version;      /* 86 of .version 8.6 */
    uint32_t address_size; /* bits: 32, 64 */
    bool is_debug;         /* .target ..., debug */
    ws_span *targets;      /* the first is what the file was made for */
    ws_variable *variables;
    ws_initial_run *runs;
    ws_relocation *relocations;
    uint8_t *bytes;
    ws_function *functions;
    ws_register *registers;
    ws_statement *statements;
    ws_item *items;
    ws_opcode *opcodes;
    ws_list *lists;
    ws_pragma *pragmas;
    ws_location *locations;
    ws_file *files;
    uint32_t *lines; /* where each line begins */
    uint32_t target_count, variable_count, run_count, relocation_count, byte_count, function_count, register_count,
        statement_count, item_count, opcode_count, list_count, pragma_count, location_count, file_count, line_count;
    ws_effort *effort; /* of searches for what is told; NULL: without bound */
} ws_module;

/* Line and column, both from 1, of a byte of the text. */
typedef struct ws_place_in_text {
    uint32_t line, column;
} ws_place_in_text;

static inline ws_place_in_text ws_module_place(const ws_module *module, size_t at) {
    uint32_t low = 0, high = module->line_count;
    ws_place_in_text place;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (module->lines[middle] <= at) low = middle;
        else high = middle;
    }
    place.line = low + 1;
    place.column = (uint32_t)(at - module->lines[low]) + 1;
    return place;
}

/* The kernel of that name, as a number of a function; WS_NO_INDEX if no kernel of that name has a body. */
static inline uint32_t ws_module_kernel(const ws_module *module, const char *name) {
    uint32_t i;
    for (i = 0; i < module->function_count; i++) {
        const ws_function *f = &module->functions[i];
        if (f->is_entry && !f->is_declaration &&
            ws_bytes_equal(module->text + f->name.begin, f->name.end - f->name.begin, name)) {
            return i;
        }
    }
    return WS_NO_INDEX;
}

#endif
