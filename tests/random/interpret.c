// The reference: executes a program's tree, one block after the other. All threads of a block that
// are at a statement execute it together, each by itself; this is one of the orders that PTX
// allows, and the programs are made so that all give the same memory.
#include "interpret.h"

#include <stdlib.h>
#include <string.h>

static Threads run(Machine *m, Frame *f, const Statement *list, Threads active);

// ---- operands ----

uint64_t source(const Frame *f, const Source *s, Type type, unsigned t)
{
    uint64_t value = s->is_number ? s->bits : f->registers[bank_of(type)][s->number][t];
    if (type == T_PRED) return (value != 0) != s->negated;
    return low_bits(value, types[type].bits);
}

void set(Frame *f, Bank bank, unsigned number, unsigned t, uint64_t value)
{
    f->registers[bank][number][t] = low_bits(value, bank_bits(bank));
}

static Threads where(const Frame *f, Threads active, int guard, bool negated)
{
    Threads result = 0;
    for (unsigned t = 0; t < MAX_THREADS; t++)
        if (has(active, t) && (f->registers[BANK_PRED][guard][t] != 0) != negated)
            result |= only(t);
    return result;
}

static Threads where_true(const Frame *f, Threads active, const Source *predicate)
{
    return where(f, active, predicate->number, predicate->negated);
}

// The type of a register operand by its letter in Operation.operands.
Type operand_type(const Statement *s, char letter)
{
    switch (letter) {
    case 'w': return types[s->type].bits == 16 ? T_B32 : T_B64;
    case 'u': return s->type2;
    case 'p': case 'o': case '|': return T_PRED;
    case 'r': case 's': case 'k': case 'n': return T_B32;
    default: return s->type;
    }
}

static void operate(Machine *m, Frame *f, const Statement *s, Threads active)
{
    const char *sources = strchr(s->op->operands, '=') + 1;
    Type to_type = operand_type(s, s->op->operands[0]);
    for (unsigned t = 0; t < m->threads; t++) {
        uint64_t from[MAX_SOURCES] = {0}, to[2] = {0};
        if (!has(active, t)) continue;
        for (unsigned i = 0; sources[i]; i++)
            from[i] = source(f, &s->from[i], operand_type(s, sources[i]), t);
        s->op->evaluate(s, from, to, &m->carry[t]);
        uint64_t value = low_bits(to[0], types[to_type].bits);
        if (types[to_type].bits == 8 && types[to_type].kind == KIND_SIGNED)
            value = (uint64_t)as_signed(value, 8);
        set(f, bank_of(to_type), s->to[0], t, value);
        if (s->has_second) set(f, BANK_PRED, s->to[1], t, to[1]);
    }
}

// ---- memory ----

uint8_t *own_row(Machine *m, unsigned t)
{
    return m->memory + THREADS_AT + (size_t)(m->block * m->threads + t) * THREAD_BYTES;
}

static uint8_t *place(Machine *m, Frame *f, const Statement *s, unsigned t)
{
    uint64_t at = s->offset + (source(f, &s->from[0], T_B32, t) & s->mask);
    switch (s->space) {
    case GLOBAL_OWN: return own_row(m, t) + at;
    case GLOBAL_IN: return m->memory + at;
    case CONSTANT: case MODULE: case PARAMETER: return (uint8_t *)m->p->constants + at;
    case SHARED_OWN: return m->shared[t] + at;
    default: return f->local[t] + at;
    }
}

uint64_t load(const uint8_t *at, Type type)
{
    uint64_t value = 0;
    memcpy(&value, at, types[type].bits / 8);
    return types[type].kind == KIND_SIGNED ? (uint64_t)as_signed(value, types[type].bits) : value;
}

static void access(Machine *m, Frame *f, const Statement *s, Threads active)
{
    size_t bytes = types[s->type].bits / 8;
    for (unsigned t = 0; t < m->threads; t++) {
        if (!has(active, t)) continue;
        uint8_t *at = place(m, f, s, t);
        for (unsigned i = 0; i < s->vector; i++) {
            uint64_t value;
            if (s->kind == LOAD) {
                set(f, bank_of(s->type2), s->to[i], t, load(at + i * bytes, s->type));
            } else {
                value = source(f, &s->from[1 + i], s->type2, t);
                memcpy(at + i * bytes, &value, bytes);
            }
        }
    }
}

static void own_atomic(Machine *m, Frame *f, const Statement *s, Threads active)
{
    size_t bytes = types[s->type].bits / 8;
    for (unsigned t = 0; t < m->threads; t++) {
        if (!has(active, t)) continue;
        uint8_t *at = place(m, f, s, t);
        uint64_t old = load(at, s->type), b = source(f, &s->from[1], s->type, t);
        if (s->hint) b = low_bits(old, types[s->type].bits); // cas: expects what is there
        uint64_t value = atomic_value((AtomicOperation)s->mode, s->type,
                                      low_bits(old, types[s->type].bits), b,
                                      source(f, &s->from[2], s->type, t));
        memcpy(at, &value, bytes);
        set(f, bank_of(s->type), s->to[0], t, old);
    }
}

