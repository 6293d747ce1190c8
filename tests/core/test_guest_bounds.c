// What a kernel may not reach: each case is refused with one whole message, in every engine. No
// byte of the host's memory arrives in the kernel's buffer, and none is changed: the host's heap is
// full of marked blocks meanwhile, and gaps between them.
#include "support/bench.h"

// ---- marked blocks on the host's heap ----

enum { MARKED = 512, MARK = 0xc5 };
static uint8_t *marked[MARKED];

static size_t marked_size(size_t i) { return (size_t)16 << i % 10; }

// Half of the blocks are freed again, so that the simulator's own storage lies among the others.
static void mark_heap(void)
{
    for (size_t i = 0; i < MARKED; i++) {
        marked[i] = malloc(marked_size(i));
        assert_non_null(marked[i]);
        memset(marked[i], MARK, marked_size(i));
    }
    for (size_t i = 0; i < MARKED; i++)
        if (i / 10 % 2) {
            free(marked[i]);
            marked[i] = NULL;
        }
}

static void expect_marks(void)
{
    for (size_t i = 0; i < MARKED; i++) {
        for (size_t k = 0; marked[i] && k < marked_size(i); k++)
            assert_int_equal(marked[i][k], MARK);
        free(marked[i]);
    }
}

// ---- cases ----

// Every kernel is named k. Its parameters are `out`, a buffer of BYTES zeros, and a number.
enum { BYTES = 4096 };
#define KERNEL ".visible .entry k(.param .u64 out, .param .u64 number)\n"
#define REGISTERS                                                                                  \
    "    .reg .pred %p<4>;\n"                                                                      \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<9>;\n"
#define PLACE "block (0,0,0), thread "

typedef struct Case {
    const char *ptx;
    const char *message; // whole; NULL: the kernel runs to its end
    uint32_t threads;    // 0: 32
    uint64_t number;
} Case;

static void run_case(const Case *c, const char *const *settings, const GpuOptions *options)
{
    static uint8_t got[BYTES];
    mark_heap();
    Bench *b = bench_new("fermi-gtx480", settings, options, c->ptx);
    uint64_t out = bench_array(b, "out", NULL, BYTES);
    BenchLaunch launch = {"k", .block = {c->threads ? c->threads : 32}, .args = {out, c->number}};
    if (c->message) assert_string_equal(bench_fail(b, &launch), c->message);
    else bench_run(b, &launch);
    bench_read(b, got, out, BYTES);
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(got[i], 0);
    bench_free(b);
    expect_marks();
}

// Runs each case with the stack, with independent threads, and functionally.
static void run_cases(const Case *cases, size_t count)
{
    static const char *const stack[] = {"gpu.sms=1", NULL};
    static const char *const its[] = {"gpu.sms=1", "core.divergence=its", NULL};
    static const GpuOptions limited = {.max_cycles = 100000, .max_instructions = 100000};
    static const GpuOptions functional = {.functional = true, .max_instructions = 100000};
    for (size_t i = 0; i < count; i++) {
        run_case(&cases[i], stack, &limited);
        run_case(&cases[i], its, &limited);
        run_case(&cases[i], stack, &functional);
    }
}
#define RUN(cases) run_cases(cases, sizeof cases / sizeof *cases)

// ---- parameters of functions ----

