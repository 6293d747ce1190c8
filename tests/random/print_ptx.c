// Writes a program as PTX: registers, operations, control flow, modules.
#include "print.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char bank_letters[BANKS][3] = {"h", "r", "d", "p"};

unsigned temporary(Printer *w, Bank bank) { return w->temporaries[bank]++; }

Name register_name(Bank bank, unsigned number)
{
    Name name;
    snprintf(name.text, sizeof name.text, "%%%s%u", bank_letters[bank], number);
    return name;
}

Name temporary_name(Bank bank, unsigned number)
{
    Name name;
    snprintf(name.text, sizeof name.text, "%%t%s%u", bank_letters[bank], number);
    return name;
}

bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if (!text_is_alphanumeric(at[length]) && at[length] != '_') return true;
    return false;
}

Name source_name(const Source *s, Type type)
{
    Name name;
    uint64_t bits = low_bits(s->bits, types[type].bits);
    if (!s->is_number) {
        name = register_name(bank_of(type), s->number);
        if (type == T_PRED && s->negated) {
            memmove(name.text + 1, name.text, strlen(name.text) + 1);
            name.text[0] = '!';
        }
    } else if (type == T_F32) {
        snprintf(name.text, sizeof name.text, "0f%08" PRIX64, bits);
    } else if (type == T_F64) {
        snprintf(name.text, sizeof name.text, "0d%016" PRIX64, bits);
    } else {
        snprintf(name.text, sizeof name.text, bits < 1000 ? "%" PRIu64 : "0x%" PRIx64, bits);
    }
    return name;
}

Name guard_name(const Statement *s)
{
    Name name = {""};
    if (s->guard >= 0)
        snprintf(name.text, sizeof name.text, "@%s%%p%d ", s->guard_negated ? "!" : "", s->guard);
    return name;
}

// ---- operations ----

// The mode's text: the word with this number.
static void print_mode(FILE *out, const char *modes, unsigned mode)
{
    for (; mode; mode--) modes = strchr(modes, ' ') + 1;
    if (*modes != '-') fprintf(out, "%.*s", (int)strcspn(modes, " "), modes);
}

static void print_opcode(FILE *out, const Statement *s)
{
    static const char *const integral[] = {".rni", ".rzi", ".rmi", ".rpi"};
    const Operation *op = s->op;
    for (const char *c = op->text; *c; c++) {
        if (*c != '%') {
            fputc(*c, out);
            continue;
        }
        switch (*++c) {
        case 't': fputs(types[s->type].name, out); break;
        case 'u': fputs(types[s->type2].name, out); break;
        case 'r': fputs(rounding_names[s->rounding], out); break;
        case 'i':
            if (!op->modes || s->mode) fputs(integral[s->rounding], out);
            break;
        case 'f': fputs(s->flush ? ".ftz" : "", out); break;
        case 's': fputs(s->saturate ? ".sat" : "", out); break;
        case 'c': fputs(comparison_names[s->comparison], out); break;
        case 'b': fputs(combination_names[s->combination], out); break;
        case 'C': fputs(s->carry_in ? "c" : "", out); break;
        case 'K': fputs(s->carry_out ? ".cc" : "", out); break;
        default: print_mode(out, op->modes, s->mode); break;
        }
    }
}

static void print_operation(Printer *w, const Statement *s)
{
    const char *sources = strchr(s->op->operands, '=') + 1;
    Type to = operand_type(s, s->op->operands[0]);
    fprintf(w->out, "    %s", guard_name(s).text);
    print_opcode(w->out, s);
    fprintf(w->out, " %s", register_name(bank_of(to), s->to[0]).text);
    if (s->has_second) fprintf(w->out, "|%s", register_name(BANK_PRED, s->to[1]).text);
    for (unsigned i = 0; sources[i]; i++)
        if (sources[i] != 'o' || s->combination)
            fprintf(w->out, ", %s", source_name(&s->from[i], operand_type(s, sources[i])).text);
    fputs(";\n", w->out);
}

