// Makes a random program: its shape, functions, and control flow.
#include "generate.h"

#include <string.h>

Statement *new_statement(Context *x, StatementKind kind)
{
    if (x->p->statement_count == MAX_STATEMENTS) return NULL;
    Statement *s = &x->p->statements[x->p->statement_count++];
    *s = (Statement){.kind = kind, .guard = -1, .vector = 1};
    return s;
}

// ---- control flow ----

static Context inner(const Context *x)
{
    Context y = *x;
    y.depth++;
    y.uniform = false;
    return y;
}

static Statement *make_if(Context *x)
{
    Statement *s = new_statement(x, IF);
    Context y = inner(x);
    if (!s) return NULL;
    s->from[0] = choose_register(x, T_PRED);
    // A BREAK here would leave masks that name lanes which have left.
    s->members = x->converged && !x->in_loop && choose_chance(x->c, 60);
    y.converged = s->members;
    y.in_loop = x->in_loop && !x->converged;
    s->body = make_list(y, 1 + choose(x->c, 5));
    if (choose_chance(x->c, 60)) s->other = make_list(y, 1 + choose(x->c, 5));
    return s;
}

static Statement *make_loop(Context *x)
{
    Statement *s = new_statement(x, LOOP);
    Context y = inner(x);
    if (!s) return NULL;
    s->mode = 1 + 2 * choose(x->c, 2); // one of 2 or 4 turns at most
    bool same = choose_chance(x->c, 40); // in all threads
    s->from[0] = same ? (Source){.is_number = true, .bits = choose(x->c, 4)}
                      : choose_register(x, T_B32);
    s->members = x->converged && choose_chance(x->c, 50);
    y.converged = s->members;
    y.uniform = same && x->uniform && choose_chance(x->c, 50);
    y.in_loop = !y.uniform;
    s->body = make_list(y, 1 + choose(x->c, 6));
    return s;
}

// A loop with loads whose addresses grow by the same amount, and with loads whose addresses these
// give: what mechanisms that inject micro-ops look for.
static Statement *make_walk(Context *x)
{
    Statement *s = new_statement(x, WALK);
    Context y = inner(x);
    if (!s) return NULL;
    y.converged = y.in_loop = false;
    s->mode = (2u << choose(x->c, 4)) - 1; // one of 2 to 16 turns at most
    s->from[0] = choose_chance(x->c, 50) ? choose_register(x, T_B32)
                                         : (Source){.is_number = true, .bits = choose(x->c, 32)};
    s->from[1] = choose_chance(x->c, 60) ? choose_register(x, T_B32)
                                         : (Source){.is_number = true, .bits = choose(x->c, 16)};
    s->hint = choose_chance(x->c, 80);
    s->to[0] = choose_target(x, T_B32);
    s->body = make_list(y, choose(x->c, 4));
    return s;
}

static Statement *make_switch(Context *x)
{
    Statement *s = new_statement(x, SWITCH);
    Context y = inner(x);
    if (!s) return NULL;
    y.converged = false;
    y.in_loop = x->in_loop && !x->converged;
    s->from[0] = choose_register(x, T_B32);
    for (unsigned i = 0; i < SWITCH_CASES; i++) s->cases[i] = make_list(y, choose(x->c, 4));
    return s;
}

static Statement *make_region(Context *x)
{
    Statement *s = new_statement(x, REGION);
    Context y = inner(x);
    if (!s) return NULL;
    y.converged = y.in_loop = false;
    y.in_region = true;
    s->blocks = 2 + choose(x->c, REGION_BLOCKS - 1);
    for (unsigned i = 0; i < s->blocks; i++) {
        Jump *j = &s->jumps[i];
        unsigned kind = choose(x->c, 6);
        j->kind = kind == 0 ? GO : kind == 1 ? GO_BY_TABLE : GO_IF;
        j->by = choose_register(x, j->kind == GO_BY_TABLE ? T_B32 : T_PRED);
        for (unsigned k = 0; k < 4; k++) j->to[k] = (uint8_t)choose(x->c, s->blocks + 1);
        s->cases[i] = make_list(y, choose(x->c, 4));
    }
    return s;
}

static bool same_interface(const Function *a, const Function *b)
{
    return a->parameters == b->parameters && a->has_result == b->has_result &&
           !memcmp(a->parameter, b->parameter, sizeof a->parameter) &&
           !memcmp(&a->result, &b->result, sizeof a->result);
}

static Statement *make_call(Context *x)
{
    unsigned own = x->f->number, later = x->p->function_count - 1 - own;
    bool recursion = x->f->recursive && choose_chance(x->c, 60);
    if (!recursion && !later) return NULL;
    Statement *s = new_statement(x, CALL);
    if (!s) return NULL;
    const Function *g =
        recursion ? x->f : &x->p->functions[own + 1 + choose(x->c, later)];
    s->function = g;
    s->mode = choose(x->c, 4); // the depth
    if (!recursion && choose_chance(x->c, 50))
        for (unsigned i = own + 1; i < x->p->function_count; i++)
            if (&x->p->functions[i] != g && same_interface(g, &x->p->functions[i]))
                s->second = &x->p->functions[i];
    s->from[0] = choose_register(x, T_PRED);
    for (unsigned i = 0; i < g->parameters; i++)
        for (unsigned k = 0; k < g->parameter[i].fields; k++)
            s->arguments[i][k] = choose_register(x, g->parameter[i].type[k]);
    for (unsigned k = 0; k < g->result.fields; k++) s->results[k] = g->result.to[k];
    return s;
}

