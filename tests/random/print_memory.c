// Writes loads, stores, atomics, and what threads exchange.
#include "print.h"

#include <string.h>

typedef struct Text { char text[96]; } Text;

// A temporary with the byte offset in the region: from[0] & mask.
static unsigned print_offset(Printer *w, const Statement *s)
{
    unsigned offset = temporary(w, BANK_32);
    fprintf(w->out, "    and.b32 %%tr%u, %s, %u;\n", offset, source_name(&s->from[0], T_B32).text,
            s->mask);
    return offset;
}

static unsigned print_sum64(Printer *w, const char *base, unsigned offset)
{
    unsigned wide = temporary(w, BANK_64), sum = temporary(w, BANK_64);
    fprintf(w->out, "    cvt.u64.u32 %%td%u, %%tr%u;\n    add.u64 %%td%u, %s, %%td%u;\n", wide,
            offset, sum, base, wide);
    return sum;
}

static const char *const space_names[SPACES] = {"global", "global", "const", "global",
                                                "param",  "shared", "local"};
static const char *const variables[SPACES] = {
    [CONSTANT] = "table", [MODULE] = "data", [PARAMETER] = "extra", [LOCAL] = "depot"};

// The base of a region as a 64-bit register: an address of its space.
static Name print_base(Printer *w, const Statement *s)
{
    Name name;
    if (s->space == GLOBAL_OWN) return (Name){"%own"};
    if (s->space == GLOBAL_IN) return (Name){"%in"};
    unsigned base = temporary(w, BANK_64);
    if (s->space == SHARED_OWN) {
        unsigned wide = temporary(w, BANK_64);
        fprintf(w->out, "    mul.wide.u32 %%td%u, %%lin, %d;\n    mov.u64 %%td%u, box;\n"
                        "    add.u64 %%td%u, %%td%u, %%td%u;\n",
                wide, SHARED_OWN_BYTES, base, base, base, wide);
    } else {
        fprintf(w->out, "    mov.u64 %%td%u, %s;\n", base, variables[s->space]);
    }
    snprintf(name.text, sizeof name.text, "%%td%u", base);
    return name;
}

// Writes the instructions that compute an address, and returns what the brackets hold.
static Text print_address(Printer *w, const Statement *s)
{
    Text t;
    const char *name = variables[s->space];
    if (s->address == BY_NAME && name && s->from[0].is_number) {
        snprintf(t.text, sizeof t.text, "[%s+%u]", name,
                 s->offset + ((uint32_t)s->from[0].bits & s->mask));
        return t;
    }
    Name base = print_base(w, s);
    uint32_t offset = s->offset;
    if (s->from[0].is_number) {
        offset += (uint32_t)s->from[0].bits & s->mask;
    } else {
        unsigned sum = print_sum64(w, base.text, print_offset(w, s));
        snprintf(base.text, sizeof base.text, "%%td%u", sum);
    }
    if (s->address == GENERIC) {
        unsigned generic = temporary(w, BANK_64);
        fprintf(w->out, "    cvta.%s.u64 %%td%u, %s;\n", space_names[s->space], generic, base.text);
        snprintf(base.text, sizeof base.text, "%%td%u", generic);
    }
    snprintf(t.text, sizeof t.text, "[%s+%u]", base.text, offset);
    return t;
}

static void print_vector(FILE *out, const Statement *s)
{
    if (s->vector > 1) fputc('{', out);
    for (unsigned i = 0; i < s->vector; i++)
        fprintf(out, "%s%s", i ? ", " : "",
                s->kind == LOAD ? register_name(bank_of(s->type2), s->to[i]).text
                                : source_name(&s->from[1 + i], s->type2).text);
    if (s->vector > 1) fputc('}', out);
}