// In the order of lane_number in interpret.c.
static const char *const lane_numbers[] = {
    "%tid.x",   "%tid.y",  "%tid.z",      "%ntid.x",     "%ntid.y",     "%ctaid.x",
    "%nctaid.x", "%laneid", "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "WARP_SZ",
};

static void print_parts(Printer *w, const Statement *s)
{
    Type part = types[s->type].bits / s->vector == 16 ? T_B16 : T_B32;
    const char *between = "";
    fprintf(w->out, "    %smov.%s ", guard_name(s).text, types[s->type].name);
    if (s->kind == PACK)
        fprintf(w->out, "%s, ", register_name(bank_of(s->type), s->to[0]).text);
    fputc('{', w->out);
    for (unsigned i = 0; i < s->vector; i++, between = ", ")
        fprintf(w->out, "%s%s", between,
                s->kind == PACK ? source_name(&s->from[i], part).text
                                : register_name(bank_of(part), s->to[i]).text);
    fputc('}', w->out);
    if (s->kind == UNPACK) fprintf(w->out, ", %s", source_name(&s->from[0], s->type).text);
    fputs(";\n", w->out);
}

// ---- control ----

static unsigned label(Printer *w) { return w->labels++; }

static void place(Printer *w, unsigned number)
{
    fprintf(w->out, "L%u_%u:\n", w->f->number, number);
}

static void go(Printer *w, unsigned number)
{
    fprintf(w->out, "    bra L%u_%u;\n", w->f->number, number);
}

static void go_if(Printer *w, const char *predicate, unsigned number)
{
    fprintf(w->out, "    @%s bra L%u_%u;\n", predicate, w->f->number, number);
}

static Name opposite(const Source *predicate)
{
    Source other = *predicate;
    other.negated = !other.negated;
    return source_name(&other, T_PRED);
}

static void print_if(Printer *w, const Statement *s)
{
    unsigned end = label(w), no = s->other ? label(w) : end;
    int outer = w->members;
    unsigned yes_members = 0, no_members = 0;
    if (s->members) {
        yes_members = temporary(w, BANK_32);
        no_members = temporary(w, BANK_32);
        fprintf(w->out, "    vote.sync.ballot.b32 %%tr%u, %s, %%tr%d;\n", yes_members,
                source_name(&s->from[0], T_PRED).text, outer);
        fprintf(w->out, "    xor.b32 %%tr%u, %%tr%u, %%tr%d;\n", no_members, yes_members, outer);
    }
    go_if(w, opposite(&s->from[0]).text, no);
    w->members = s->members ? (int)yes_members : -1;
    print_list(w, s->body);
    if (s->other) {
        go(w, end);
        place(w, no);
        w->members = s->members ? (int)no_members : -1;
        print_list(w, s->other);
    }
    place(w, end);
    w->members = outer;
}

static void print_loop(Printer *w, const Statement *s)
{
    Printer outer = *w;
    unsigned start = label(w), end = label(w), count = temporary(w, BANK_32);
    unsigned go_on = temporary(w, BANK_PRED);
    fprintf(w->out, "    and.b32 %%tr%u, %s, %u;\n", count, source_name(&s->from[0], T_B32).text,
            s->mode);
    if (s->members) {
        w->members = (int)temporary(w, BANK_32);
        fprintf(w->out, "    mov.u32 %%tr%d, %%tr%d;\n", w->members, outer.members);
    } else {
        w->members = -1;
    }
    w->left = (int)end;
    w->loop_members = s->members;
    place(w, start);
    print_list(w, s->body);
    fprintf(w->out, "    setp.ne.u32 %%tp%u, %%tr%u, 0;\n    sub.u32 %%tr%u, %%tr%u, 1;\n", go_on,
            count, count, count);
    if (s->members)
        fprintf(w->out, "    vote.sync.ballot.b32 %%tr%d, %%tp%u, %%tr%d;\n", w->members, go_on,
                w->members);
    go_if(w, temporary_name(BANK_PRED, go_on).text, start);
    place(w, end);
    w->members = outer.members;
    w->left = outer.left;
    w->loop_members = outer.loop_members;
}