static void sum_atomic(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Sum sum = sum_of_word(s->mode);
    size_t bytes = types[sum.type].bits / 8;
    uint8_t *at = (s->space == SHARED_OWN ? m->block_sums : m->memory + SUMS_AT) + s->mode * 8;
    for (unsigned t = 0; t < m->threads; t++) {
        uint64_t old = load(at, sum.type);
        if (!has(active, t)) continue;
        // Wrapping increments commute only with one bound.
        uint64_t b = sum.operation == SUM_INC ? s->mode * 3 : source(f, &s->from[1], sum.type, t);
        uint64_t value = atomic_value(sum.operation, sum.type,
                                      low_bits(old, types[sum.type].bits), b, 0);
        memcpy(at, &value, bytes);
    }
}

// ---- registers ----

// In the order of lane_numbers in print_ptx.c.
static void lane_number(Machine *m, Frame *f, const Statement *s, Threads active)
{
    const unsigned *size = m->p->block;
    for (unsigned t = 0; t < m->threads; t++) {
        uint32_t lane = t % m->width, bit = 1u << lane;
        const uint32_t values[] = {
            t % size[0], t / size[0] % size[1], t / size[0] / size[1], size[0], size[1],
            m->block, m->p->grid, lane, bit, bit - 1, bit | (bit - 1), m->width,
        };
        if (has(active, t)) set(f, BANK_32, s->to[0], t, values[s->mode]);
    }
}

// type: of the whole; vector: parts
static void move_parts(Machine *m, Frame *f, const Statement *s, Threads active)
{
    unsigned bits = types[s->type].bits / s->vector;
    Bank whole = bank_of(s->type), parts = bits == 16 ? BANK_16 : BANK_32;
    Type type = bits == 16 ? T_B16 : T_B32;
    for (unsigned t = 0; t < m->threads; t++) {
        uint64_t value = 0;
        if (!has(active, t)) continue;
        if (s->kind == UNPACK) {
            value = source(f, &s->from[0], s->type, t);
            for (unsigned i = 0; i < s->vector; i++) set(f, parts, s->to[i], t, value >> i * bits);
        } else {
            for (unsigned i = 0; i < s->vector; i++)
                value |= source(f, &s->from[i], type, t) << i * bits;
            set(f, whole, s->to[0], t, value);
        }
    }
}

// ---- control ----

static Threads loop(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads left = 0, *outer = f->left, now = active;
    uint64_t turns[MAX_THREADS];
    for (unsigned t = 0; t < m->threads; t++)
        turns[t] = (source(f, &s->from[0], T_B32, t) & s->mode) + 1;
    f->left = &left;
    for (uint64_t turn = 0; now; turn++) {
        Threads next = run(m, f, s->body, now);
        for (unsigned t = 0; t < m->threads; t++)
            if (has(next, t) && turn + 1 == turns[t]) {
                next &= ~only(t);
                left |= only(t);
            }
        now = next;
    }
    f->left = outer;
    return left;
}

static Threads walk(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads after = 0, now = active;
    uint32_t at[MAX_THREADS], turns[MAX_THREADS], sum[MAX_THREADS] = {0};
    for (unsigned t = 0; t < m->threads; t++) {
        at[t] = (uint32_t)source(f, &s->from[0], T_B32, t) & WALK_START;
        turns[t] = ((uint32_t)source(f, &s->from[1], T_B32, t) & s->mode) + 1;
    }
    while (now) {
        now = run(m, f, s->body, now);
        for (unsigned t = 0; t < m->threads; t++) {
            if (!has(now, t)) continue;
            sum[t] += m->p->links[m->p->links[at[t]++]];
            if (--turns[t]) continue;
            set(f, BANK_32, s->to[0], t, sum[t]);
            now &= ~only(t);
            after |= only(t);
        }
    }
    return after;
}

static Threads switch_cases(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads after = 0, to[SWITCH_CASES] = {0};
    for (unsigned t = 0; t < m->threads; t++)
        if (has(active, t)) to[source(f, &s->from[0], T_B32, t) & 3] |= only(t);
    for (unsigned i = 0; i < SWITCH_CASES; i++) after |= run(m, f, s->cases[i], to[i]);
    return after;
}

enum { REGION_FUEL = 12 }; // as in print_ptx.c: blocks that a thread may enter

