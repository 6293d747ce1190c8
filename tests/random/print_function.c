// Writes the first and last instructions of functions and of the kernel, and calls.
//
// Each function gets the thread's own bytes, the input, the thread's number in its block, and the
// depth of a recursion, in front of its parameters.
#include "print.h"

#include <inttypes.h>

// ---- parameters ----

static void print_parameter(FILE *out, const Parameter *a, const char *name)
{
    if (a->array) fprintf(out, ".param .align %u .b8 %s[%u]", a->align, name, a->bytes);
    else fprintf(out, ".param .b%u %s", a->bytes * 8, name);
}

static Name argument_name(const char *prefix, unsigned i)
{
    Name name;
    snprintf(name.text, sizeof name.text, "%s%u", prefix, i);
    return name;
}

// "(.param result) NAME (.param ...)"; prefix NULL: all names are "_", as in a prototype.
static void print_interface(FILE *out, const Function *f, const char *name, const char *prefix)
{
    const char *fixed[] = {"own", "input", "lin", "depth"};
    if (f->has_result) {
        fputc('(', out);
        print_parameter(out, &f->result, prefix ? "result" : "_");
        fputs(") ", out);
    }
    fprintf(out, "%s (", name);
    for (unsigned i = 0; i < 4; i++)
        fprintf(out, "%s.param .b%d %s", i ? ", " : "", i < 2 ? 64 : 32, prefix ? fixed[i] : "_");
    for (unsigned i = 0; i < f->parameters; i++) {
        fputs(", ", out);
        print_parameter(out, &f->parameter[i], prefix ? argument_name(prefix, i).text : "_");
    }
    fputc(')', out);
}

void print_signature(FILE *out, const Function *f)
{
    fputs(".func ", out);
    print_interface(out, f, argument_name("f", f->number).text, "a");
}

// Two adjacent fields of one type are accessed as a vector.
static bool is_pair(const Parameter *a)
{
    return a->array && a->fields == 2 && a->type[0] == a->type[1] && a->offset[0] == 0 &&
           a->offset[1] == types[a->type[0]].bits / 8 && a->align >= 2 * a->offset[1];
}

// Loads the fields of a parameter into registers.
static void print_load_fields(Printer *w, const Parameter *a, const char *name, const uint8_t *to)
{
    if (is_pair(a)) {
        Bank bank = bank_of(a->type[0]);
        fprintf(w->out, "    ld.param.v2.%s {%s, %s}, [%s];\n", types[a->type[0]].name,
                register_name(bank, to[0]).text, register_name(bank, to[1]).text, name);
        return;
    }
    for (unsigned k = 0; k < a->fields; k++)
        fprintf(w->out, "    ld.param.%s %s, [%s+%u];\n", types[a->type[k]].name,
                register_name(bank_of(a->type[k]), to[k]).text, name, a->offset[k]);
}

static void print_store_fields(Printer *w, const Parameter *a, const char *name, const Source *from)
{
    if (is_pair(a)) {
        fprintf(w->out, "    st.param.v2.%s [%s], {%s, %s};\n", types[a->type[0]].name, name,
                source_name(&from[0], a->type[0]).text, source_name(&from[1], a->type[0]).text);
        return;
    }
    for (unsigned k = 0; k < a->fields; k++)
        fprintf(w->out, "    st.param.%s [%s+%u], %s;\n", types[a->type[k]].name, name,
                a->offset[k], source_name(&from[k], a->type[k]).text);
}

void print_result(Printer *w)
{
    Source from[MAX_FIELDS] = {0};
    if (!w->f->has_result) return;
    for (unsigned k = 0; k < w->f->result.fields; k++) from[k].number = w->f->result.to[k];
    print_store_fields(w, &w->f->result, "result", from);
}

// ---- calls ----