static Statement *make_leave(Context *x, StatementKind kind)
{
    Statement *s = new_statement(x, kind);
    if (s) s->from[0] = choose_register(x, T_PRED);
    return s;
}

static Statement *make_lane_number(Context *x)
{
    Statement *s = new_statement(x, LANE_NUMBER);
    if (!s) return NULL;
    s->mode = choose(x->c, 12);
    s->to[0] = choose_target(x, T_B32);
    choose_guard(x, s);
    return s;
}

static Statement *make_nested(Context *x)
{
    if (x->depth >= 3) return make_operation(x);
    switch (choose(x->c, 9)) {
    case 7: case 8: return make_walk(x);
    case 0: case 1: return make_if(x);
    case 2: case 3: return make_loop(x);
    case 4: return make_switch(x);
    case 5: return x->in_region ? make_if(x) : make_region(x);
    default: return make_call(x);
    }
}

static Statement *make_statement(Context *x)
{
    unsigned what = choose(x->c, 100);
    bool kernel = x->f->number == 0;
    if (what < 46) return make_operation(x);
    if (what < 49) return make_chain(x);
    if (what < 51) return make_video(x);
    if (what < 61) return make_access(x);
    if (what < 64) return make_overlap(x);
    if (what < 70) return make_atomic(x);
    if (what < 73) return make_parts(x);
    if (what < 75) return make_lane_number(x);
    if (what < 78 && x->uniform && !x->p->exits) return make_exchange(x);
    if (what < 84 && x->converged && x->p->warps) return make_warp(x);
    if (what < 86 && x->in_loop) return make_leave(x, BREAK);
    if (what < 87 && !kernel) return make_leave(x, RETURN);
    if (what < 88 && x->p->exits && (x->p->warps ? kernel && !x->depth : true))
        return make_leave(x, EXIT);
    return make_nested(x);
}

Statement *make_list(Context x, unsigned count)
{
    Statement *first = NULL, **at = &first;
    for (; count && *x.left > 0; count--) {
        --*x.left;
        Statement *s = make_statement(&x);
        if (!s) continue;
        *at = s;
        while (*at) at = &(*at)->next;
    }
    return first;
}

// ---- functions ----

static void choose_parameter(Context *x, Parameter *a)
{
    static const Type scalars[] = {T_B32, T_U32, T_F32, T_B64, T_F64, T_S32, T_U64};
    static const Type fields[] = {T_U8, T_S16, T_B32, T_F32, T_U64, T_F64, T_S8, T_B16};
    *a = (Parameter){.fields = 1};
    a->array = choose_chance(x->c, 40);
    if (a->array) a->fields = 1 + choose(x->c, MAX_FIELDS);
    unsigned used[BANKS];
    for (Bank b = 0; b < BANKS; b++) used[b] = choose(x->c, bank_registers[b]);
    bool pair = a->fields == 2 && choose_chance(x->c, 60);
    a->align = 1;
    for (unsigned k = 0; k < a->fields; k++) {
        a->type[k] = !a->array ? scalars[choose(x->c, 7)]
                     : pair    ? (k ? a->type[0] : scalars[choose(x->c, 7)])
                               : fields[choose(x->c, 8)];
        unsigned bytes = types[a->type[k]].bits / 8;
        Bank bank = bank_of(a->type[k]);
        a->to[k] = (uint8_t)(used[bank]++ % bank_registers[bank]);
        a->bytes = (a->bytes + bytes - 1) & ~(bytes - 1);
        a->offset[k] = a->bytes;
        a->bytes += bytes;
        if (bytes > a->align) a->align = bytes;
    }
    if (a->array && choose_chance(x->c, 50)) a->align = 16;
    if (a->array) a->bytes += choose(x->c, 6);
}

static void choose_initial(Context *x)
{
    for (Bank b = 0; b < BANK_PRED; b++)
        for (unsigned r = 0; r < bank_registers[b]; r++)
            x->f->initial[b][r] = choose_number(
                x->c, b == BANK_16                ? T_B16
                      : choose_chance(x->c, 50) ? (b == BANK_32 ? T_B32 : T_B64)
                      : b == BANK_32            ? T_F32
                                                : T_F64);
    for (unsigned r = 0; r < bank_registers[BANK_PRED]; r++)
        x->f->initial[BANK_PRED][r] = 1 + choose(x->c, program_threads(x->p) * x->p->grid);
}

enum { MAX_BALLAST = 120 };

