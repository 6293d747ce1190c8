// Launches that cannot end are ended by a proof, and no launch that can end is.
#include "support/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Begins a kernel k(word, n): %rd1 and %r1 are the arguments, %r2 is the thread, %r3 the block.
#define BEGIN                                                                                      \
    PTX_HEAD                                                                                       \
    ".global .u32 scratch;\n"                                                                      \
    ".func (.param .b32 out) same(.param .b32 in)\n"                                               \
    "{\n"                                                                                          \
    "    .reg .b32 %r<2>;\n"                                                                       \
    "    ld.param.b32 %r1, [in];\n"                                                                \
    "    st.param.b32 [out], %r1;\n"                                                               \
    "    ret;\n"                                                                                   \
    "}\n"                                                                                          \
    ".visible .entry k(.param .u64 word, .param .u32 n)\n"                                         \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    .shared .b32 lock;\n"                                                                     \
    "    ld.param.u64 %rd1, [word];\n"                                                             \
    "    ld.param.u32 %r1, [n];\n"                                                                 \
    "    mov.u32 %r2, %tid.x;\n"                                                                   \
    "    mov.u32 %r3, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r4, 0;\n"
#define END                                                                                        \
    "    ret;\n"                                                                                   \
    "}\n"
#define POLL                                                                                       \
    "POLL:\n"                                                                                      \
    "    ld.volatile.global.u32 %r5, [%rd1];\n"                                                    \
    "    setp.eq.u32 %p1, %r5, 0;\n"                                                               \
    "    @%p1 bra POLL;\n"
// Counts to n without a store, and then sets the word.
#define COUNT                                                                                      \
    "COUNT:\n"                                                                                     \
    "    add.u32 %r4, %r4, 1;\n"                                                                   \
    "    setp.lt.u32 %p2, %r4, %r1;\n"                                                             \
    "    @%p2 bra COUNT;\n"                                                                        \
    "    mov.u32 %r6, 1;\n"                                                                        \
    "    st.volatile.global.u32 [%rd1], %r6;\n"

// The lanes of the first warp wait for nothing; a lock is held in shared memory.
static const char *const endless[] = {
    POLL,
    // A lock that another kernel might open.
    "    atom.global.exch.b32 %r5, [scratch], 1;\n"
    "LOOP:\n"
    "    atom.global.cas.b32 %r5, [scratch], 0, 1;\n"
    "    setp.ne.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n",
    "LOOP:\n"
    "    atom.global.add.u32 %r5, [%rd1], 0;\n"
    "    setp.eq.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n",
    "    mov.u32 %r6, 1;\n"
    "    st.shared.u32 [lock], %r6;\n"
    "    bar.sync 0;\n"
    "LOOP:\n"
    "    atom.shared.cas.b32 %r5, [lock], 0, 1;\n"
    "    setp.ne.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n",
    "LOOP:\n"
    "    bra LOOP;\n",
    // Each turn counts to 100, and calls a function.
    "LOOP:\n"
    "    mov.u32 %r4, 0;\n"
    "DELAY:\n"
    "    add.u32 %r4, %r4, 1;\n"
    "    setp.lt.u32 %p1, %r4, 100;\n"
    "    @%p1 bra DELAY;\n"
    "    ld.volatile.global.u32 %r5, [%rd1];\n"
    "    {\n"
    "    .param .b32 x;\n"
    "    .param .b32 y;\n"
    "    st.param.b32 [x], %r5;\n"
    "    call (y), same, (x);\n"
    "    ld.param.b32 %r7, [y];\n"
    "    }\n"
    "    setp.eq.u32 %p1, %r7, 0;\n"
    "    @%p1 bra LOOP;\n",
    // Half of the lanes wait at a barrier, the others poll.
    "    and.b32 %r7, %r2, 1;\n"
    "    setp.eq.u32 %p3, %r7, 0;\n"
    "    @%p3 bra POLL;\n"
    "    bar.sync 0;\n" POLL,
    "LOOP:\n"
    "    nanosleep.u32 100000;\n"
    "    ld.volatile.global.u32 %r5, [%rd1];\n"
    "    setp.eq.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n",
};

