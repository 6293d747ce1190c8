// Reduces a program on which a runner differs from the reference: leaves out what is not needed.
#include "runners.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Reducer {
    Program *p;
    Runner *runners;
    unsigned runner;
} Reducer;

// In a process of its own, because the runner may crash.
static bool still_differs(Reducer *r)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return false;
    if (!child) {
        Difference d;
        alarm(SECONDS_PER_PROGRAM);
        _exit(runners_compare(r->runners, r->runner, r->runner + 1, r->p, &d));
    }
    return waitpid(child, &status, 0) == child && (!WIFEXITED(status) || WEXITSTATUS(status));
}

static bool is_called(const Program *p, const Function *f)
{
    for (unsigned i = 0; i < p->statement_count; i++) {
        const Statement *s = &p->statements[i];
        if (s->kind == CALL && !s->removed && (s->function == f || s->second == f)) return true;
    }
    return false;
}

// Tries to remove statements [first, first + count).
static bool remove_some(Reducer *r, unsigned first, unsigned count)
{
    bool was[MAX_STATEMENTS], any = false;
    for (unsigned i = first; i < first + count; i++) {
        was[i] = r->p->statements[i].removed;
        any |= !was[i];
        r->p->statements[i].removed = true;
    }
    if (any && still_differs(r)) return true;
    for (unsigned i = first; i < first + count; i++) r->p->statements[i].removed = was[i];
    return false;
}

static bool remove_statements(Reducer *r)
{
    bool changed = false;
    for (unsigned count = r->p->statement_count; count; count /= 2)
        for (unsigned i = r->p->statement_count; i-- > 0;)
            if (i % count == 0) {
                unsigned left = r->p->statement_count - i;
                changed |= remove_some(r, i, left < count ? left : count);
            }
    return changed;
}

static void reduce_statement(Reducer *r, Statement *s)
{
    Statement saved = *s;
    s->guard = -1;
    if (saved.guard >= 0 && !still_differs(r)) *s = saved;
    saved = *s;
    s->second = NULL;
    if (saved.second && !still_differs(r)) *s = saved;
    saved = *s;
    s->other = NULL;
    if (saved.other && !still_differs(r)) *s = saved;
}

static void reduce_shape(Reducer *r)
{
    static const unsigned blocks[][3] = {{1, 1, 1}, {2, 1, 1}, {8, 1, 1}, {32, 1, 1}, {64, 1, 1}};
    Program *p = r->p;
    unsigned grid = p->grid, block[3];
    for (p->grid = 1; p->grid < grid && !still_differs(r);) p->grid++;
    memcpy(block, p->block, sizeof block);
    for (unsigned i = 0; i < 5; i++) {
        if (blocks[i][0] >= block[0] * block[1] * block[2]) break;
        memcpy(p->block, blocks[i], sizeof block);
        if (still_differs(r)) return;
        memcpy(p->block, block, sizeof block);
    }
}

static void reduce_rest(Reducer *r)
{
    Program *p = r->p;
    for (Bank b = 0; b < BANKS; b++)
        for (unsigned i = 0; i < bank_registers[b]; i++) {
            bool was = p->dumps[b][i];
            p->dumps[b][i] = false;
            if (was && !still_differs(r)) p->dumps[b][i] = true;
        }
    while (p->function_count > 1 && !is_called(p, &p->functions[p->function_count - 1])) {
        p->function_count--;
        if (still_differs(r)) continue;
        p->function_count++;
        break;
    }
    p->exits = !p->exits; // without the barriers
    if (p->exits ? !still_differs(r) : true) p->exits = !p->exits;
}

void program_reduce(Program *p, Runner *runners, unsigned which)
{
    Reducer r = {.p = p, .runners = runners, .runner = which};
    if (!still_differs(&r)) return; // needs what earlier programs left behind
    reduce_shape(&r);
    while (remove_statements(&r)) {}
    for (unsigned i = 0; i < p->statement_count; i++)
        if (!p->statements[i].removed) reduce_statement(&r, &p->statements[i]);
    reduce_rest(&r);
    while (remove_statements(&r)) {}
    reduce_shape(&r);
}