void print_memory(Printer *w, const Statement *s)
{
    static const char *const vectors[] = {"", "", ".v2", "", ".v4"};
    static const char *const loads[] = {"", ".volatile", ".relaxed.gpu", ".acquire.gpu"};
    static const char *const stores[] = {"", ".volatile", ".relaxed.gpu", ".release.gpu"};
    Text address = print_address(w, s);
    bool read_only = s->space == GLOBAL_IN || s->space == MODULE;
    bool global = s->space == GLOBAL_OWN || read_only;
    const char *order = !global || s->vector > 1 ? "" : (s->kind == LOAD ? loads : stores)[s->mode];
    fprintf(w->out, "    %s%s%s%s%s%s%s.%s ", guard_name(s).text, s->kind == LOAD ? "ld" : "st",
            order, s->address == GENERIC ? "" : ".",
            s->address == GENERIC ? "" : space_names[s->space],
            s->hint && read_only && s->address != GENERIC && !*order ? ".nc" : "",
            vectors[s->vector], types[s->type].name);
    if (s->kind == STORE) fprintf(w->out, "%s, ", address.text);
    print_vector(w->out, s);
    if (s->kind == LOAD) fprintf(w->out, ", %s", address.text);
    fputs(";\n", w->out);
}

// ---- atomics ----

static void print_own_atomic(Printer *w, const Statement *s)
{
    Text address = print_address(w, s);
    Name b = source_name(&s->from[1], s->type);
    const char *space = s->address == GENERIC ? "" : s->space == SHARED_OWN ? ".shared" : ".global";
    if (s->hint) { // cas of what is there
        b = temporary_name(bank_of(s->type), temporary(w, bank_of(s->type)));
        fprintf(w->out, "    ld%s.%s %s, %s;\n", space, types[s->type].name, b.text, address.text);
    }
    bool half = types[s->type].kind == KIND_FLOAT && types[s->type].elements == 2;
    fprintf(w->out, "    %satom%s.%s%s.%s %s, %s, %s", guard_name(s).text, space,
            atomic_names[s->mode], half ? ".noftz" : "", types[s->type].name,
            register_name(bank_of(s->type), s->to[0]).text, address.text, b.text);
    if (s->mode == OWN_CAS) fprintf(w->out, ", %s", source_name(&s->from[2], s->type).text);
    fputs(";\n", w->out);
}

static void print_sum_atomic(Printer *w, const Statement *s)
{
    Sum sum = sum_of_word(s->mode);
    Text address;
    bool shared = s->space == SHARED_OWN;
    Source bound = {.is_number = true, .bits = s->mode * 3};
    Name b = source_name(sum.operation == SUM_INC ? &bound : &s->from[1], sum.type);
    if (shared) snprintf(address.text, sizeof address.text, "[sums+%u]", s->mode * 8);
    else snprintf(address.text, sizeof address.text, "[%%in+%u]", SUMS_AT + s->mode * 8);
    fprintf(w->out, "    %s%s.%s.%s.%s ", guard_name(s).text, s->hint ? "atom" : "red",
            shared ? "shared" : "global", atomic_names[sum.operation], types[sum.type].name);
    if (s->hint)
        fprintf(w->out, "%s, ",
                temporary_name(bank_of(sum.type), temporary(w, bank_of(sum.type))).text);
    fprintf(w->out, "%s, %s;\n", address.text, b.text);
}

void print_allocate(Printer *w, const Statement *s)
{
    unsigned top = temporary(w, BANK_64), at = temporary(w, BANK_64);
    fprintf(w->out, "    stacksave.u64 %%td%u;\n    alloca.u64 %%td%u, %u, 16;\n", top, at,
            s->mask);
    if (s->address == GENERIC) fprintf(w->out, "    cvta.local.u64 %%td%u, %%td%u;\n", at, at);
    const char *space = s->address == GENERIC ? "" : ".local", *type = types[s->type].name;
    fprintf(w->out, "    st%s.%s [%%td%u+%u], %s;\n", space, type, at, s->offset,
            source_name(&s->from[0], s->type).text);
    fprintf(w->out, "    %sld%s.%s %s, [%%td%u+%u];\n    stackrestore.u64 %%td%u;\n",
            guard_name(s).text, space, type, register_name(bank_of(s->type), s->to[0]).text, at,
            s->offset, top);
}