// Kernels that end, though for long no memory changes and threads poll.
static const char *const legal[] = {
    // The last block counts.
    "    setp.ne.u32 %p3, %r3, 2;\n"
    "    @%p3 bra POLL;\n" COUNT POLL,
    // The last warp of each block counts; the others wait at a barrier, or poll.
    "    setp.eq.u32 %p3, %r2, 64;\n"
    "    @%p3 bra COUNT;\n"
    "    setp.gt.u32 %p3, %r2, 31;\n"
    "    @%p3 bra MEET;\n"
    "    bra POLL;\n" COUNT
    "    bra MEET;\n" POLL
    "MEET:\n"
    "    bar.sync 0;\n",
    // Counts polls.
    "LOOP:\n"
    "    ld.volatile.global.u32 %r5, [%rd1];\n"
    "    add.u32 %r4, %r4, 1;\n"
    "    setp.lt.u32 %p2, %r4, %r1;\n"
    "    @!%p2 bra OUT;\n"
    "    setp.eq.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n"
    "OUT:\n",
    // Gives up after a time.
    "    mov.u64 %rd2, %clock64;\n"
    "    mul.wide.u32 %rd3, %r1, 8;\n"
    "LOOP:\n"
    "    ld.volatile.global.u32 %r5, [%rd1];\n"
    "    mov.u64 %rd4, %clock64;\n"
    "    sub.u64 %rd4, %rd4, %rd2;\n"
    "    setp.ge.u64 %p2, %rd4, %rd3;\n"
    "    mov.u64 %rd4, 0;\n" // the state forgets the time
    "    @%p2 bra OUT;\n"
    "    setp.eq.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n"
    "OUT:\n",
    // Sleeps several times, for 400,000 ns, and sets the word.
    "    setp.ne.u32 %p3, %r3, 0;\n"
    "    @%p3 bra POLL;\n"
    "SLEEP:\n"
    "    nanosleep.u32 400000;\n"
    "    add.u32 %r4, %r4, 1;\n"
    "    setp.lt.u32 %p2, %r4, 4;\n"
    "    @%p2 bra SLEEP;\n"
    "    mov.u32 %r6, 1;\n"
    "    st.volatile.global.u32 [%rd1], %r6;\n" POLL,
    // Counts in memory, and forgets the count: stores, and atomics.
    "    shr.u32 %r8, %r1, 3;\n"
    "LOOP:\n"
    "    ld.volatile.global.u32 %r5, [scratch];\n"
    "    add.u32 %r5, %r5, 1;\n"
    "    st.volatile.global.u32 [scratch], %r5;\n"
    "    setp.lt.u32 %p2, %r5, %r8;\n"
    "    mov.u32 %r5, 0;\n"
    "    @%p2 bra LOOP;\n",
    "    setp.ne.u32 %p3, %r2, 0;\n"
    "    @%p3 bra OUT;\n"
    "LOOP:\n"
    "    atom.global.add.u32 %r5, [scratch], 1;\n"
    "    shl.b32 %r5, %r5, 3;\n"
    "    setp.lt.u32 %p2, %r5, %r1;\n"
    "    mov.u32 %r5, 0;\n"
    "    @%p2 bra LOOP;\n"
    "OUT:\n",
};
// The same with independent threads: lanes of one warp wait for each other.
static const char *const legal_its[] = {
    "    setp.ne.u32 %p3, %r2, 31;\n"
    "    @%p3 bra POLL;\n" COUNT POLL,
    // The lanes that count wait in front of the poll for those that poll, by the branch.
    "    setp.ne.u32 %p3, %r2, 0;\n"
    "    @%p3 bra ALL;\n" POLL
    "ALL:\n"
    "    setp.eq.u32 %p3, %r2, 0;\n"
    "    @%p3 bra OUT;\n" COUNT
    "OUT:\n",
    // The first lane reads the word in a loop that does not poll, until it yields to the others.
    "    setp.ne.u32 %p3, %r2, 0;\n"
    "    @%p3 bra SET;\n"
    "LOOP:\n"
    "    ld.global.u32 %r5, [%rd1];\n"
    "    setp.eq.u32 %p1, %r5, 0;\n"
    "    @%p1 bra LOOP;\n"
    "    bra OUT;\n"
    "SET:\n"
    "    mov.u32 %r6, 1;\n"
    "    st.global.u32 [%rd1], %r6;\n"
    "OUT:\n",
};

