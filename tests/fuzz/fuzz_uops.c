// Fuzz target of the verifier, `uops`: changes numbers in the module of a text, as a front end with
// faults might, and runs what still verifies. The sanitizers then say what the verifier let
// through.
//
// An input is one byte of options (fuzz_gpu.h), two bytes that choose the text, and changes of
// eight bytes each. What says how long an array behind a pointer is stays as it is: nothing in the
// module could contradict it.
#include "fuzz.h"
#include "fuzz_gpu.h"

#include "base/file.h"
#include "base/text.h"
#include "random/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_LINES = 6, PROGRAMS = 4, MAX_TEXTS = 128, MAX_CHANGES = 16 };

// ---- the texts ----

typedef struct Texts {
    char *items[MAX_TEXTS];
    size_t count;
} Texts;

static void add_text(Texts *texts, char *text)
{
    fuzz_check(text && texts->count < MAX_TEXTS, "a text is missing, or there are too many");
    texts->items[texts->count++] = text;
}

static char *read_text(const char *name)
{
    char path[512];
    HdError err = {0};
    snprintf(path, sizeof path, "%s/%s", HEDDLE_TESTS, name);
    char *text = file_read(path, &(size_t){0}, &err);
    fuzz_check(text != NULL, err.text);
    return text;
}

// Adds a kernel with this body, unless it does not parse: a label may be elsewhere in the file.
static void add_body(Texts *texts, const char *body)
{
    HdError err = {0};
    char *text = fuzz_kernel(body);
    PtxModule *module = ptx_parse(text, "body.ptx", &err);
    if (module) add_text(texts, text);
    else free(text);
    ptx_free(module);
}

// Kernels of six instructions each, from a file that has one of every form.
static void add_forms(Texts *texts, const char *name)
{
    static const char start[] = "\tld.param.u64\t%rd9, [p];\n";
    char *file = read_text(name), body[4096];
    size_t lines = 0;
    strcpy(body, start);
    for (char *line = strtok(file, "\n"); line; line = strtok(NULL, "\n")) {
        bool instruction = line[0] == '\t' && (text_is_letter(line[1]) || line[1] == '@') &&
                           strchr(line, ';') && !strpbrk(line, "{}");
        if (!instruction || strlen(body) + strlen(line) + 2 > sizeof body) continue;
        strcat(strcat(body, line), "\n");
        if (++lines % BODY_LINES) continue;
        add_body(texts, body);
        strcpy(body, start);
    }
    add_body(texts, body);
    free(file);
}

// The files of the tests, and a few random programs, whose calls, frames and vectors work together,
// but which take ten times as long.
static const Texts *all_texts(void)
{
    static Texts texts;
    static const char *const files[] = {"ptx/every_uop.ptx", "gpu/mix.ptx", "gpu/rounds.ptx"};
    if (texts.count) return &texts;
    add_forms(&texts, "ptx/forms.ptx");
    add_forms(&texts, "ptx/opcodes.ptx");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) add_text(&texts, read_text(files[i]));
    Program *program = malloc(sizeof *program);
    fuzz_check(program != NULL, "out of memory");
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        Choices choices = choices_of_seed(seed);
        program_generate(program, &choices);
        add_text(&texts, program_ptx(program, "k"));
    }
    free(program);
    return &texts;
}

// ---- the numbers of a module ----

// One number, or an array of them, in a struct.
typedef struct Field {
    uint16_t at;
    uint8_t bytes; // of one number
    uint8_t count;
    bool truth; // 0 or 1
} Field;
#define FIELD(type, member)                                                                        \
    {offsetof(type, member), sizeof(((type *)0)->member), 1, false}
#define ARRAY(type, member)                                                                        \
    {offsetof(type, member), sizeof *((type *)0)->member,                                         \
     sizeof((type *)0)->member / sizeof *((type *)0)->member, false}
#define TRUTH(type, member) {offsetof(type, member), 1, 1, true}