// The interfaces come first, because calls refer to them.
static void choose_interface(Context *x, unsigned number)
{
    Function *f = x->f, *before = &x->p->functions[number - 1];
    f->recursive = choose_chance(x->c, 30);
    if (choose_chance(x->c, 30)) f->ballast = 1 + choose(x->c, MAX_BALLAST);
    if (number > 1 && choose_chance(x->c, 50)) {
        f->parameters = before->parameters;
        f->has_result = before->has_result;
        memcpy(f->parameter, before->parameter, sizeof f->parameter);
        f->result = before->result;
        return;
    }
    f->parameters = choose(x->c, MAX_PARAMETERS + 1);
    for (unsigned i = 0; i < f->parameters; i++) choose_parameter(x, &f->parameter[i]);
    f->has_result = choose_chance(x->c, 80);
    if (f->has_result) choose_parameter(x, &f->result);
}

static void choose_shape(Program *p, Choices *c)
{
    static const unsigned shapes[][3] = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {1, 1, 1},
                                         {7, 1, 1},  {33, 1, 1}, {45, 1, 1},  {96, 1, 1},
                                         {8, 4, 1},  {16, 4, 2}, {5, 3, 2},   {3, 13, 1},
                                         {100, 1, 1}, {4, 4, 4}, {31, 1, 1},  {2, 2, 31}};
    memcpy(p->block, shapes[choose(c, 16)], sizeof p->block);
    p->grid = 1 + choose(c, MAX_BLOCKS);
    p->exits = choose_chance(c, 30);
    p->warps = choose_chance(c, 60);
    for (Bank b = 0; b < BANKS; b++)
        for (unsigned r = 0; r < bank_registers[b]; r++) p->dumps[b][r] = choose_chance(c, 60);
}

static void choose_data(Program *p, Choices *c)
{
    for (unsigned i = 0; i < IN_BYTES; i += 8) {
        uint64_t word = i % 32 == 0 ? choose_number(c, T_F64)
                        : i % 32 == 8 ? choose_number(c, T_F32) | choose_number(c, T_F32) << 32
                                      : choose_number(c, T_B64);
        memcpy(p->in + i, &word, 8);
    }
    for (unsigned i = 0; i < CONSTANT_BYTES; i += 8) {
        uint64_t word = choose_bits(c);
        memcpy(p->constants + i, &word, 8);
    }
    for (unsigned i = 0; i < LINKS; i++) p->links[i] = (uint8_t)choose(c, LINKS);
}

// ---- how long a program runs ----

enum { MAX_DEPTH = 3, MAX_COST = 3000, REGION_TURNS = 4 };

// Statements that a thread executes at most; of each function by the depth of its recursion.
typedef struct Costs { uint64_t of[MAX_FUNCTIONS][MAX_DEPTH + 1]; } Costs;

static uint64_t cost_of_list(const Costs *costs, const Statement *list, const Function *f,
                             unsigned depth)
{
    uint64_t sum = 0;
    for (const Statement *s = list; s; s = s->next) {
        if (s->removed) continue;
        uint64_t inside = cost_of_list(costs, s->body, f, depth) +
                          cost_of_list(costs, s->other, f, depth);
        for (unsigned i = 0; i < REGION_BLOCKS; i++)
            inside += cost_of_list(costs, s->cases[i], f, depth);
        if (s->kind == LOOP || s->kind == WALK) inside *= s->mode + 1;
        if (s->kind == REGION) inside *= REGION_TURNS;
        if (s->kind == CALL && s->function != f) inside += costs->of[s->function->number][s->mode];
        if (s->kind == CALL && s->second) inside += costs->of[s->second->number][s->mode];
        if (s->kind == CALL && s->function == f && depth)
            inside += costs->of[f->number][depth - 1];
        sum += 1 + inside;
    }
    return sum;
}

static uint64_t cost_of(const Program *p)
{
    Costs costs = {0};
    for (unsigned i = p->function_count; i-- > 0;)
        for (unsigned depth = 0; depth <= MAX_DEPTH; depth++) {
            const Function *f = &p->functions[i];
            costs.of[i][depth] = 20 + cost_of_list(&costs, f->body, f, depth);
        }
    return costs.of[0][0];
}

// Removes calls, from the last one on, until the program is short enough.
static void shorten(Program *p)
{
    for (unsigned i = p->statement_count; i-- > 0 && cost_of(p) > MAX_COST;)
        if (p->statements[i].kind == CALL) p->statements[i].removed = true;
}

void program_generate(Program *p, Choices *c)
{
    memset(p, 0, sizeof *p);
    choose_shape(p, c);
    p->function_count = 1 + choose(c, MAX_FUNCTIONS);
    for (unsigned i = 0; i < p->function_count; i++) {
        Context x = {.c = c, .p = p, .f = &p->functions[i]};
        x.f->number = i;
        choose_initial(&x);
        if (i) choose_interface(&x, i);
    }
    for (unsigned i = 0; i < p->function_count; i++) {
        int left = i ? 15 : 60;
        Context x = {.c = c, .p = p, .f = &p->functions[i], .left = &left, .uniform = !i,
                     .converged = !i && p->warps};
        x.f->body = make_list(x, i ? 3 + choose(c, 10) : 10 + choose(c, 40));
    }
    choose_data(p, c);
    shorten(p);
}