// A function's frame ends at its own bytes, not at those of the whole chain of calls.
static void test_frames(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = PTX_HEAD
         ".func f(.param .b32 p)\n"
         "{\n"
         REGISTERS
         "    mov.u64 %rd1, 800;\n"
         "    st.param.b32 [%rd1], %r1;\n"
         "    ret;\n"
         "}\n"
         KERNEL
         "{\n"
         "    .param .b8 big[800];\n"
         "    .param .b32 q;\n"
         "    call f, (q);\n"
         "    ret;\n"
         "}\n",
         .message = "test.ptx:8: f, " PLACE
         "(0,0,0): access of 4 bytes at offset 0x320 of function parameter memory is outside it\n"
         "    st.param.b32 [%rd1], %r1"},
        {.ptx = PTX_HEAD
         ".func f(.param .b64 p)\n"
         "{\n"
         REGISTERS
         "    ld.param.b64 %rd1, [p];\n"
         "    mov.u64 %rd2, 8;\n"
         "NEXT:\n"
         "    ld.param.b64 %rd3, [%rd2];\n"
         "    st.global.b64 [%rd1], %rd3;\n"
         "    add.u64 %rd1, %rd1, 8;\n"
         "    add.u64 %rd2, %rd2, 8;\n"
         "    setp.lt.u64 %p1, %rd2, 512;\n"
         "    @%p1 bra NEXT;\n"
         "    ret;\n"
         "}\n"
         KERNEL
         "{\n"
         REGISTERS
         "    .param .b8 big[480];\n"
         "    .param .b64 q;\n"
         "    ld.param.u64 %rd1, [out];\n"
         "    st.param.b64 [q], %rd1;\n"
         "    call f, (q);\n"
         "    ret;\n"
         "}\n",
         .message = "test.ptx:10: f, " PLACE
         "(0,0,0): access of 8 bytes at offset 0x10 of function parameter memory is outside it\n"
         "    ld.param.b64 %rd3, [%rd2]"},
    };
    RUN(cases);
}

// Storage for a recursion is of core.call_depth frames, each as large as the module's largest: here
// that leaves room for the kernel alone. (A real module has such a function, which nothing calls.)
static void test_frames_without_room(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = PTX_HEAD
         ".func large()\n"
         "{\n"
         "    .local .b8 big[16777216];\n"
         "    st.local.u8 [big], 1;\n"
         "    ret;\n"
         "}\n"
         ".func f()\n"
         "{\n"
         REGISTERS
         "    alloca.u64 %rd1, 16;\n"
         "    call f;\n"
         "    ret;\n"
         "}\n"
         KERNEL
         "{\n"
         REGISTERS
         "    call f;\n"
         "    ret;\n"
         "}\n",
         .message = "test.ptx:22: k, " PLACE
         "(0,0,0): the call depth exceeds 0 (a thread has 16 MiB of local memory at most); is the "
         "recursion unbounded?\n"
         "    call f"},
        {.ptx = PTX_HEAD
         ".func f()\n"
         "{\n"
         "    call f;\n"
         "    ret;\n"
         "}\n"
         KERNEL
         "{\n"
         "    call f;\n"
         "    ret;\n"
         "}\n",
         .message = "test.ptx:4: f, " PLACE
         "(0,0,0): the call depth exceeds 1023 (core.call_depth); is the recursion unbounded?\n"
         "    call f"},
    };
    RUN(cases);
}

// A recursion takes at most the memory of the device, here of one SM.
static void test_frames_of_all_threads(void **state)
{
    (void)state;
    static const char *const stack[] = {"gpu.sms=1", "memory.capacity=1MiB", NULL};
    static const char *const its[] = {"memory.capacity=15MiB", "core.divergence=its", NULL};
    static const GpuOptions functional = {.functional = true};
    static const Case endless = {
        .ptx = PTX_HEAD
        ".func f()\n"
        "{\n"
        "    .local .b8 v[1000];\n"
        "    st.local.u8 [v], 1;\n"
        "    call f;\n"
        "    ret;\n"
        "}\n"
        KERNEL
        "{ call f; ret; }\n",
        .message = "test.ptx:6: f, " PLACE
                   "(0,0,0): the calls of all threads on SM 0 take 1064448 bytes: expected at most "
                   "1048576, its part of memory.capacity; is the recursion unbounded?\n"
                   "    call f"};
    run_case(&endless, stack, NULL);
    run_case(&endless, its, NULL);
    run_case(&endless, stack, &functional);
}

// ---- addresses ----

// A kernel with 64 bytes of shared, of local and of constant memory, and 16 bytes of parameters.
// %rd3 is `number`, %rd1 the address of `out`. The instruction of a case is in line 12.
#define SPACES(instruction)                                                                        \
    PTX_HEAD                                                                                       \
    ".const .align 16 .b8 c[64];\n"                                                                \
    KERNEL                                                                                         \
    "{\n"                                                                                          \
    REGISTERS                                                                                      \
    "    .shared .align 16 .b8 s[64]; .local .align 16 .b8 v[64];\n"                               \
    "    ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [number];\n"                                 \
    "    mov.u64 %rd4, s; mov.u64 %rd5, v; cvt.u32.u64 %r3, %rd3;\n"                               \
    "    st.local.u32 [v], %r1; st.shared.u32 [s], %r1; ld.const.u32 %r1, [c];\n"                  \
    "    " instruction ";\n"                                                                       \
    "    ret;\n"                                                                                   \
    "}\n"