static Threads region(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads after = 0;
    for (unsigned t = 0; t < m->threads; t++) {
        if (!has(active, t)) continue;
        unsigned at = 0, fuel = REGION_FUEL;
        Threads alone = only(t);
        while (at < s->blocks && alone && fuel--) {
            const Jump *j = &s->jumps[at];
            alone = run(m, f, s->cases[at], alone);
            if (!alone) break;
            unsigned way = j->kind == GO      ? 0
                           : j->kind == GO_IF ? !source(f, &j->by, T_PRED, t)
                                              : (unsigned)source(f, &j->by, T_B32, t) & 3;
            at = j->to[way];
        }
        after |= alone;
    }
    return after;
}

// A field that was stored and loaded with its type.
static uint64_t field(Type type, uint64_t value)
{
    value = low_bits(value, types[type].bits);
    return types[type].kind == KIND_SIGNED ? (uint64_t)as_signed(value, types[type].bits) : value;
}

static void give_parameters(Machine *m, const Frame *f, const Statement *s, Frame *callee,
                            Threads active)
{
    const Function *g = callee->function;
    for (unsigned t = 0; t < m->threads; t++) {
        if (!has(active, t)) continue;
        for (Bank b = 0; b < BANKS; b++)
            for (unsigned r = 0; r < bank_registers[b]; r++)
                callee->registers[b][r][t] = g->initial[b][r];
        for (unsigned i = 0; i < g->parameters; i++)
            for (unsigned k = 0; k < g->parameter[i].fields; k++) {
                Type type = g->parameter[i].type[k];
                set(callee, bank_of(type), g->parameter[i].to[k], t,
                    field(type, source(f, &s->arguments[i][k], type, t)));
            }
        // As the kernel's and each function's first instructions compute it.
        for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++)
            callee->registers[BANK_PRED][r][t] =
                callee->registers[BANK_32][0][t] < g->initial[BANK_PRED][r];
    }
}

// Runs one function for the threads that call it.
static void call(Machine *m, Frame *f, const Statement *s, const Function *g, Threads active)
{
    Frame *callee = calloc(1, sizeof *callee);
    if (!callee || !active) {
        free(callee);
        return;
    }
    callee->function = g;
    for (unsigned t = 0; t < m->threads; t++)
        callee->depth[t] = g == f->function ? f->depth[t] - 1 : s->mode;
    give_parameters(m, f, s, callee, active);
    Threads back = run(m, callee, g->body, active) | callee->returned;
    for (unsigned t = 0; t < m->threads; t++)
        for (unsigned k = 0; has(back, t) && g->has_result && k < g->result.fields; k++) {
            Type type = g->result.type[k];
            set(f, bank_of(type), s->results[k], t,
                field(type, callee->registers[bank_of(type)][g->result.to[k]][t]));
        }
    free(callee);
}

static Threads call_statement(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads callers = active;
    if (s->function == f->function) // a recursion ends at depth 0
        for (unsigned t = 0; t < m->threads; t++)
            if (!f->depth[t]) callers &= ~only(t);
    if (s->second) {
        Threads first = where_true(f, callers, &s->from[0]);
        call(m, f, s, s->function, first);
        call(m, f, s, s->second, callers & ~first);
    } else {
        call(m, f, s, s->function, callers);
    }
    return active & ~m->exited;
}

static Threads leave(Machine *m, Frame *f, const Statement *s, Threads active)
{
    Threads leaving = where_true(f, active, &s->from[0]);
    if (s->kind == EXIT) m->exited |= leaving;
    else if (s->kind == RETURN) f->returned |= leaving;
    else *f->left |= leaving;
    return active & ~leaving;
}

static Threads run_control(Machine *m, Frame *f, const Statement *s, Threads active)
{
    switch (s->kind) {
    case IF: {
        Threads yes = where_true(f, active, &s->from[0]);
        Threads after = run(m, f, s->body, yes);
        return after | run(m, f, s->other, active & ~yes);
    }
    case LOOP: return loop(m, f, s, active);
    case WALK: return walk(m, f, s, active);
    case SWITCH: return switch_cases(m, f, s, active);
    case REGION: return region(m, f, s, active);
    case CALL: return call_statement(m, f, s, active);
    default: return leave(m, f, s, active);
    }
}

