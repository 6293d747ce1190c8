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
         "    match.any.sync.b32 _, %r1, -1;\n"
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
    ".global .align 8 .b64 million[2] = {1000000, 0};\n"                                           \
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
         .message = "test.ptx:20: " PRINTF_FAILS
         "a text or an argument to print is at 0x10; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD // arguments in local memory, which the kernel does not have
         "    mov.u64 %rd1, text;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, 0x2000000;\n"
         PRINTF,
         .message = "test.ptx:22: " PRINTF_FAILS
         "a text or an argument to print is at 0x2000000; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD // %s of a wild pointer
         "    mov.u64 %rd1, text;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, wild;\n"
         PRINTF,
         .message = "test.ptx:22: " PRINTF_FAILS
         "a text or an argument to print is at 0x1234; " NOTHING_NEAR},
        {.ptx = PRINTF_HEAD
         "    mov.u64 %rd1, star;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, wide;\n"
         PRINTF,
         .message = "test.ptx:22: " PRINTF_FAILS
         "printf with a field of 2000000000 characters: expected at most 1048576\n"
         "    call (r), vprintf, (f, a)"},
        {.ptx = PRINTF_HEAD // each thread prints a million bytes
         "    mov.u64 %rd1, star;\n"
         "    cvta.const.u64 %rd1, %rd1;\n"
         "    mov.u64 %rd2, million;\n"
         PRINTF,
         .message = "test.ptx:22: k, " PLACE
         "(8,0,0): printf of 9000000 bytes of text by the threads of one SM at the same time: "
         "expected at most 8388608\n    call (r), vprintf, (f, a)"},
        {.ptx = PRINTF_HEAD // the format is the kernel's parameter `number`
         "    mov.u64 %rd1, number;\n"
         "    cvta.param.u64 %rd1, %rd1;\n"
         PRINTF},
        {.ptx = PRINTF_HEAD
         "    mov.u64 %rd1, number;\n"
         "    cvta.param.u64 %rd1, %rd1;\n"
         PRINTF,
         .message = "test.ptx:21: " PRINTF_FAILS
         "a text or an argument to print is at 0x4000010; " NOTHING_NEAR,
         .number = UINT64_C(0x6161616161616161)},
    };
    RUN(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_frames_without_room),
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_printf),
    };
    return cmocka_run_group_tests_name("guest bounds", tests, NULL, NULL);
}