static const Field op_fields[] = {
    FIELD(UOp, code), FIELD(UOp, type), FIELD(UOp, type2), FIELD(UOp, rounding),
    FIELD(UOp, modifier), FIELD(UOp, space), FIELD(UOp, cache), FIELD(UOp, vec), FIELD(UOp, flags),
    FIELD(UOp, guard), TRUTH(UOp, guard_negated), FIELD(UOp, class), ARRAY(UOp, dst),
    ARRAY(UOp, src), FIELD(UOp, target), FIELD(UOp, imm),
};
static const Field timing_fields[] = {
    FIELD(UOpTiming, reconverge), FIELD(UOpTiming, line), FIELD(UOpTiming, source_line),
    FIELD(UOpTiming, source_file), FIELD(UOpTiming, read_count), FIELD(UOpTiming, write_count),
    ARRAY(UOpTiming, reads), ARRAY(UOpTiming, writes), FIELD(UOpTiming, bank_read_count),
    FIELD(UOpTiming, bank_write_count), ARRAY(UOpTiming, bank_reads),
    ARRAY(UOpTiming, bank_writes), FIELD(UOpTiming, scalar_bank_reads),
    FIELD(UOpTiming, scalar_bank_writes), FIELD(UOpTiming, marks),
};
static const Field name_fields[] = {
    FIELD(PtxOperands, guard), ARRAY(PtxOperands, dst), ARRAY(PtxOperands, src),
};
static const Field function_fields[] = {
    TRUTH(PtxFunction, entry), TRUTH(PtxFunction, recursive), FIELD(PtxFunction, param_bytes),
    FIELD(PtxFunction, frame_slots), FIELD(PtxFunction, frame_predicates),
    FIELD(PtxFunction, frame_param_bytes), FIELD(PtxFunction, local_bytes),
    TRUTH(PtxFunction, allocates), FIELD(PtxFunction, registers), FIELD(PtxFunction, shared_bytes),
    FIELD(PtxFunction, max_call_local), FIELD(PtxFunction, max_call_slots),
    FIELD(PtxFunction, max_call_predicates), FIELD(PtxFunction, max_call_param_bytes),
    FIELD(PtxFunction, max_call_depth), FIELD(PtxFunction, signature),
    FIELD(PtxFunction, block_count), ARRAY(PtxFunction, max_threads),
    ARRAY(PtxFunction, required_threads), FIELD(PtxFunction, min_blocks),
    FIELD(PtxFunction, max_registers),
};
static const Field param_fields[] = {
    FIELD(PtxParam, type), FIELD(PtxParam, offset), FIELD(PtxParam, bytes), FIELD(PtxParam, align),
    TRUTH(PtxParam, pointer),
};
static const Field call_fields[] = {
    FIELD(PtxCall, callee), FIELD(PtxCall, signature), FIELD(PtxCall, variable.from),
    FIELD(PtxCall, variable.to), FIELD(PtxCall, variable.bytes),
};
static const Field copy_fields[] = {
    FIELD(PtxCopy, from), FIELD(PtxCopy, to), FIELD(PtxCopy, bytes),
};
static const Field target_fields[] = {{0, sizeof(uint32_t), 1, false}};
static const Field variable_fields[] = {
    FIELD(PtxVariable, space), FIELD(PtxVariable, bytes), FIELD(PtxVariable, align),
    TRUTH(PtxVariable, texture), TRUTH(PtxVariable, external), FIELD(PtxVariable, address),
    FIELD(PtxVariable, line),
};
static const Field relocation_fields[] = {
    FIELD(PtxRelocation, variable), FIELD(PtxRelocation, function), FIELD(PtxRelocation, in),
    FIELD(PtxRelocation, slot), FIELD(PtxRelocation, addend), FIELD(PtxRelocation, shift),
    FIELD(PtxRelocation, bytes), TRUTH(PtxRelocation, generic),
};
static const Field module_fields[] = {
    FIELD(PtxModule, version_major), FIELD(PtxModule, version_minor),
    FIELD(PtxModule, const_bytes), TRUTH(PtxModule, heap),
};

// An array of structs in a module.
typedef struct Place {
    void *items;
    size_t count, bytes; // bytes of one item
    const Field *fields;
    size_t field_count;
} Place;
#define PLACE(items, count, fields)                                                                \
    (Place){(void *)(items), count, sizeof *(items), fields, sizeof fields / sizeof *fields}

enum { PLACES = 16 };

// The place of this number. `owner`: of the function, call or table that it belongs to.
static Place place_of(PtxModule *m, unsigned number, unsigned owner)
{
    PtxFunction *f = m->function_count ? &m->functions[owner % m->function_count] : NULL;
    PtxCall *call = m->call_count ? &m->calls[owner % m->call_count] : NULL;
    PtxBranchTable *table = m->table_count ? &m->tables[owner % m->table_count] : NULL;
    switch (number % PLACES) {
    case 0: return PLACE(m->functions, m->function_count, function_fields);
    case 1: return PLACE(m->variables, m->variable_count, variable_fields);
    case 2: return PLACE(m->relocations, m->relocation_count, relocation_fields);
    case 3: return PLACE(m->calls, m->call_count, call_fields);
    case 4: return PLACE(m, 1, module_fields);
    case 5: if (call) return PLACE(call->arguments, call->argument_count, copy_fields); break;
    case 6: if (call) return PLACE(call->results, call->result_count, copy_fields); break;
    case 7: if (table) return PLACE(table->targets, table->count, target_fields); break;
    case 8: if (f) return PLACE(f->params, f->param_count, param_fields); break;
    case 9: if (f) return PLACE(f->timing, f->op_count, timing_fields); break;
    case 10: if (f) return PLACE(f->operands, f->op_count, name_fields); break;
    default: if (f) return PLACE(f->ops, f->op_count, op_fields); break; // most of them
    }
    return (Place){0};
}

// Changes one number: the first byte chooses the place, then its owner, the item, the field, how to
// change it, and by what.
static void change(PtxModule *m, const uint8_t c[8])
{
    Place place = place_of(m, c[0], c[1]);
    if (!place.count) return;
    size_t item = (c[2] | (size_t)(c[5] >> 4) << 8) % place.count;
    const Field *field = &place.fields[c[3] % place.field_count];
    uint8_t *at = (uint8_t *)place.items + item * place.bytes + field->at +
                  (size_t)(c[4] % field->count) * field->bytes;
    uint64_t value = 0, by = (uint64_t)(int64_t)(int16_t)(c[6] | c[7] << 8);
    memcpy(&value, at, field->bytes);
    switch (c[5] & 3) {
    case 0: value = by; break;
    case 1: value += by; break;
    case 2: value ^= by; break;
    case 3: value ^= UINT64_C(1) << c[6] % (8 * field->bytes); break;
    }
    if (field->truth) value &= 1;
    memcpy(at, &value, field->bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 3) return 0;
    const Texts *texts = all_texts();
    const char *text = texts->items[(bytes[1] | bytes[2] << 8) % texts->count];
    HdError err = {0};
    PtxModule *module = ptx_parse_with(text, "input.ptx", fuzz_ptx_options(bytes[0]), &err);
    fuzz_check(module != NULL, err.text);
    for (size_t i = 0; i < MAX_CHANGES && 3 + 8 * (i + 1) <= size; i++)
        change(module, bytes + 3 + 8 * i);
    fuzz_run(module, bytes[0], false);
    return 0;
}