typedef struct Variant {
    const char *machine;
    const char *divergence;
    GpuOptions options;
} Variant;
static const Variant variants[] = {
    {"fermi-gtx480", "core.divergence=stack", {.threads = 1}},
    {"fermi-gtx480", "core.divergence=its", {.threads = 1}},
    {"fermi-gtx480", "core.divergence=stack", {.threads = 1, .functional = true}},
    {"volta-v100", "core.divergence=its", {.threads = 2}},
    {"volta-v100", "core.divergence=its", {.threads = 1, .functional = true}},
};

static Bench *bench_of(const Variant *v, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", BEGIN, body, END);
    bool independent = strstr(v->divergence, "its");
    const char *const settings[] = {"gpu.sms=4", v->divergence,
                                    independent ? "core.its_patience=100000" : NULL, NULL};
    return bench_new(v->machine, settings, &v->options, text);
}

static void test_endless(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
            Bench *b = bench_of(&variants[v], endless[i]);
            uint64_t word = bench_array(b, "word", NULL, 4);
            const char *text =
                bench_fail(b, &(BenchLaunch){"k", .grid = {3}, .block = {96}, .args = {word, 0}});
            assert_contains(text, "k never ends: its warps repeat the same steps, and nothing can "
                                  "change the memory that they read");
            assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_DEADLOCK);
            bench_free(b);
        }
}

static void test_legal(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        bool independent = strstr(variants[v].divergence, "its"),
            timed = !variants[v].options.functional;
        // Enough cycles, or turns, for several looks.
        uint64_t n = timed ? 50000 : 300000;
        size_t count = sizeof legal / sizeof *legal, more = sizeof legal_its / sizeof *legal_its;
        for (size_t i = 0; i < count + (independent ? more : 0); i++) {
            Bench *b = bench_of(&variants[v], i < count ? legal[i] : legal_its[i - count]);
            uint64_t word = bench_array(b, "word", NULL, 4);
            uint32_t threads = i < count ? 96 : 32;
            const LaunchResult *r = bench_run(
                b, &(BenchLaunch){"k", .grid = {3}, .block = {threads}, .args = {word, n}});
            if (timed) assert_true(r->cycles > 1 << 18);
            bench_free(b);
        }
    }
}

// Threads that have exited shortly before the launch is watched, while replies of memory are still
// on their way, also behind the last block.
static void test_in_flight(void **state)
{
    (void)state;
    static const char *const last[] = {
        ("    ld.volatile.global.u32 %r5, [%rd1];\n"
         "    exit;\n"), // which waits for no load
        "    st.global.u32 [%rd1], %r2;\n",
        "    red.global.add.u32 [%rd1], 1;\n",
    };
    static const char *const machines[] = {"fermi-gtx480", "fermi-macsim"};
    // %clock64 starts with the launch: 120,000 cycles, of 131,072 before the watch.
    static const char *const settings[] = {"gpu.sms=1", "slice.miss_latency=30000",
                                           "launch.overhead=0", "launch.interval=0", NULL};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
            char text[4096];
            snprintf(text, sizeof text, "%s%s%s%s", BEGIN,
                     "TIME:\n"
                     "    mov.u64 %rd2, %clock64;\n"
                     "    setp.lt.u64 %p1, %rd2, 120000;\n"
                     "    @%p1 bra TIME;\n", last[i], END);
            Bench *b = bench_new(machines[m], settings, &(GpuOptions){.no_skip = true}, text);
            uint64_t word = bench_array(b, "word", NULL, 4);
            const LaunchResult *r = bench_run(
                b, &(BenchLaunch){"k", .grid = {2}, .block = {32}, .args = {word, 0}});
            if (!i) assert_true(r->cycles > 120000 + 30000);
            bench_free(b);
        }
}

