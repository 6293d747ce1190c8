// Straight-line kernels.
#include "support/unrolled.h"

uint64_t unrolled_cycles(const Unrolled *u, unsigned count)
{
    static const char begin[] = PTX_HEAD
        ".visible .entry k()\n{\n.reg .pred %p<8>; .reg .b32 %r<1000>; .reg .b64 %rd<1000>;\n"
        ".reg .f32 %f<1000>; .reg .f64 %d<1000>; .shared .align 8 .b8 place[8192];\n";
    char *bodies = bench_repeat(u->body, count), *ptx;
    assert_true(asprintf(&ptx, "%s%s%sret;\n}\n", begin, u->before ? u->before : "", bodies) > 0);
    Bench *b = bench_new(u->machine, u->settings, NULL, ptx);
    uint64_t cycles =
        bench_run(b, &(BenchLaunch){"k", .grid = {u->blocks}, .block = {u->threads}})->cycles;
    bench_free(b);
    free(ptx);
    free(bodies);
    return cycles;
}

uint64_t unrolled_cost(const Unrolled *u, unsigned count)
{
    return unrolled_cycles(u, 2 * count) - unrolled_cycles(u, count);
}

char *unrolled_numbered(const char *pattern)
{
    enum { NUMBERS = 16 };
    size_t size = NUMBERS * (2 * strlen(pattern) + 1);
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    for (unsigned i = 1; i <= NUMBERS; i++)
        for (const char *p = pattern; *p; p++)
            at += *p == '#' ? sprintf(at, "%02u", i) : sprintf(at, "%c", *p);
    return text;
}