static void print_walk(Printer *w, const Statement *s)
{
    Printer outer = *w;
    unsigned start = label(w), at = temporary(w, BANK_32), last = temporary(w, BANK_32),
             sum = temporary(w, BANK_32), head = temporary(w, BANK_32),
             tail = temporary(w, BANK_32), go_on = temporary(w, BANK_PRED);
    unsigned from = temporary(w, BANK_64), to = temporary(w, BANK_64);
    const char *load = s->hint ? "ld.global.nc.u32" : "ld.global.u32";
    fprintf(w->out, "    and.b32 %%tr%u, %s, %d;\n    and.b32 %%tr%u, %s, %u;\n", at,
            source_name(&s->from[0], T_B32).text, WALK_START, last,
            source_name(&s->from[1], T_B32).text, s->mode);
    fprintf(w->out, "    add.u32 %%tr%u, %%tr%u, %%tr%u;\n    mov.u32 %%tr%u, 0;\n", last, last,
            at, sum);
    place(w, start);
    w->members = -1;
    print_list(w, s->body);
    fprintf(w->out, "    mul.wide.u32 %%td%u, %%tr%u, 4;\n    add.u64 %%td%u, %%in, %%td%u;\n"
                    "    %s %%tr%u, [%%td%u+%d];\n",
            from, at, from, from, load, head, from, LINKS_AT);
    fprintf(w->out, "    mul.wide.u32 %%td%u, %%tr%u, 4;\n    add.u64 %%td%u, %%in, %%td%u;\n"
                    "    %s %%tr%u, [%%td%u+%d];\n    add.u32 %%tr%u, %%tr%u, %%tr%u;\n",
            to, head, to, to, load, tail, to, LINKS_AT, sum, sum, tail);
    fprintf(w->out, "    setp.lt.u32 %%tp%u, %%tr%u, %%tr%u;\n    add.u32 %%tr%u, %%tr%u, 1;\n",
            go_on, at, last, at, at);
    go_if(w, temporary_name(BANK_PRED, go_on).text, start);
    fprintf(w->out, "    mov.u32 %s, %%tr%u;\n", register_name(BANK_32, s->to[0]).text, sum);
    w->members = outer.members;
}

static void print_break(Printer *w, const Statement *s)
{
    if (w->loop_members)
        fprintf(w->out, "    vote.sync.ballot.b32 %%tr%d, %s, %%tr%d;\n", w->members,
                opposite(&s->from[0]).text, w->members);
    go_if(w, source_name(&s->from[0], T_PRED).text, (unsigned)w->left);
}

static void print_exit(Printer *w, const Statement *s)
{
    if (w->members >= 0)
        fprintf(w->out, "    vote.sync.ballot.b32 %%tr%d, %s, %%tr%d;\n", w->members,
                opposite(&s->from[0]).text, w->members);
    fprintf(w->out, "    @%s exit;\n", source_name(&s->from[0], T_PRED).text);
}

static void print_return(Printer *w, const Statement *s)
{
    unsigned stay = label(w);
    go_if(w, opposite(&s->from[0]).text, stay);
    print_result(w);
    fputs("    ret;\n", w->out);
    place(w, stay);
}

static void print_table(Printer *w, unsigned index, const unsigned *labels)
{
    unsigned table = label(w);
    fprintf(w->out, "T%u_%u: .branchtargets ", w->f->number, table);
    for (unsigned i = 0; i < 4; i++)
        fprintf(w->out, "%sL%u_%u", i ? ", " : "", w->f->number, labels[i]);
    fprintf(w->out, ";\n    brx.idx %%tr%u, T%u_%u;\n", index, w->f->number, table);
}

static unsigned print_index(Printer *w, const Source *by)
{
    unsigned index = temporary(w, BANK_32);
    fprintf(w->out, "    and.b32 %%tr%u, %s, 3;\n", index, source_name(by, T_B32).text);
    return index;
}