// A mechanism throttles all blocks but the first. They are in the queue of the SM, and the first
// block waits for them.
enum { HELD_FOR = 300000 };
static unsigned times_asked;
static uint32_t one_block_at_first(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)place;
    (void)kernel;
    return times_asked++ ? fit : 1;
}
static void raise_limit(HdPlace *place, const HdPeriods *ended)
{
    if (ended->cycle == HELD_FOR) hd_reconsider(place);
}
static const HdParameter periods[] = {
    {.name = "period", .value = HELD_FOR, .min = 1, .max = 1e6, .kind = HD_WHOLE}, {0}};
static const HdMechanism holds = {
    .name = "holds", .parameters = periods, .l1 = {.on_period = raise_limit},
    .core = {.decide_block_limit = one_block_at_first}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&holds, 1, name, library, err);
}

static void test_held_blocks(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", "launch.queue=2", NULL};
    HdError err;
    HookPlan plan;
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", BEGIN,
             "    red.global.add.u32 [%rd1], 1;\n"
             "POLL:\n"
             "    ld.volatile.global.u32 %r5, [%rd1];\n"
             "    setp.lt.u32 %p1, %r5, 3;\n"
             "    @%p1 bra POLL;\n", END);
    assert_true(plan_read(&plan, "holds", find, &err));
    times_asked = 0;
    Bench *b = bench_new("fermi-gtx480", settings, &(GpuOptions){.mechanisms = &plan}, text);
    uint64_t word = bench_array(b, "word", NULL, 4);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {3}, .block = {1}, .args = {word, 0}});
    assert_in_range(r->cycles, HELD_FOR, HELD_FOR + 10000);
    assert_int_equal(times_asked, 2);
    bench_free(b);
    plan_free(&plan);
}

// A launch of one warp per SM is watched, and then one of all that an SM has.
static void test_more_warps(void **state)
{
    (void)state;
    for (size_t v = 0; v <= 2; v += 2) { // timed, functional
        uint64_t n = variants[v].options.functional ? 100000 : 50000;
        Bench *b = bench_of(&variants[v], COUNT);
        uint64_t word = bench_array(b, "word", NULL, 4);
        static const uint32_t threads[] = {32, 1024};
        for (size_t i = 0; i < 2; i++)
            bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {threads[i]},
                                        .args = {word, n}, .shared = i ? 0 : 40000});
        bench_free(b);
    }
}

// The whole message; it is the same with any number of host threads.
static void test_message(void **state)
{
    (void)state;
    char first[HD_ERROR_TEXT] = "";
    for (unsigned threads = 1; threads <= 4; threads++) {
        Bench *b = bench_of(&(Variant){"fermi-gtx480", "core.divergence=stack",
                                       {.threads = threads}}, POLL);
        uint64_t word = bench_array(b, "word", NULL, 4);
        char expected[HD_ERROR_TEXT];
        snprintf(expected, sizeof expected,
                 "k never ends: its warps repeat the same steps, and nothing can change the memory "
                 "that they read; one polls memory 0 bytes into \"word\" (0x%llx, 4 bytes). A "
                 "launch runs to its end before the host or another kernel goes on, also a kernel "
                 "of another stream: expected a kernel that waits for its own threads only. 0 of 1 "
                 "blocks have ended in ", (unsigned long long)word);
        const char *text =
            bench_fail(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {word, 0}});
        assert_memory_equal(text, expected, strlen(expected));
        char *end;
        unsigned long long cycles = strtoull(text + strlen(expected), &end, 10);
        assert_in_range(cycles, 1 << 17, (1 << 17) + (1 << 15));
        static const char warp[] = " cycles. Some of its warps:\n  SM 0, block (0,0,0), warp 0: ";
        assert_memory_equal(end, warp, sizeof warp - 1);
        if (!*first) snprintf(first, sizeof first, "%s", text);
        assert_string_equal(text, first);
        bench_free(b);
    }
}

