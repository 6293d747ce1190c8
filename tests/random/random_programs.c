// Runs random programs by all runners, and compares them with the reference.
//
//     random_programs [--seed N] [--count N] [--print] [--machine N] [--no-reduce] [--progress]
//                     [--differences N] [--bytes FILE]
//
// --bytes: runs, or prints, the one program that the bytes of the file make.
// --print: only prints the program of the seed. Ends with status 1 after the first difference, or
// the N-th one; the next program then has the next seed.
#include "runners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS_PER_MACHINE = 64 };

typedef struct Options {
    uint64_t seed, count, differences; // differences: the N-th one ends the run
    bool print, reduce, progress;
    int machine; // -1: by seed
    const char *bytes; // a file, or NULL
} Options;

static unsigned machine_of(const Options *o, uint64_t seed)
{
    return o->machine >= 0 ? (unsigned)o->machine : (unsigned)(seed / PROGRAMS_PER_MACHINE);
}

static bool parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--print")) o->print = true;
        else if (!strcmp(argv[i], "--no-reduce")) o->reduce = false;
        else if (!strcmp(argv[i], "--progress")) o->progress = true;
        else if (!strcmp(argv[i], "--seed") && more) o->seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--count") && more) o->count = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--bytes") && more) o->bytes = argv[++i];
        else if (!strcmp(argv[i], "--differences") && more)
            o->differences = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--machine") && more) o->machine = atoi(argv[++i]);
        else return false;
    }
    return true;
}

static bool generate(const Options *o, Program *p, uint64_t seed)
{
    static uint8_t bytes[1 << 16];
    Choices c = choices_of_seed(seed);
    if (o->bytes) {
        FILE *file = fopen(o->bytes, "rb");
        if (!file) return false;
        c = choices_of_bytes(bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
    }
    program_generate(p, &c);
    return true;
}

static void print_program(const Program *p)
{
    char *ptx = program_ptx(p, "k000");
    printf("// grid %u, block %u x %u x %u\n%s", p->grid, p->block[0], p->block[1], p->block[2],
           ptx ? ptx : "out of memory\n");
    free(ptx);
}

// Where a child process is; shared with it.
typedef struct Progress {
    uint64_t seed;
    Difference difference;
} Progress;

// Reports a difference, or that the child ended with `status`.
static void report(const Options *o, Program *p, const Progress *at, int status)
{
    Runner runners[RUNNERS] = {0};
    unsigned which = at->difference.runner;
    runners_of(machine_of(o, at->seed), runners);
    printf("seed %llu: %s on %s, %s: ", (unsigned long long)at->seed, runners[which].name,
           runners[which].machine, runners[which].width);
    if (WIFSIGNALED(status)) printf("ends with signal %d\n", WTERMSIG(status));
    else printf("%s\n", at->difference.text);
    if (!o->reduce) return;
    if (!generate(o, p, at->seed)) return;
    program_reduce(p, runners, which);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        Difference d;
        alarm(SECONDS_PER_PROGRAM);
        if (runners_compare(runners, which, which + 1, p, &d))
            printf("// reduced: %s\n", d.text);
        fflush(stdout);
        _exit(0);
    }
    if (child > 0) waitpid(child, &status, 0);
    print_program(p);
}

// Runs the programs of one machine, in a process of its own: a runner may crash.
static void run_some(const Options *o, Program *p, uint64_t first, uint64_t count, Progress *at)
{
    Runner runners[RUNNERS] = {0};
    runners_of(machine_of(o, first), runners);
    for (at->seed = first; at->seed < first + count; at->seed++) {
        alarm(SECONDS_PER_PROGRAM);
        if (!generate(o, p, at->seed) ||
            runners_compare(runners, 0, RUNNERS, p, &at->difference)) _exit(1);
    }
    _exit(0);
}

static uint64_t run(const Options *o, Program *p, Progress *at)
{
    uint64_t end = o->seed + o->count, differences = 0;
    time_t start = time(NULL);
    for (uint64_t seed = o->seed; seed < end;) {
        uint64_t next = (seed / PROGRAMS_PER_MACHINE + 1) * PROGRAMS_PER_MACHINE;
        int status;
        if (next > end) next = end;
        fflush(stdout);
        pid_t child = fork();
        if (!child) run_some(o, p, seed, next - seed, at);
        if (child < 0 || waitpid(child, &status, 0) != child) return differences + 1;
        if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
            report(o, p, at, status);
            next = at->seed + 1;
            if (++differences == o->differences) return differences;
        }
        if (o->progress && (next - o->seed) / 1000 != (seed - o->seed) / 1000)
            fprintf(stderr, "%llu programs, %lld s\n", (unsigned long long)(next - o->seed),
                    (long long)(time(NULL) - start));
        seed = next;
    }
    return differences;
}

int main(int argc, char **argv)
{
    Options o = {.seed = 1, .count = 1, .differences = 1, .reduce = true, .machine = -1};
    Program *p = calloc(1, sizeof *p);
    Progress *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint64_t differences = 1;
    if (!p || at == MAP_FAILED || !parse(argc, argv, &o)) {
        fputs("usage: random_programs [--seed N] [--count N] [--print] [--machine N] [--no-reduce]"
              " [--progress] [--differences N] [--bytes FILE]\n", stderr);
    } else if (o.bytes && !generate(&o, p, 0)) {
        perror(o.bytes);
    } else if (o.print) {
        differences = !generate(&o, p, o.seed);
        if (!differences) print_program(p);
    } else {
        differences = run(&o, p, at);
        if (!differences) printf("%llu programs agree\n", (unsigned long long)o.count);
    }
    free(p);
    return differences > 0;
}