#define REFUSED(text, value, why)                                                                  \
    {.ptx = SPACES(text), .number = UINT64_C(value),                                               \
     .message = "test.ptx:12: k, " PLACE "(0,0,0): " why "\n    " text}
#define FINE(text, value) {.ptx = SPACES(text), .number = UINT64_C(value)}
#define OUTSIDE(bytes, offset, space)                                                              \
    "access of " bytes " bytes at offset " offset " of " space " memory is outside it"
#define CROOKED(bytes, offset, space)                                                              \
    "access of " bytes " bytes at offset " offset " of " space " memory is not aligned"
#define NOWHERE(bytes, address, near)                                                              \
    "access of " bytes " bytes at " address ", outside every allocation; " near
#define FAR "no allocation is near: device memory starts at 0x100000000"

// Shared memory, local memory, constants and parameters: the last bytes, one more, and sums of
// address, offset and size that exceed 2^64 or 2^32.
static void test_windows(void **state)
{
    (void)state;
    static const Case cases[] = {
        FINE("ld.shared.u32 %r2, [%rd3]", 60),
        REFUSED("ld.shared.u32 %r2, [%rd3]", 64, OUTSIDE("4", "0x40", "shared")),
        REFUSED("st.shared.u8 [%rd3], %r2", 64, OUTSIDE("1", "0x40", "shared")),
        REFUSED("st.shared.v4.u32 [%rd3], {%r1, %r1, %r1, %r1}", 64,
                OUTSIDE("16", "0x40", "shared")),
        REFUSED("ld.shared.v4.u32 {%r1, %r2, %r4, %r5}, [%rd3]", 56,
                CROOKED("16", "0x38", "shared")),
        REFUSED("ld.shared.u64 %rd2, [%rd3+8]", 0xfffffffffffffff0,
                OUTSIDE("8", "0xfffffffffffffff8", "shared")),
        FINE("ld.shared.u64 %rd2, [%rd3+24]", 0xfffffffffffffff0), // 8
        REFUSED("ld.shared.u32 %r2, [%r3]", 0xfffffffc, OUTSIDE("4", "0xfffffffc", "shared")),
        FINE("ld.shared.u32 %r2, [%r3+8]", 0xfffffffc), // 4: addresses of 32 bits
        REFUSED("atom.shared.add.u32 %r2, [%rd3], 1", 64, OUTSIDE("4", "0x40", "shared")),
        REFUSED("atom.shared.cas.b64 %rd2, [%rd3], 1, 2", 0xfffffffffffffff8,
                OUTSIDE("8", "0xfffffffffffffff8", "shared")),
        REFUSED("atom.shared.add.u32 %r2, [%rd3], 1", 2, CROOKED("4", "0x2", "shared")),
        FINE("st.local.v2.u64 [%rd3], {%rd1, %rd1}", 48),
        REFUSED("st.local.v2.u64 [%rd3], {%rd1, %rd1}", 64, OUTSIDE("16", "0x40", "local")),
        REFUSED("ld.local.u32 %r2, [%rd3]", 0xfffffffffffffffc,
                OUTSIDE("4", "0xfffffffffffffffc", "local")),
        FINE("ld.const.u64 %rd2, [%rd3]", 56),
        REFUSED("ld.const.u64 %rd2, [%rd3]", 64, OUTSIDE("8", "0x40", "constant")),
        REFUSED("ld.param.u64 %rd2, [%rd3]", 16, OUTSIDE("8", "0x10", "parameter")),
        FINE("ld.param.u64 %rd2, [%rd3+16]", 0xfffffffffffffff8), // 8
    };
    RUN(cases);
}