typedef struct Seen {
    LaunchHang last;
    unsigned times;
    bool may_change;
    Bench *bench;
    uint64_t word; // is set by the host then; 0: none
} Seen;

static bool note_hang(void *context, const LaunchHang *hang)
{
    Seen *seen = context;
    seen->last = *hang;
    seen->times++;
    if (seen->word) *(uint32_t *)guest_host(gpu_memory(seen->bench->gpu), seen->word) = 1;
    return seen->may_change;
}

// A launch that is cut goes on functionally, and counts turns from then on.
static void test_cut(void **state)
{
    (void)state;
    Variant v = {"fermi-gtx480", "core.divergence=stack",
                 {.threads = 1, .max_thread_instructions = 1000}};
    Bench *b = bench_of(&v, POLL);
    uint64_t word = bench_array(b, "word", NULL, 4);
    const char *text =
        bench_fail(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {word, 0}});
    assert_contains(text, "k never ends: ");
    assert_contains(text, " 0 of 1 blocks have ended in 9472 turns of each warp. ");
    bench_free(b);
    b = bench_of(&v, "LOOP:\n"
                     "    add.u32 %r4, %r4, 1;\n"
                     "    setp.lt.u32 %p2, %r4, %r1;\n"
                     "    @%p2 bra LOOP;\n");
    Seen seen = {.bench = b};
    gpu_on_hang(b->gpu, note_hang, &seen);
    bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {0, 1000000}});
    assert_int_equal(seen.times, 0);
    bench_free(b);
}

// Lanes of one warp that wait for each other, without independent threads: with advice.
static void test_advice(void **state)
{
    (void)state;
    Bench *b = bench_of(&variants[0], legal_its[1]);
    uint64_t word = bench_array(b, "word", NULL, 4);
    const char *text =
        bench_fail(b, &(BenchLaunch){"k", .grid = {1}, .block = {32}, .args = {word, 10}});
    assert_contains(text, "k never ends: ");
    assert_contains(text, "\nlanes of one warp that wait for each other need independent threads: "
                          "--set core.divergence=its");
    bench_free(b);
}

// The host ends the launch by a store: it goes on, and is reported once.
static void test_outside(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        Bench *b = bench_of(&variants[v], POLL);
        uint64_t word = bench_array(b, "word", NULL, 4);
        Seen seen = {.may_change = true, .bench = b, .word = word};
        gpu_on_hang(b->gpu, note_hang, &seen);
        bench_run(b, &(BenchLaunch){"k", .grid = {2}, .block = {64}, .args = {word, 0}});
        assert_int_equal(seen.times, 1);
        assert_int_equal(seen.last.kind, HANG_ENDLESS);
        assert_string_equal(seen.last.kernel, "k");
        assert_int_equal(seen.last.blocks, 2);
        bench_free(b);
    }
}