void print_atomic(Printer *w, const Statement *s)
{
    if (s->kind == OWN_ATOMIC) print_own_atomic(w, s);
    else print_sum_atomic(w, s);
}

// ---- between threads ----

void print_exchange(Printer *w, const Statement *s)
{
    static const char *const reductions[] = {"popc.u32", "and.pred", "or.pred"};
    Name value = source_name(&s->from[0], s->kind == VOTE_BARRIER ? T_PRED : T_B32);
    if (s->kind == VOTE_BARRIER) {
        fprintf(w->out, "    bar.red.%s %s, 0, %s;\n", reductions[s->mode],
                register_name(s->mode ? BANK_PRED : BANK_32, s->to[0]).text, value.text);
        return;
    }
    Name to = register_name(BANK_32, s->to[0]);
    unsigned other = temporary(w, BANK_32), at = temporary(w, BANK_64), size = THREAD_BYTES;
    unsigned threads = program_threads(w->p);
    if (s->space == SHARED_OWN) {
        unsigned own = temporary(w, BANK_64), base = temporary(w, BANK_64);
        size = 4;
        fprintf(w->out, "    mov.u64 %%td%u, swap;\n    mul.wide.u32 %%td%u, %%lin, 4;\n"
                        "    add.u64 %%td%u, %%td%u, %%td%u;\n    st.shared.b32 [%%td%u], %s;\n",
                base, own, own, own, base, own, value.text);
        snprintf(value.text, sizeof value.text, "%%td%u", base);
    } else {
        fprintf(w->out, "    %s [%%own+%u], %s;\n",
                s->hint ? "red.global.add.u32" : "st.global.b32", s->mask, value.text);
    }
    fprintf(w->out, "    bar.sync 0;\n    add.u32 %%tr%u, %%lin, %u;\n"
                    "    rem.u32 %%tr%u, %%tr%u, %u;\n",
            other, s->offset, other, other, threads);
    if (s->space == SHARED_OWN) {
        fprintf(w->out, "    mul.wide.u32 %%td%u, %%tr%u, 4;\n    add.u64 %%td%u, %%td%u, %s;\n"
                        "    ld.shared.b32 %s, [%%td%u];\n",
                at, other, at, at, value.text, to.text, at);
    } else {
        fprintf(w->out, "    sub.s32 %%tr%u, %%tr%u, %%lin;\n    mul.wide.s32 %%td%u, %%tr%u, %u;\n"
                        "    add.u64 %%td%u, %%td%u, %%own;\n    ld.global.b32 %s, [%%td%u+%u];\n",
                other, other, at, other, size, at, at, to.text, at, s->mode);
    }
    fputs("    bar.sync 0;\n", w->out);
}