// Generic addresses at the edges of the windows, in spaces that an instruction cannot use, and
// addresses of global memory far from all allocations.
static void test_generic(void **state)
{
    (void)state;
    static const Case cases[] = {
        FINE("st.u32 [%rd3], %r2", 0x100003c),
        REFUSED("st.u32 [%rd3], %r2", 0x1000040, OUTSIDE("4", "0x40", "shared")),
        REFUSED("ld.u32 %r2, [%rd3]", 0x1fffffc, OUTSIDE("4", "0xfffffc", "shared")),
        REFUSED("ld.u32 %r2, [%rd3]", 0x2000040, OUTSIDE("4", "0x40", "local")),
        REFUSED("ld.u32 %r2, [%rd3]", 0x3000040, OUTSIDE("4", "0x40", "constant")),
        REFUSED("ld.global.u32 %r2, [%rd3]", 0x3000040, OUTSIDE("4", "0x40", "constant")),
        REFUSED("ld.u32 %r2, [%rd3]", 0x4000010, OUTSIDE("4", "0x10", "parameter")),
        REFUSED("st.u32 [%rd3], %r2", 0x3000000,
                "store to constant memory, which a kernel can only read"),
        REFUSED("st.u32 [%rd3], %r2", 0x4000000,
                "store to parameter memory, which a kernel can only read"),
        REFUSED("atom.add.u32 %r2, [%rd3], 1", 0x2000000,
                "atomic on local memory; atomics work on global and shared memory only"),
        REFUSED("atom.add.u32 %r2, [%rd3], 1", 0x4000000,
                "atomic on parameter memory; atomics work on global and shared memory only"),
        REFUSED("ld.u32 %r2, [%rd3]", 0, NOWHERE("4", "0x0", FAR)),
        REFUSED("ld.u32 %r2, [%rd3]", 0x10010, NOWHERE("4", "0x10010", FAR)),
        REFUSED("ld.global.v4.u32 {%r1, %r2, %r4, %r5}, [%rd3+16]", 0xfffffffffffffff0,
                NOWHERE("16", "0x0", FAR)),
        REFUSED("st.global.u64 [%rd3], %rd1", 0xfffffffffffffff8,
                NOWHERE("8", "0xfffffffffffffff8", FAR)),
        REFUSED("red.global.add.u64 [%rd3], %rd1", 0x10100000000,
                NOWHERE("8", "0x10100000000", "1099511623680 bytes past the end of \"out\" "
                        "(0x100000000, 4096 bytes)")),
        REFUSED("st.global.u8 [%rd3], %r1", 0x100001000,
                NOWHERE("1", "0x100001000", "0 bytes past the end of \"out\" (0x100000000, "
                        "4096 bytes)")),
    };
    RUN(cases);
}

// ---- lanes, branches, barriers ----

// Lane numbers, masks, counts and selectors that no warp has.
static void test_lanes(void **state)
{
    (void)state;
    static const Case cases[] = {
        FINE("shfl.sync.idx.b32 %r2|%p1, %r1, %r3, %r3, -1", 0xffffffff),
        FINE("shfl.sync.up.b32 %r2|%p1, %r1, %r3, %r3, -1", 0xffffffff),
        FINE("shfl.sync.down.b32 %r2, %r1, %r3, %r3, -1", 0x80001fff),
        FINE("shfl.sync.bfly.b32 %r2, %r1, %r3, 0x1f, -1", 0x7fffffff),
        FINE("vote.sync.ballot.b32 %r2, %p1, 0", 0), // names no lane, as GPUs ignore it
        FINE("match.any.sync.b64 %r2, %rd3, 0x80000001", 0),
        FINE("redux.sync.max.s32 %r2, %r3, 0", 0x80000000),
        FINE("elect.sync %r2|%p1, 0", 0),
        FINE("fns.b32 %r2, %r3, %r3, %r3", 0x80000000),
        FINE("fns.b32 %r2, %r3, 31, %r3", 0x7fffffff),
        FINE("prmt.b32 %r2, %r3, %r3, %r3", 0xffffffff),
        FINE("prmt.b32.rc16 %r2, %r3, %r3, %r3", 0xffffffff),
        FINE("bfi.b64 %rd2, %rd3, %rd3, %r3, %r3", 0xffffffffffffffff),
        FINE("bfe.s64 %rd2, %rd3, %r3, %r3", 0x80000000000000ff),
        FINE("bfind.shiftamt.s64 %r2, %rd3", 0x8000000000000000),
        FINE("div.s32 %r2, %r3, -1", 0x80000000),
        FINE("rem.s64 %rd2, %rd3, 0", 0x8000000000000000),
        FINE("shf.r.clamp.b32 %r2, %r3, %r3, %r3", 0xffffffff),
        FINE("cvt.rzi.s32.f64 %r2, %rd3", 0x7fefffffffffffff),
        FINE("cvt.rni.sat.u8.f32 %r2, %r3", 0xff800000),
        FINE("nanosleep.u32 %r3", 4096),
        FINE("bar.sync %r3", 15),
        REFUSED("bar.sync %r3", 16, "barrier 16 does not exist (0..15)"),
        REFUSED("bar.sync %r3", 0xffffffff, "barrier 4294967295 does not exist (0..15)"),
        REFUSED("bar.sync 1, %r3", 33, "barrier 1: expected a multiple of 32 threads, found 33"),
        REFUSED("bar.arrive 1, %r3", 0xffffffff,
                "barrier 1: expected a multiple of 32 threads, found 4294967295"),
    };
    RUN(cases);
}

