// Runs random programs by all engines, and compares them with the reference.
//
//     random_programs [--seed N] [--count N] [--print] [--machine N] [--no-reduce] [--progress]
//
// --print: only prints the program of the seed. Ends with status 1 after the first difference.
#include "engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROGRAMS_PER_MACHINE = 16 };

typedef struct Options {
    uint64_t seed, count;
    bool print, reduce, progress;
    int machine; // -1: by seed
} Options;

static bool parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--print")) o->print = true;
        else if (!strcmp(argv[i], "--no-reduce")) o->reduce = false;
        else if (!strcmp(argv[i], "--progress")) o->progress = true;
        else if (!strcmp(argv[i], "--seed") && more) o->seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--count") && more) o->count = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--machine") && more) o->machine = atoi(argv[++i]);
        else return false;
    }
    return true;
}

static void print_program(const Program *p)
{
    char *ptx = program_ptx(p, "k000");
    printf("// grid %u, block %u x %u x %u\n%s", p->grid, p->block[0], p->block[1], p->block[2],
           ptx ? ptx : "out of memory\n");
    free(ptx);
}

static void report(Program *p, uint64_t seed, Engine *engines, unsigned e, const Difference *d,
                   bool reduce)
{
    Difference reduced;
    printf("seed %llu: %s on %s, %s: %s\n", (unsigned long long)seed, engines[e].name,
           engines[e].machine, engines[e].width, d->text);
    if (!reduce) return;
    fflush(stdout);
    program_reduce(p, engines, e);
    if (engines_compare(engines, e, e + 1, p, &reduced) == ENGINES) return;
    printf("reduced: %s\n", reduced.text);
    print_program(p);
}

static bool run(const Options *o, Program *p, Engine *engines)
{
    uint64_t machine = UINT64_MAX;
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (uint64_t i = 0; i < o->count; i++) {
        uint64_t seed = o->seed + i, wanted = seed / PROGRAMS_PER_MACHINE;
        Choices c = choices_of_seed(seed);
        Difference d;
        program_generate(p, &c);
        if (wanted != machine) {
            for (unsigned e = 0; e < ENGINES; e++) engine_free(&engines[e]);
            engines_of(o->machine >= 0 ? (unsigned)o->machine : (unsigned)wanted, engines);
            machine = wanted;
        }
        unsigned e = engines_compare(engines, 0, ENGINES, p, &d);
        if (e < ENGINES) {
            report(p, seed, engines, e, &d, o->reduce);
            return false;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (o->progress && i % 1000 == 999)
            fprintf(stderr, "%llu programs, %lld s\n", (unsigned long long)i + 1,
                    (long long)(now.tv_sec - start.tv_sec));
    }
    return true;
}

int main(int argc, char **argv)
{
    Options o = {.seed = 1, .count = 1, .reduce = true, .machine = -1};
    Engine engines[ENGINES] = {0};
    Program *p = calloc(1, sizeof *p);
    bool ok = p && parse(argc, argv, &o);
    if (!ok) {
        fputs("usage: random_programs [--seed N] [--count N] [--print] [--machine N]"
              " [--no-reduce] [--progress]\n", stderr);
    } else if (o.print) {
        Choices c = choices_of_seed(o.seed);
        program_generate(p, &c);
        print_program(p);
    } else {
        ok = run(&o, p, engines);
        if (ok) printf("%llu programs agree\n", (unsigned long long)o.count);
    }
    for (unsigned e = 0; e < ENGINES; e++) engine_free(&engines[e]);
    free(p);
    return !ok;
}