// The value of a lane that is not active is not defined: the own value takes its place.
static void print_shuffle(Printer *w, const Statement *s)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const char *const steps[] = {"sub.u32", "add.u32", "xor.b32"};
    unsigned b = temporary(w, BANK_32), from = temporary(w, BANK_32), got = temporary(w, BANK_32);
    unsigned within = temporary(w, BANK_PRED), member = temporary(w, BANK_PRED);
    unsigned clamp = (32 - s->mask) << 8 | (s->mode == 0 ? 0 : 31);
    Name own = source_name(&s->from[0], T_B32);
    fprintf(w->out, "    and.b32 %%tr%u, %s, 31;\n", b, source_name(&s->from[1], T_B32).text);
    fprintf(w->out, "    shfl.sync.%s.b32 %%tr%u|%%tp%u, %s, %%tr%u, %u, %%tr%d;\n", modes[s->mode],
            got, within, own.text, b, clamp, w->members);
    fprintf(w->out, "    mov.u32 %%tr%u, %%laneid;\n", from);
    if (s->mode < 3)
        fprintf(w->out, "    %s %%tr%u, %%tr%u, %%tr%u;\n", steps[s->mode], from, from, b);
    else // the lane's number within its segment
        fprintf(w->out, "    lop3.b32 %%tr%u, %%tr%u, %%tr%u, %u, 0xD8;\n", from, from, b,
                s->mask - 1);
    fprintf(w->out, "    shr.u32 %%tr%u, %%tr%d, %%tr%u;\n    and.b32 %%tr%u, %%tr%u, 1;\n"
                    "    setp.ne.and.u32 %%tp%u, %%tr%u, 0, %%tp%u;\n"
                    "    selp.b32 %s, %%tr%u, %s, %%tp%u;\n",
            from, w->members, from, from, from, member, from, within,
            register_name(BANK_32, s->to[0]).text, got, own.text, member);
    if (s->has_second)
        fprintf(w->out, "    mov.pred %s, %%tp%u;\n", register_name(BANK_PRED, s->to[1]).text,
                within);
}

static void print_leader(Printer *w, const Statement *s)
{
    unsigned at = temporary(w, BANK_32), from = temporary(w, BANK_32);
    fprintf(w->out, "    mov.u32 %%tr%u, swap;\n    mad.lo.u32 %%tr%u, %%lin, 4, %%tr%u;\n"
                    "    st.shared.b32 [%%tr%u], %s;\n    bar.warp.sync %%tr%d;\n",
            at, at, at, at, source_name(&s->from[0], T_B32).text, w->members);
    // The address of the lowest lane's word. A lane's own word is %laneid words behind lane 0's.
    fprintf(w->out, "    brev.b32 %%tr%u, %%tr%d;\n    clz.b32 %%tr%u, %%tr%u;\n", from,
            w->members, from, from);
    unsigned lane = temporary(w, BANK_32);
    fprintf(w->out, "    mov.u32 %%tr%u, %%laneid;\n    sub.s32 %%tr%u, %%tr%u, %%tr%u;\n"
                    "    mad.lo.s32 %%tr%u, %%tr%u, 4, %%tr%u;\n    ld.shared.b32 %s, [%%tr%u];\n"
                    "    bar.warp.sync %%tr%d;\n",
            lane, from, from, lane, at, from, at, register_name(BANK_32, s->to[0]).text, at,
            w->members);
}

void print_warp(Printer *w, const Statement *s)
{
    static const char *const votes[] = {"all.pred", "any.pred", "uni.pred", "ballot.b32"};
    Bank to = s->kind == VOTE && s->mode < 3 ? BANK_PRED : BANK_32;
    Name name = register_name(to, s->to[0]);
    Name members = temporary_name(BANK_32, (unsigned)w->members);
    if (s->kind == LEADER) {
        print_leader(w, s);
    } else if (s->kind == SHUFFLE) {
        print_shuffle(w, s);
    } else if (s->kind == VOTE) {
        fprintf(w->out, "    vote.sync.%s %s, %s, %s;\n", votes[s->mode], name.text,
                source_name(&s->from[0], T_PRED).text, members.text);
    } else if (s->kind == MATCH) {
        fprintf(w->out, "    match.%s.sync.%s %s", s->mode ? "all" : "any", types[s->type].name,
                name.text);
        if (s->has_second) fprintf(w->out, "|%s", register_name(BANK_PRED, s->to[1]).text);
        fprintf(w->out, ", %s, %s;\n", source_name(&s->from[0], s->type).text, members.text);
    } else {
        fprintf(w->out, "    redux.sync.%s.%s %s, %s, %s;\n", atomic_names[s->mode],
                types[s->type].name, name.text, source_name(&s->from[0], s->type).text,
                members.text);
    }
}