static void print_switch(Printer *w, const Statement *s)
{
    unsigned labels[SWITCH_CASES], end = label(w);
    int outer = w->members;
    w->members = -1;
    for (unsigned i = 0; i < SWITCH_CASES; i++) labels[i] = label(w);
    print_table(w, print_index(w, &s->from[0]), labels);
    for (unsigned i = 0; i < SWITCH_CASES; i++) {
        place(w, labels[i]);
        print_list(w, s->cases[i]);
        if (i + 1 < SWITCH_CASES) go(w, end);
    }
    place(w, end);
    w->members = outer;
}

enum { REGION_FUEL = 12 }; // as in interpret.c

static void print_region(Printer *w, const Statement *s)
{
    unsigned labels[REGION_BLOCKS + 1], fuel = temporary(w, BANK_32);
    int outer = w->members;
    w->members = -1;
    for (unsigned i = 0; i <= REGION_BLOCKS; i++) labels[i] = label(w);
    unsigned end = labels[REGION_BLOCKS];
    fprintf(w->out, "    mov.u32 %%tr%u, %d;\n", fuel, REGION_FUEL);
    for (unsigned i = 0; i < s->blocks; i++) {
        const Jump *j = &s->jumps[i];
        unsigned empty = temporary(w, BANK_PRED), to[4];
        for (unsigned k = 0; k < 4; k++) to[k] = j->to[k] < s->blocks ? labels[j->to[k]] : end;
        place(w, labels[i]);
        fprintf(w->out, "    setp.eq.u32 %%tp%u, %%tr%u, 0;\n", empty, fuel);
        go_if(w, temporary_name(BANK_PRED, empty).text, end);
        fprintf(w->out, "    sub.u32 %%tr%u, %%tr%u, 1;\n", fuel, fuel);
        print_list(w, s->cases[i]);
        if (j->kind == GO_BY_TABLE) {
            print_table(w, print_index(w, &j->by), to);
            continue;
        }
        if (j->kind == GO_IF) {
            go_if(w, source_name(&j->by, T_PRED).text, to[0]);
            go(w, to[1]);
        } else {
            go(w, to[0]);
        }
    }
    place(w, end);
    w->members = outer;
}

static void print_statement(Printer *w, const Statement *s)
{
    switch (s->kind) {
    case OPERATE: print_operation(w, s); break;
    case CHAIN:
        for (const Statement *o = s->body; o; o = o->next) print_operation(w, o);
        break;
    case VIDEO: print_video(w, s); break;
    case IF: print_if(w, s); break;
    case LOOP: print_loop(w, s); break;
    case WALK: print_walk(w, s); break;
    case BREAK: print_break(w, s); break;
    case SWITCH: print_switch(w, s); break;
    case REGION: print_region(w, s); break;
    case LOAD: case STORE: print_memory(w, s); break;
    case ALLOCATE: print_allocate(w, s); break;
    case OWN_ATOMIC: case SUM_ATOMIC: print_atomic(w, s); break;
    case EXCHANGE: case VOTE_BARRIER: print_exchange(w, s); break;
    case SHUFFLE: case VOTE: case MATCH: case REDUCE: case LEADER:
        print_warp(w, s);
        break;
    case LANE_NUMBER:
        fprintf(w->out, "    %smov.u32 %s, %s;\n", guard_name(s).text,
                register_name(BANK_32, s->to[0]).text, lane_numbers[s->mode]);
        break;
    case PACK: case UNPACK: print_parts(w, s); break;
    case CALL: print_call(w, s); break;
    case RETURN: print_return(w, s); break;
    case EXIT: print_exit(w, s); break;
    }
}

void print_list(Printer *w, const Statement *list)
{
    for (const Statement *s = list; s; s = s->next)
        if (!s->removed) print_statement(w, s);
}

// ---- functions and modules ----

static void print_registers(FILE *out, const Printer *w)
{
    static const char *const names[BANKS] = {"b16", "b32", "b64", "pred"};
    for (Bank b = 0; b < BANKS; b++)
        fprintf(out, "    .reg .%s %%%s<%u>, %%t%s<%u>;\n", names[b], bank_letters[b],
                bank_registers[b], bank_letters[b], w->temporaries[b] + 1);
}