// Functions are at 0x10010 (f, whose address is taken), 0x10020 (g, whose parameters are others)
// and 0x10030 (the kernel).
#define CALLS(instruction)                                                                         \
    PTX_HEAD                                                                                       \
    ".func f(.param .b32 p) { ret; }\n"                                                            \
    ".func g(.param .b64 p) { ret; }\n"                                                            \
    KERNEL                                                                                         \
    "{\n"                                                                                          \
    REGISTERS                                                                                      \
    "    .param .b32 q; proto: .callprototype _ (.param .b32 _);\n"                                \
    "    mov.u64 %rd1, f; mov.u64 %rd2, g; table: .branchtargets A, B;\n"                          \
    "    ld.param.u64 %rd3, [number]; cvt.u32.u64 %r3, %rd3;\n"                                    \
    "    " instruction ";\n"                                                                       \
    "A: B: ret;\n"                                                                                 \
    "}\n"
#define CALL_FINE(text, value) {.ptx = CALLS(text), .number = UINT64_C(value)}
#define CALL_REFUSED(text, value, why)                                                             \
    {.ptx = CALLS(text), .number = UINT64_C(value),                                                \
     .message = "test.ptx:12: k, " PLACE "(0,0,0): " why "\n    " text}
#define NO_FUNCTION(address)                                                                       \
    "a call through the pointer " address ", where no function with these parameters starts"

static void test_targets(void **state)
{
    (void)state;
    static const Case cases[] = {
        CALL_FINE("brx.idx %r3, table", 1),
        CALL_REFUSED("brx.idx %r3, table", 2, "branch index 2 is outside the list of 2 targets"),
        CALL_REFUSED("brx.idx %r3, table", 0xffffffff,
                     "branch index 4294967295 is outside the list of 2 targets"),
        CALL_FINE("call %rd3, (q), proto", 0x10010),
        CALL_REFUSED("call %rd3, (q), proto", 0x10020, NO_FUNCTION("0x10020")),
        CALL_REFUSED("call %rd3, (q), proto", 0x10030, NO_FUNCTION("0x10030")),
        CALL_REFUSED("call %rd3, (q), proto", 0x10018, NO_FUNCTION("0x10018")),
        CALL_REFUSED("call %rd3, (q), proto", 0x10000, NO_FUNCTION("0x10000")),
        CALL_REFUSED("call %rd3, (q), proto", 0, NO_FUNCTION("0x0")),
        CALL_REFUSED("call %rd3, (q), proto", 0xfffffffffffffff0,
                     NO_FUNCTION("0xfffffffffffffff0")),
    };
    RUN(cases);
}

// ---- results that go nowhere ----