// A loop that reads the clock may end at any time: it is reported after 2^24 cycles or 2^20 turns.
static void test_quiet(void **state)
{
    (void)state;
    static const char body[] =
        "LOOP:\n"
        "    ld.volatile.global.u32 %r5, [%rd1];\n"
        "    mov.u32 %r6, %clock;\n"
        "    setp.eq.u32 %p1, %r5, 0;\n"
        "    @%p1 bra LOOP;\n";
    for (unsigned functional = 0; functional < 2; functional++) {
        Variant v = {"fermi-gtx480", "core.divergence=stack",
                     {.threads = 1, .functional = functional}};
        Bench *b = bench_of(&v, body);
        uint64_t word = bench_array(b, "word", NULL, 4);
        Seen seen = {.bench = b, .word = word};
        gpu_on_hang(b->gpu, note_hang, &seen);
        bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {word, 0}});
        assert_int_equal(seen.times, 1);
        assert_int_equal(seen.last.kind, HANG_QUIET);
        uint64_t quiet = functional ? 1 << 20 : 1 << 24;
        assert_in_range(seen.last.now - seen.last.since, quiet, quiet + (1 << 15));
        assert_string_equal(seen.last.unit, functional ? "turns of each warp" : "cycles");
        bench_free(b);
    }
}

// The second launch is on the second SM. It counts in local memory, and its registers are the same
// in each round.
static void test_local_counter(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry first()\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".visible .entry k(.param .u64 word, .param .u32 n)\n"
        "{\n"
        "    .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd;\n"
        "    .local .align 4 .b8 v[4096];\n"
        "    ld.param.u64 %rd, [word]; ld.param.u32 %r1, [n];\n"
        "    mov.u32 %r2, 0; st.local.u32 [v], %r2;\n"
        "LOOP:\n"
        "    ld.local.u32 %r2, [v]; add.u32 %r2, %r2, 1; st.local.u32 [v], %r2;\n"
        "    setp.lt.u32 %p, %r2, %r1; mov.u32 %r2, 0;\n"
        "    @%p bra LOOP;\n"
        "    st.global.u32 [%rd], %r1;\n"
        "    ret;\n"
        "}\n";
    for (unsigned functional = 0; functional < 2; functional++) {
        Bench *b = bench_new("fermi-gtx480",
                             (const char *const[]){"launch.round_robin=continue", NULL},
                             &(GpuOptions){.threads = 1, .functional = functional}, ptx);
        uint64_t word = bench_array(b, "word", NULL, 4), n = functional ? 400000 : 20000;
        bench_run(b, &(BenchLaunch){"first", .grid = {1}, .block = {1}});
        bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {word, n}});
        assert_int_equal(bench_word(b, word, 0), n);
        bench_free(b);
    }
}

// A store every 2^21 rounds, or 459,000 turns, while no states are watched.
static void test_rare_changes(void **state)
{
    (void)state;
    Variant v = {"fermi-gtx480", "core.divergence=stack", {.threads = 1, .functional = true}};
    Bench *b = bench_of(&v, "LOOP:\n"
                            "    mov.u32 %r6, %clock;\n"
                            "    add.u32 %r4, %r4, 1;\n"
                            "    and.b32 %r5, %r4, 2097151;\n"
                            "    setp.eq.u32 %p1, %r5, 0;\n"
                            "    @%p1 st.global.u32 [%rd1], %r4;\n"
                            "    setp.lt.u32 %p2, %r4, %r1;\n"
                            "    @%p2 bra LOOP;\n");
    uint64_t word = bench_array(b, "word", NULL, 4);
    Seen seen = {.bench = b, .word = word};
    gpu_on_hang(b->gpu, note_hang, &seen);
    // 7 instructions a round, 32 a turn: 1.2 million turns.
    bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {1}, .args = {word, 5500000}});
    assert_int_equal(seen.times, 0);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endless), cmocka_unit_test(test_legal),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_held_blocks),
        cmocka_unit_test(test_more_warps),
        cmocka_unit_test(test_message), cmocka_unit_test(test_advice),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_outside),
        cmocka_unit_test(test_quiet), cmocka_unit_test(test_rare_changes),
        cmocka_unit_test(test_local_counter),
    };
    return cmocka_run_group_tests_name("endless", tests, NULL, NULL);
}