// The register with the address of the function that from[0] selects.
static unsigned print_callee(Printer *w, const Statement *s)
{
    unsigned first = temporary(w, BANK_64), second = temporary(w, BANK_64);
    fprintf(w->out, "    mov.u64 %%td%u, f%u;\n    mov.u64 %%td%u, f%u;\n", first,
            s->function->number, second, s->second->number);
    fprintf(w->out, "    selp.b64 %%td%u, %%td%u, %%td%u, %%p%u;\n", first,
            s->from[0].negated ? second : first, s->from[0].negated ? first : second,
            s->from[0].number);
    return first;
}

static void print_arguments(Printer *w, const Statement *s, bool recursion)
{
    const Function *g = s->function;
    fputs("    .param .b64 c_own;\n    .param .b64 c_in;\n    .param .b32 c_lin;\n"
          "    .param .b32 c_depth;\n"
          "    st.param.b64 [c_own], %own;\n    st.param.b64 [c_in], %in;\n"
          "    st.param.b32 [c_lin], %lin;\n",
          w->out);
    if (recursion) {
        unsigned less = temporary(w, BANK_32);
        fprintf(w->out, "    sub.u32 %%tr%u, %%depth, 1;\n    st.param.b32 [c_depth], %%tr%u;\n",
                less, less);
    } else {
        fprintf(w->out, "    st.param.b32 [c_depth], %u;\n", s->mode);
    }
    for (unsigned i = 0; i < g->parameters; i++) {
        Name name = argument_name("c", i);
        fputs("    ", w->out);
        print_parameter(w->out, &g->parameter[i], name.text);
        fputs(";\n", w->out);
        print_store_fields(w, &g->parameter[i], name.text, s->arguments[i]);
    }
}

void print_call(Printer *w, const Statement *s)
{
    const Function *g = s->function;
    bool recursion = g == w->f;
    unsigned end = w->labels++, prototype = w->labels++, callee = 0;
    if (recursion) {
        unsigned deep = temporary(w, BANK_PRED);
        fprintf(w->out, "    setp.eq.u32 %%tp%u, %%depth, 0;\n    @%%tp%u bra L%u_%u;\n", deep,
                deep, w->f->number, end);
    }
    fputs("    {\n", w->out);
    if (s->second) {
        callee = print_callee(w, s);
        fprintf(w->out, "P%u_%u: .callprototype ", w->f->number, prototype);
        print_interface(w->out, g, "_", NULL);
        fputs(";\n", w->out);
    }
    print_arguments(w, s, recursion);
    if (g->has_result) {
        fputs("    ", w->out);
        print_parameter(w->out, &g->result, "c_result");
        fputs(";\n", w->out);
    }
    fprintf(w->out, "    call %s", g->has_result ? "(c_result), " : "");
    if (s->second) fprintf(w->out, "%%td%u", callee);
    else fprintf(w->out, "f%u", g->number);
    fputs(", (c_own, c_in, c_lin, c_depth", w->out);
    for (unsigned i = 0; i < g->parameters; i++) fprintf(w->out, ", c%u", i);
    fputc(')', w->out);
    if (s->second) fprintf(w->out, ", P%u_%u", w->f->number, prototype);
    fputs(";\n", w->out);
    if (g->has_result) print_load_fields(w, &g->result, "c_result", s->results);
    fputs("    }\n", w->out);
    if (recursion) fprintf(w->out, "L%u_%u:\n", w->f->number, end);
}

// ---- first and last instructions ----

// Registers that the other instructions mention get their first values.
static void print_numbers(Printer *w, unsigned from32)
{
    static const char *const names[BANKS] = {"b16", "b32", "b64", NULL};
    for (Bank b = 0; b < BANK_PRED; b++)
        for (unsigned r = b == BANK_32 ? from32 : 0; r < bank_registers[b]; r++) {
            bool counts = b == BANK_32 && r == 0; // predicates are computed from it
            if (!counts && !mentions(w->body, register_name(b, r).text)) continue;
            fprintf(w->out, "    mov.%s %s, 0x%" PRIx64 ";\n", names[b], register_name(b, r).text,
                    w->f->initial[b][r]);
        }
}

static void print_predicates(Printer *w)
{
    for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++)
        if (mentions(w->body, register_name(BANK_PRED, r).text))
            fprintf(w->out, "    setp.lt.u32 %%p%u, %%r0, %" PRIu64 ";\n", r,
                    w->f->initial[BANK_PRED][r]);
}