// Writes to a text in memory.
typedef struct Buffer { FILE *out; char *text; size_t length; } Buffer;

static bool buffer_open(Buffer *b)
{
    *b = (Buffer){0};
    b->out = open_memstream(&b->text, &b->length);
    return b->out != NULL;
}

// false: out of memory; there is no text then.
static bool buffer_close(Buffer *b)
{
    bool ok = b->out && !ferror(b->out);
    if (b->out && fclose(b->out)) ok = false;
    if (ok) return true;
    free(b->text);
    b->text = NULL;
    return false;
}

static bool print_function(FILE *out, const Program *p, const Function *f, const char *name)
{
    Buffer body, first;
    Printer w = {.p = p, .f = f, .members = -1};
    if (!buffer_open(&body)) return false;
    if (!f->number && p->warps) w.members = (int)temporary(&w, BANK_32);
    w.out = body.out;
    print_list(&w, f->body);
    if (f->number) print_function_end(&w);
    else print_kernel_end(&w);
    if (!buffer_close(&body)) return false;
    if (!buffer_open(&first)) {
        free(body.text);
        return false;
    }
    w.out = first.out;
    w.body = body.text;
    if (f->number) print_function_start(&w);
    else print_kernel_start(&w);
    bool ok = buffer_close(&first);
    if (f->number) print_signature(out, f);
    else
        fprintf(out, ".visible .entry %s(.param .u64 memory, .param .align %d .b8 extra[%d])", name,
                PARAMETER_AT, PARAMETER_BYTES);
    fputs("\n{\n", out);
    print_registers(out, &w);
    if (mentions(body.text, "depot"))
        fprintf(out, "    .local .align 16 .b8 depot[%d];\n", LOCAL_BYTES);
    fprintf(out, "%s%s}\n", ok ? first.text : "", body.text);
    free(first.text);
    free(body.text);
    return ok;
}

// The variables that the functions' text mentions.
static void print_variables(FILE *out, const Program *p, const char *functions)
{
    static const char *const tables[][2] = {{".const", "table"}, {".global", "data"}};
    unsigned threads = program_threads(p);
    fputs(".version 8.3\n.target sm_90\n.address_size 64\n", out);
    for (unsigned k = 0; k < 2; k++) {
        if (!mentions(functions, tables[k][1])) continue;
        fprintf(out, "%s .align 16 .b8 %s[%d] = {", tables[k][0], tables[k][1], CONSTANT_BYTES);
        for (unsigned i = 0; i < CONSTANT_BYTES; i++)
            fprintf(out, "%s%u", i ? "," : "", p->constants[i]);
        fputs("};\n", out);
    }
    if (mentions(functions, "box"))
        fprintf(out, ".shared .align 16 .b8 box[%u];\n", SHARED_OWN_BYTES * threads);
    if (mentions(functions, "swap")) fprintf(out, ".shared .align 4 .b32 swap[%u];\n", threads);
    if (mentions(functions, "sums"))
        fprintf(out, ".shared .align 8 .b64 sums[%d];\n", BLOCK_SUMS);
}

char *program_ptx(const Program *p, const char *name)
{
    Buffer functions, all;
    bool ok = buffer_open(&functions);
    if (!ok) return NULL;
    for (unsigned i = 1; i < p->function_count; i++) {
        print_signature(functions.out, &p->functions[i]);
        fputs(";\n", functions.out);
    }
    for (unsigned i = p->function_count; i-- > 0;)
        ok = print_function(functions.out, p, &p->functions[i], name) && ok;
    if (!buffer_close(&functions)) return NULL;
    ok = buffer_open(&all) && ok;
    if (all.out) {
        print_variables(all.out, p, functions.text);
        fputs(functions.text, all.out);
    }
    free(functions.text);
    if (buffer_close(&all) && ok) return all.text;
    free(all.text);
    return NULL;
}