// Returns the threads that go on behind the list.
static Threads run(Machine *m, Frame *f, const Statement *list, Threads active)
{
    for (const Statement *s = list; s && active; s = s->next) {
        if (s->removed) continue;
        Threads mine = s->guard >= 0 ? where(f, active, s->guard, s->guard_negated) : active;
        switch (s->kind) {
        case OPERATE: operate(m, f, s, mine); break;
        case CHAIN:
            for (const Statement *o = s->body; o; o = o->next) operate(m, f, o, mine);
            break;
        case VIDEO:
            for (unsigned t = 0; t < m->threads; t++) {
                uint64_t from[3] = {0};
                if (!has(mine, t)) continue;
                for (unsigned i = 0; i < 3; i++) from[i] = source(f, &s->from[i], T_B32, t);
                set(f, BANK_32, s->to[0], t, video_value(s, from));
            }
            break;
        case LOAD: case STORE: access(m, f, s, mine); break;
        case ALLOCATE:
            for (unsigned t = 0; t < m->threads; t++)
                if (has(mine, t))
                    set(f, bank_of(s->type), s->to[0], t, source(f, &s->from[0], s->type, t));
            break;
        case OWN_ATOMIC: own_atomic(m, f, s, mine); break;
        case SUM_ATOMIC: sum_atomic(m, f, s, mine); break;
        case EXCHANGE: exchange(m, f, s); break;
        case VOTE_BARRIER: vote_barrier(m, f, s); break;
        case SHUFFLE: case VOTE: case MATCH: case REDUCE: case LEADER:
            across_warps(m, f, s, active);
            break;
        case LANE_NUMBER: lane_number(m, f, s, mine); break;
        case PACK: case UNPACK: move_parts(m, f, s, mine); break;
        default: active = run_control(m, f, s, active); break;
        }
    }
    return active;
}

// ---- the program ----

// The kernel's last instructions store registers behind the thread's own bytes.
static void dump(Machine *m, const Frame *f, Threads active)
{
    for (unsigned t = 0; t < m->threads; t++) {
        uint8_t *to = own_row(m, t) + OWN_BYTES;
        for (int b = BANK_64; b >= 0; to += bank_bits((Bank)b) / 8 * bank_registers[b], b--)
            for (unsigned r = 0; r < bank_registers[b]; r++)
                if (has(active, t) && m->p->dumps[b][r])
                    memcpy(to + r * bank_bits((Bank)b) / 8, &f->registers[b][r][t],
                           bank_bits((Bank)b) / 8);
        for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++)
            if (has(active, t) && m->p->dumps[BANK_PRED][r])
                to[r] = f->registers[BANK_PRED][r][t] != 0;
    }
}

uint64_t sum_start(unsigned word)
{
    Sum sum = sum_of_word(word);
    bool is_signed = types[sum.type].kind == KIND_SIGNED;
    if (sum.operation == SUM_AND) return UINT64_MAX;
    if (sum.operation != SUM_MIN) return 0;
    return low_bits(UINT64_MAX, types[sum.type].bits - is_signed);
}

void program_memory(const Program *p, uint8_t *memory)
{
    memset(memory, 0, program_bytes(p));
    memcpy(memory, p->in, IN_BYTES);
    for (unsigned i = 0; i < LINKS; i++) memory[LINKS_AT + 4 * i] = p->links[i];
    for (unsigned i = 0; i < SUMS; i++) {
        uint64_t start = sum_start(i);
        memcpy(memory + SUMS_AT + i * 8, &start, 8);
    }
}

bool program_sums(const Program *p)
{
    if (p->exits) return false;
    for (unsigned i = 0; i < p->statement_count; i++) {
        const Statement *s = &p->statements[i];
        if (s->kind == SUM_ATOMIC && s->space == SHARED_OWN && !s->removed) return true;
    }
    return false;
}

void program_interpret(const Program *p, unsigned width, uint8_t *memory)
{
    const Function *kernel = &p->functions[0];
    Frame *f = calloc(1, sizeof *f);
    if (!f) return;
    for (unsigned block = 0; block < p->grid; block++) {
        Machine m = {.p = p, .width = width, .block = block, .threads = program_threads(p),
                     .memory = memory};
        memset(f, 0, sizeof *f);
        f->function = kernel;
        for (unsigned i = 0; i < BLOCK_SUMS; i++) {
            uint64_t start = sum_start(i);
            memcpy(m.block_sums + i * 8, &start, 8);
        }
        for (unsigned t = 0; t < m.threads; t++) {
            for (Bank b = 0; b < BANKS; b++)
                for (unsigned r = 0; r < bank_registers[b]; r++)
                    f->registers[b][r][t] = kernel->initial[b][r];
            f->registers[BANK_32][0][t] = block * m.threads + t;
            f->registers[BANK_32][1][t] = t;
            for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++)
                f->registers[BANK_PRED][r][t] =
                    f->registers[BANK_32][0][t] < kernel->initial[BANK_PRED][r];
        }
        Threads all = m.threads == MAX_THREADS ? ~(Threads)0 : only(m.threads) - 1;
        Threads end = run(&m, f, kernel->body, all) | f->returned;
        dump(&m, f, end & ~m.exited);
        if (program_sums(p))
            memcpy(memory + BLOCKS_AT + block * BLOCK_BYTES, m.block_sums, BLOCK_BYTES);
    }
    free(f);
}