static void print_local(Printer *w)
{
    if (!mentions(w->body, "depot")) return;
    for (unsigned at = 0; at < LOCAL_BYTES; at += 16)
        fprintf(w->out, "    st.local.v4.b32 [depot+%u], {0, 0, 0, 0};\n", at);
}

// Registers with multiples of the thread's number, whose sum traps at the end if it is not right.
static void print_ballast(Printer *w)
{
    if (w->f->ballast) fprintf(w->out, "    .reg .b32 %%b<%u>;\n", w->f->ballast);
    for (unsigned i = 0; i < w->f->ballast; i++)
        fprintf(w->out, "    mul.lo.u32 %%b%u, %%lin, %u;\n", i, i + 1);
}

static void print_ballast_check(Printer *w)
{
    unsigned count = w->f->ballast;
    if (!count) return;
    unsigned sum = temporary(w, BANK_32), expected = temporary(w, BANK_32),
             wrong = temporary(w, BANK_PRED);
    fprintf(w->out, "    mov.u32 %%tr%u, 0;\n", sum);
    for (unsigned i = 0; i < count; i++)
        fprintf(w->out, "    add.u32 %%tr%u, %%tr%u, %%b%u;\n", sum, sum, i);
    fprintf(w->out, "    mul.lo.u32 %%tr%u, %%lin, %u;\n    setp.ne.u32 %%tp%u, %%tr%u, %%tr%u;\n"
                    "    @%%tp%u trap;\n",
            expected, count * (count + 1) / 2, wrong, sum, expected, wrong);
}

void print_function_start(Printer *w)
{
    fputs("    .reg .b64 %own, %in;\n    .reg .b32 %lin, %depth;\n"
          "    ld.param.b64 %own, [own];\n    ld.param.b64 %in, [input];\n"
          "    ld.param.b32 %lin, [lin];\n    ld.param.b32 %depth, [depth];\n",
          w->out);
    print_numbers(w, 0);
    for (unsigned i = 0; i < w->f->parameters; i++)
        print_load_fields(w, &w->f->parameter[i], argument_name("a", i).text,
                          w->f->parameter[i].to);
    print_predicates(w);
    print_local(w);
    print_ballast(w);
}

void print_function_end(Printer *w)
{
    print_ballast_check(w);
    print_result(w);
    fputs("    ret;\n", w->out);
}

// The mask of the lanes that the warp has.
static void print_members(Printer *w)
{
    unsigned size = temporary(w, BANK_32), first = temporary(w, BANK_32);
    fprintf(w->out, "    mov.u32 %%tr%u, WARP_SZ;\n    sub.u32 %%tr%u, %%tr%u, 1;\n", size, first,
            size);
    fprintf(w->out, "    not.b32 %%tr%u, %%tr%u;\n    and.b32 %%tr%u, %%lin, %%tr%u;\n", first,
            first, first, first);
    fprintf(w->out, "    sub.u32 %%tr%u, %u, %%tr%u;\n    min.u32 %%tr%u, %%tr%u, %%tr%u;\n", first,
            program_threads(w->p), first, first, first, size);
    fprintf(w->out, "    shl.b32 %%tr%d, 1, %%tr%u;\n    sub.u32 %%tr%d, %%tr%d, 1;\n", w->members,
            first, w->members, w->members);
}

static void print_shared(Printer *w)
{
    if (mentions(w->body, "box")) {
        unsigned box = temporary(w, BANK_32);
        fprintf(w->out, "    mov.u32 %%tr%u, box;\n    mad.lo.u32 %%tr%u, %%lin, %d, %%tr%u;\n"
                        "    st.shared.v4.b32 [%%tr%u], {0, 0, 0, 0};\n",
                box, box, SHARED_OWN_BYTES, box, box);
    }
    if (!program_sums(w->p)) return;
    unsigned first = temporary(w, BANK_PRED), after = w->labels++;
    fprintf(w->out, "    setp.ne.u32 %%tp%u, %%lin, 0;\n    @%%tp%u bra L0_%u;\n", first, first,
            after);
    for (unsigned i = 0; i < BLOCK_SUMS; i++)
        fprintf(w->out, "    st.shared.b64 [sums+%u], 0x%" PRIx64 ";\n", i * 8, sum_start(i));
    fprintf(w->out, "L0_%u:\n    bar.sync 0;\n", after);
}