static void test_sinks(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = PTX_HEAD
         KERNEL
         "{\n"
         REGISTERS
         "    mov.u32 %r1, %tid.x;\n"
         "    match.all.sync.b32 _|%p1, %r1, -1;\n"
         "    elect.sync _|%p1, -1;\n"
         "    setp.eq.u32 _|%p1, %r1, 0;\n"
         "    lop3.or.b32 _|%p1, %r1, %r1, %r1, 0x80, %p1;\n"
         "    ret;\n"
         "}\n"},
        {.ptx = PTX_HEAD
         KERNEL
         "{\n"
         REGISTERS
         "    .shared .b32 x[4];\n"
         "    ld.param.u64 %rd1, [out];\n"
         "    atom.global.add.u32 _, [%rd1], 0;\n"
         "    atom.shared.add.u32 _, [x], 0;\n"
         "    ld.global.v4.u32 {_, %r1, _, _}, [%rd1];\n"
         "    ld.shared.v2.u32 {_, _}, [x];\n"
         "    mov.b64 {_, %r2}, %rd1;\n"
         "    mov.u64 %rd2, {%r1, %r1};\n"
         "    ret;\n"
         "}\n"},
    };
    RUN(cases);
}

// ---- system calls ----

// printf(%rd1, %rd2). The format that a case stores at the end of `out` has no end.
#define PRINTF_HEAD                                                                                \
    PTX_HEAD                                                                                       \
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"                       \
    ".global .align 8 .b64 wild[2] = {0x1234, 0};\n"                                               \
    ".global .align 8 .b64 wide[2] = {2000000000, 0};\n"                                           \
    ".global .align 8 .b32 million[4] = {1000000, 0, 1000000, 0};\n"                               \
    ".const .align 1 .b8 stars[8] = {37, 42, 100, 37, 42, 100, 0, 0};\n"                           \
    ".const .align 1 .b8 text[4] = {37, 115, 0, 0};\n"                                             \
    ".const .align 1 .b8 star[4] = {37, 42, 100, 0};\n"                                            \
    KERNEL                                                                                         \
    "{\n"                                                                                          \
    REGISTERS                                                                                      \
    "    .param .b64 f;\n"                                                                         \
    "    .param .b64 a;\n"                                                                         \
    "    .param .b32 r;\n"                                                                         \
    "    ld.param.u64 %rd3, [out];\n"
#define PRINTF                                                                                     \
    "    st.param.b64 [f], %rd1;\n"                                                                \
    "    st.param.b64 [a], %rd2;\n"                                                                \
    "    call (r), vprintf, (f, a);\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"
#define PRINTF_FAILS "k, " PLACE "(0,0,0): "
#define NOTHING_NEAR                                                                               \
    "no allocation is near: device memory starts at 0x100000000\n    call (r), vprintf, (f, a)"

static void test_printf(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = PRINTF_HEAD // a format that nothing points to
         "    mov.u64 %rd1, 0x10;\n"
         PRINTF,
         .message = "test.ptx:21: " PRINTF_FAILS
         "a text or an argument to print is at 0x10; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD // arguments in local memory, which the kernel does not have
         "    mov.u64 %rd1, text;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, 0x2000000;\n"
         PRINTF,
         .message = "test.ptx:23: " PRINTF_FAILS
         "a text or an argument to print is at 0x2000000; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD // %s of a wild pointer
         "    mov.u64 %rd1, text;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, wild;\n"
         PRINTF,
         .message = "test.ptx:23: " PRINTF_FAILS
         "a text or an argument to print is at 0x1234; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD // the format is the kernel's parameter `number`
         "    mov.u64 %rd1, number;\n"
         "    cvta.param.u64 %rd1, %rd1;\n"
         PRINTF},
        {.ptx = PRINTF_HEAD
         "    mov.u64 %rd1, number;\n"
         "    cvta.param.u64 %rd1, %rd1;\n"
         PRINTF,
         .message = "test.ptx:22: " PRINTF_FAILS
         "a text or an argument to print is at 0x4000010; " NOTHING_NEAR,
         .number = UINT64_C(0x6161616161616161)},
    };
    RUN(cases);
}

static void test_printed_bytes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = PRINTF_HEAD
         "    mov.u64 %rd1, star;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, wide;\n"
         PRINTF,
         .message = "test.ptx:23: " PRINTF_FAILS
         "printf with a field of 2000000000 characters: expected at most 1048576\n"
         "    call (r), vprintf, (f, a)"},
        {.ptx = PRINTF_HEAD // each thread prints a million bytes
         "    mov.u64 %rd1, star;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, million;\n"
         PRINTF,
         .message = "test.ptx:23: k, " PLACE
         "(8,0,0): printf of 9000000 bytes of text by the threads of one SM at the same time: "
         "expected at most 8388608\n    call (r), vprintf, (f, a)"},
        {.ptx = PRINTF_HEAD // two fields of a million bytes each
         "    mov.u64 %rd1, stars;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, million;\n"
         PRINTF,
         .message = "test.ptx:23: " PRINTF_FAILS
         "printf of a longer text: expected a format, texts and an output of at most 1048576 bytes "
         "each\n"
         "    call (r), vprintf, (f, a)"},
    };
    RUN(cases);
}

// One thread calls malloc(%rd3) or free(%rd3) twice; %rd4 is a live allocation of 64 bytes.
#define HEAP(call)                                                                                 \
    PTX_HEAD                                                                                       \
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"                                       \
    ".extern .func free(.param .b64 a);\n"                                                         \
    KERNEL                                                                                         \
    "{\n"                                                                                          \
    REGISTERS                                                                                      \
    "    .param .b64 a; .param .b64 r;\n"                                                          \
    "    ld.param.u64 %rd3, [number]; ld.param.u64 %rd1, [out];\n"                                 \
    "    st.param.b64 [a], 64; call (r), malloc, (a); ld.param.b64 %rd4, [r];\n"                   \
    call                                                                                           \
    "    ret;\n"                                                                                   \
    "}\n"
#define FREE_FAILS(address)                                                                        \
    "free of " address ", which is not an address that malloc gave, or is free already\n"          \
    "    call free, (a)"

static void test_heap(void **state)
{
    (void)state;
    static const Case cases[] = {
        {.ptx = HEAP("    st.param.b64 [a], %rd3; call (r), malloc, (a); ld.param.b64 %rd5, [r];\n"
                     "    st.global.u64 [%rd1], %rd5;\n"), // 0: no room
         .number = UINT64_MAX},
        {.ptx = HEAP("    st.param.b64 [a], %rd3; call (r), malloc, (a); ld.param.b64 %rd5, [r];\n"
                     "    st.global.u64 [%rd1], %rd5;\n"),
         .number = UINT64_MAX - 14},
        {.ptx = HEAP("    st.param.b64 [a], %rd3; call free, (a);\n"), .threads = 1,
         .number = 0x1234, .message = "test.ptx:12: k, " PLACE "(0,0,0): " FREE_FAILS("0x1234")},
        {.ptx = HEAP("    st.param.b64 [a], %rd3; call free, (a);\n"), .threads = 1,
         .number = UINT64_MAX,
         .message = "test.ptx:12: k, " PLACE "(0,0,0): " FREE_FAILS("0xffffffffffffffff")},
        {.ptx = HEAP("    add.u64 %rd5, %rd4, 16; st.param.b64 [a], %rd5; call free, (a);\n"),
         .threads = 1,
         .message = "test.ptx:12: k, " PLACE "(0,0,0): " FREE_FAILS("0x100001010")},
        {.ptx = HEAP("    st.param.b64 [a], %rd4; call free, (a); call free, (a);\n"),
         .threads = 1,
         .message = "test.ptx:12: k, " PLACE "(0,0,0): " FREE_FAILS("0x100001000")},
        // Endless: malloc gives 0 from some call on, and the loop ends.
        {.ptx = HEAP("    st.param.b64 [a], 1048576;\n"
                     "NEXT: call (r), malloc, (a); ld.param.b64 %rd5, [r];\n"
                     "    setp.ne.u64 %p1, %rd5, 0;\n"
                     "    @%p1 bra NEXT;\n"
                     "    st.global.u64 [%rd1], %rd5;\n")},
    };
    RUN(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_frames_without_room),
        cmocka_unit_test(test_frames_of_all_threads),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_generic),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_printed_bytes),
        cmocka_unit_test(test_heap),
    };
    return cmocka_run_group_tests_name("guest bounds", tests, NULL, NULL);
}