void print_kernel_start(Printer *w)
{
    const unsigned *size = w->p->block;
    unsigned y = temporary(w, BANK_32), z = temporary(w, BANK_32);
    fputs("    .reg .b64 %own, %in;\n    .reg .b32 %lin;\n"
          "    ld.param.u64 %in, [memory];\n",
          w->out);
    fprintf(w->out, "    mov.u32 %%lin, %%tid.x;\n    mov.u32 %%tr%u, %%tid.y;\n"
                    "    mov.u32 %%tr%u, %%tid.z;\n", y, z);
    fprintf(w->out, "    mad.lo.u32 %%tr%u, %%tr%u, %u, %%tr%u;\n"
                    "    mad.lo.u32 %%lin, %%tr%u, %u, %%lin;\n",
            y, z, size[1], y, y, size[0]);
    fprintf(w->out, "    mov.u32 %%r0, %%ctaid.x;\n    mad.lo.u32 %%r0, %%r0, %u, %%lin;\n"
                    "    mov.u32 %%r1, %%lin;\n    mad.wide.u32 %%own, %%r0, %d, %%in;\n"
                    "    add.u64 %%own, %%own, %d;\n",
            program_threads(w->p), THREAD_BYTES, THREADS_AT);
    print_numbers(w, 2);
    print_predicates(w);
    print_local(w);
    print_shared(w);
    if (w->members >= 0 && mentions(w->body, temporary_name(BANK_32, (unsigned)w->members).text))
        print_members(w);
}

// The thread's registers, as dump in interpret.c.
static void print_dump(Printer *w)
{
    unsigned at = OWN_BYTES;
    for (int b = BANK_64; b >= 0; at += bank_bits((Bank)b) / 8 * bank_registers[b], b--)
        for (unsigned r = 0; r < bank_registers[b]; r++)
            if (w->p->dumps[b][r])
                fprintf(w->out, "    st.global.b%u [%%own+%u], %s;\n", bank_bits((Bank)b),
                        at + r * bank_bits((Bank)b) / 8, register_name((Bank)b, r).text);
    for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++) {
        if (!w->p->dumps[BANK_PRED][r]) continue;
        unsigned t = temporary(w, BANK_32);
        fprintf(w->out, "    selp.u32 %%tr%u, 1, 0, %%p%u;\n    st.global.u8 [%%own+%u], %%tr%u;\n",
                t, r, at + r, t);
    }
}

void print_kernel_end(Printer *w)
{
    print_dump(w);
    if (program_sums(w->p)) {
        unsigned first = temporary(w, BANK_PRED), after = w->labels++;
        unsigned block = temporary(w, BANK_32), row = temporary(w, BANK_64);
        fprintf(w->out, "    bar.sync 0;\n    setp.ne.u32 %%tp%u, %%lin, 0;\n"
                        "    @%%tp%u bra L0_%u;\n",
                first, first, after);
        fprintf(w->out, "    mov.u32 %%tr%u, %%ctaid.x;\n"
                        "    mad.wide.u32 %%td%u, %%tr%u, %d, %%in;\n",
                block, row, block, BLOCK_BYTES);
        for (unsigned i = 0; i < BLOCK_SUMS; i++) {
            unsigned sum = temporary(w, BANK_64);
            fprintf(w->out, "    ld.shared.b64 %%td%u, [sums+%u];\n"
                            "    st.global.b64 [%%td%u+%u], %%td%u;\n",
                    sum, i * 8, row, BLOCKS_AT + i * 8, sum);
        }
        fprintf(w->out, "L0_%u:\n", after);
    }
    fputs("    ret;\n", w->out);
}
