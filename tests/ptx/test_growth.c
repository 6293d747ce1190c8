// Texts of shapes that make slow algorithms slow. Loading one takes time and memory in proportion
// to the text, or ends with a message.
//
// Each text is loaded by a child process with a limit of its CPU time and of its address space,
// which an algorithm of quadratic cost exceeds by far.
#include "parse_text.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Shape {
    const char *name;
    void (*write)(FILE *text, unsigned n);
    unsigned n;
    const char *message; // the words of the expected message; NULL: the text is loaded
} Shape;

// ---- one function ----

static void begin(FILE *text, const char *more)
{
    fprintf(text, MODULE_HEADER ".visible .entry k(.param .u64 p)\n{\n    .reg .pred %%p<9>;\n"
                  "    .reg .b32 %%r<32001>;\n    .reg .f32 %%f<32001>;\n    .reg .b64 %%a;\n"
                  "    ld.param.u64 %%a, [p];\n    mov.u32 %%r1, %%tid.x;\n"
                  "    setp.eq.u32 %%p1, %%r1, 0;\n%s", more);
}

static void end(FILE *text) { fprintf(text, "END:\n    ret;\n}\n"); }

#define FOR(i, n) for (unsigned i = 0; i < (n); i++)
// As FOR, from n - 1 down to 0.
#define FOR_DOWN(i, n) for (unsigned i = (n); i-- > 0;)

// Early exits, each decided by a value of the thread.
static void write_exits(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n) fprintf(text, "@%%p1 bra END;\nadd.u32 %%r2, %%r2, 1;\n");
    end(text);
}

// Exits to a block that goes on, and writes in between.
static void write_cold_exits(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n) fprintf(text, "@%%p1 bra COLD;\nmov.u32 %%r%u, %%r1;\n", i % 1000);
    fprintf(text, "bra END;\nCOLD:\n");
    FOR(i, 1000) fprintf(text, "st.global.u32 [%%a], %%r%u;\n", i);
    end(text);
}

// A switch with cases that fall into each other, as compares one after the other. Both the compares
// and the cases write and need registers.
static void write_cases(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "@%%p1 bra C%u;\nadd.u32 %%r%u, %%r%u, 1;\n", i, 2 + i % 1000, 9 + i % 900);
    fprintf(text, "bra END;\n");
    FOR(i, n) fprintf(text, "C%u:\nadd.u32 %%r%u, %%r%u, 2;\n", i, 7 + i % 990, 2 + i % 1000);
    end(text);
}

// if (a && b && ...) X; else Y;
static void write_conditions(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "@%%p1 bra Y;\nadd.u32 %%r%u, %%r%u, 1;\n", 2 + i % 1000, 9 + i % 900);
    FOR(i, n) fprintf(text, "st.global.u32 [%%a], %%r%u;\n", i % 1000);
    fprintf(text, "bra END;\nY:\n");
    FOR(i, n) fprintf(text, "mov.u32 %%r%u, 5;\n", i % 1000);
    end(text);
}

static void write_diamonds(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "@%%p1 bra A%u;\nmov.u32 %%r%u, 1;\nbra B%u;\nA%u:\nmov.u32 %%r%u, 2;\n"
                      "B%u:\nst.global.u32 [%%a], %%r%u;\n",
                i, i % 30000, i, i, i % 30000, i, i % 30000);
    end(text);
}

// if inside if: the paths of each contain all others.
static void write_nested_ifs(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n) fprintf(text, "@%%p1 bra E%u;\nmov.u32 %%r%u, 1;\n", i, i % 1000);
    FOR_DOWN(i, n) fprintf(text, "E%u:\nst.global.u32 [%%a], %%r%u;\n", i, i % 1000);
    end(text);
}

static void write_nested_loops(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n) fprintf(text, "L%u:\n", i), fprintf(text, "add.u32 %%r2, %%r2, 1;\n");
    FOR_DOWN(i, n) fprintf(text, "@%%p1 bra L%u;\n", i);
    end(text);
}

// The same, around an atomic that waits.
static void write_nested_polls(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n) fprintf(text, "L%u:\nadd.u32 %%r2, %%r2, 1;\n", i);
    fprintf(text, "atom.global.add.u32 %%r3, [%%a], %%r2;\nsetp.eq.u32 %%p1, %%r3, 0;\n");
    FOR_DOWN(i, n) fprintf(text, "@%%p1 bra L%u;\n", i);
    end(text);
}

// A loop in which an atomic decides many branches, and registers settle in the wrong order.
static void write_wide_poll(FILE *text, unsigned n)
{
    begin(text, "LOOP:\natom.global.add.u32 %r3, [%a], 0;\nsetp.eq.u32 %p1, %r3, 0;\n");
    FOR_DOWN(i, n)
        fprintf(text, "@%%p1 bra B%u;\nadd.u32 %%r%u, %%r%u, 1;\nB%u:\n"
                      "st.global.u32 [%%a], %%r1;\n", i, 10 + i % 30000, 11 + i % 30000, i);
    fprintf(text, "bra LOOP;\n");
    end(text);
}

// Blocks that lead to the one before and the one behind, each with a register of its own.
static void write_zigzag(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "L%u:\nst.global.u32 [%%a], %%r%u;\n@%%p1 bra L%u;\n", i, 2 + i % 30000,
                i ? i - 1 : 0);
    fprintf(text, "@%%p1 bra L0;\n");
    FOR(i, n < 30000 ? n : 30000) fprintf(text, "mov.u32 %%r%u, 0;\n", 2 + i);
    fprintf(text, "bra L0;\n");
    end(text);
}

// Registers that live through all blocks.
static void write_live_matrix(FILE *text, unsigned n)
{
    begin(text, "");
    unsigned registers = n < 30000 ? n : 30000;
    FOR(i, registers) fprintf(text, "mov.u32 %%r%u, 1;\n", i);
    FOR(i, n) fprintf(text, "@%%p1 bra L%u;\nL%u:\n", i, i);
    FOR(i, registers) fprintf(text, "st.global.u32 [%%a], %%r%u;\n", i);
    end(text);
}

// A chain of copies against the order of the text.
static void write_copies(FILE *text, unsigned n)
{
    begin(text, "LOOP:\nmov.u32 %r30000, %tid.x;\n");
    FOR(i, n) fprintf(text, "mov.u32 %%r%u, %%r%u;\n", i % 30000, i % 30000 + 1);
    fprintf(text, "setp.eq.u32 %%p1, %%r0, 0;\n@%%p1 bra LOOP;\n");
    end(text);
}

static void write_blocks_backward(FILE *text, unsigned n)
{
    begin(text, "");
    fprintf(text, "bra L%u;\n", n - 1);
    FOR(i, n)
        fprintf(text, "L%u:\nadd.u32 %%r%u, %%r%u, 1;\nbra %s%u;\n", i, i % 30000, i % 30000 + 1,
                i ? "L" : "M", i ? i - 1 : 0);
    fprintf(text, "M0:\n");
    end(text);
}

// One table for many branches.
static void write_tables(FILE *text, unsigned n)
{
    begin(text, "TABLE: .branchtargets L0");
    FOR(i, n - 1) fprintf(text, ",\nL%u", i + 1);
    fprintf(text, ";\n");
    FOR(i, n) fprintf(text, "L%u:\nbrx.idx %%r1, TABLE;\n", i);
    end(text);
}

// ---- contraction ----

// Sums of one product.
static void write_sums(FILE *text, unsigned n)
{
    begin(text, "");
    fprintf(text, "mul.f32 %%f1, %%f2, %%f3;\n");
    FOR(i, n) fprintf(text, "add.f32 %%f%u, %%f1, %%f4;\n", 5 + i % 30000);
    end(text);
}

// Products far from their sums, of registers that are written again.
static void write_products(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, 2) {
        FOR(k, n) fprintf(text, "mul.f32 %%f%u, %%f30001, %%f30002;\n", k % 30000);
        FOR(k, n) fprintf(text, "add.f32 %%f30003, %%f%u, %%f30004;\n", k % 30000);
    }
    fprintf(text, "mov.f32 %%f30001, %%f30002;\nmov.f32 %%f30001, %%f30002;\n");
    end(text);
}

// The same with a constant factor, each sum in a block of its own.
static void write_far_products(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "mul.f32 %%f%u, %%f30002, 0f40000000;\n@%%p1 bra A%u;\n"
                      "add.f32 %%f30003, %%f%u, %%f30004;\nA%u:\n",
                i % 30000, i, i % 30000, i);
    end(text);
}

// ---- scopes and names ----

static void write_ranges(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, n)
        fprintf(text, "{\n    .reg .b32 %%t<1048576>;\n    mov.u32 %%t%u, 0;\n}\n", i % 60000);
    end(text);
}

// Branches out of many blocks, each with a label of its own.
static void write_outer_labels(FILE *text, unsigned n)
{
    begin(text, "");
    FOR(i, 250) fprintf(text, "{\nL:\n");
    FOR(i, n) fprintf(text, "@%%p1 bra END;\n");
    FOR(i, 250) fprintf(text, "}\n");
    end(text);
}

// Names that have the same place in the table of names.
static void write_collisions(FILE *text, unsigned n)
{
    char name[16];
    begin(text, "");
    for (unsigned i = 0, found = 0; found < n; i++) {
        int length = snprintf(name, sizeof name, "n%u", i);
        if (hash_bytes(HASH_START, name, (size_t)length) % 2048) continue;
        fprintf(text, ".reg .b32 %s;\n", name);
        found++;
    }
    end(text);
}

// The next number from *i on that gives a key with place 0 in a table of `size` entries.
#define COLLIDING(key, i, size)                                                                    \
    while (hash_bytes(HASH_START, key, sizeof key) % (size)) (i)++

static void write_colliding_constants(FILE *text, unsigned n)
{
    begin(text, "");
    uint64_t key[3] = {0, UINT32_MAX, 1};
    FOR(i, n) {
        key[0]++;
        COLLIDING(key, key[0], 1024);
        fprintf(text, "add.u32 %%r2, %%r1, %u;\n", (unsigned)key[0]);
    }
    end(text);
}

static void write_colliding_positions(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER ".file 1 \"a.cu\"\n.visible .entry k()\n{\n");
    uint32_t key[] = {0, 1, 0, 1};
    FOR(i, n) {
        key[2]++;
        COLLIDING(key, key[2], 1024);
        fprintf(text, ".loc 1 %u 1\n", key[2]);
    }
    fprintf(text, "ret;\n}\n");
}

static void write_colliding_files(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    uint32_t key[] = {0, 0};
    FOR(i, n) {
        key[1]++;
        COLLIDING(key, key[1], 1024);
        fprintf(text, ".file %u \"a%u.cu\"\n", key[1], i);
    }
    fprintf(text, ".visible .entry k() { ret; }\n");
}

// Functions whose addresses are taken, each with two parameters of other sizes.
static void write_colliding_signatures(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    uint32_t sizes = 0;
    size_t count = 2, none = 0;
    uint64_t hash;
    FOR(i, n) {
        uint32_t first[] = {0, 0, 0}, second[] = {0, 0, 0}; // offset, bytes
        do {
            first[1] = second[0] = 1 + sizes / 1024;
            second[1] = 1 + sizes++ % 1024;
            hash = hash_bytes(HASH_START, first, sizeof first);
            hash = hash_bytes(hash, second, sizeof second);
            hash = hash_bytes(hash, &count, sizeof count);
        } while (hash_bytes(hash, &none, sizeof none) % 1024);
        fprintf(text, ".func f%u(.param .b8 a[%u], .param .b8 b[%u]) { ret; }\n", i, first[1],
                second[1]);
    }
    fprintf(text, ".global .u64 table[%u] = {", n);
    FOR(i, n) fprintf(text, "%sf%u", i ? ", " : "", i);
    fprintf(text, "};\n.visible .entry k() { ret; }\n");
}

// ---- source positions ----

static void write_positions(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER ".file 1 \"a.cu\"\n.visible .entry k()\n{\n");
    FOR(i, n) fprintf(text, ".loc 1 %u 1\n", 1 + i * 1024);
    fprintf(text, "ret;\n}\n");
}

// Positions inlined into each other, and files in which nothing is found.
static void write_inlined(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    FOR(i, n) fprintf(text, ".file %u \"/usr/%u\"\n", i + 1, i);
    fprintf(text, ".visible .entry k()\n{\n.reg .b32 %%r<2>;\n");
    FOR(i, n)
        fprintf(text, ".loc %u %u 1, function_name f, inlined_at %u %u 1\nmov.u32 %%r1, 0;\n",
                i + 2, i + 2, i + 1, i + 1);
    fprintf(text, "ret;\n}\n");
}

// ---- functions ----

// Calls in a chain, each function in front of its caller or behind it.
static void write_chains(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER ".func f0() { ret; }\n.func g0();\n");
    FOR(i, n) fprintf(text, ".func f%u() { call f%u; ret; }\n.func g%u();\n", i + 1, i, i + 1);
    FOR(i, n) fprintf(text, ".func g%u() { call g%u; ret; }\n", i, i + 1);
    fprintf(text, ".func g%u() { ret; }\n", n);
}

// Functions that call each other through pointers, of one signature and of many.
static void write_pointers(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    FOR(i, n)
        fprintf(text, ".func f%u(.param .b32 a, .param .b8 b[%u])\n{\n.reg .b64 %%a;\n"
                      "P: .callprototype _ (.param .b32 a, .param .b8 b[%u]);\n"
                      ".param .b32 x;\n.param .b8 y[%u];\n"
                      "mov.u64 %%a, f%u;\ncall %%a, (x, y), P;\nret;\n}\n",
                i, 1 + i % 2 * i, 1 + i % 2 * i, 1 + i % 2 * i, i);
}

// Kernels and functions that all use all variables.
static void write_shared(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    FOR(i, n) fprintf(text, ".shared .b32 v%u;\n", i);
    fprintf(text, ".func all()\n{\n");
    FOR(i, n) fprintf(text, "st.shared.u32 [v%u], 0;\n", i);
    fprintf(text, "ret;\n}\n");
    FOR(i, n) fprintf(text, ".entry k%u() { call all; ret; }\n", i);
}

// Kernels with a shared variable each.
static void write_own_shared(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    FOR(i, n)
        fprintf(text, ".entry k%u()\n{\n.shared .b32 v;\nst.shared.u32 [v], 0;\nret;\n}\n", i);
}

// Comments whose braces do not count, in front of an alloca.
static void write_alloca(FILE *text, unsigned n)
{
    fprintf(text, MODULE_HEADER);
    FOR(i, n) fprintf(text, ".func f%u() { /*{*/ ret; }\n", i);
    fprintf(text, ".func last() { .reg .b64 %%a; alloca.u64 %%a, 16; ret; }\n");
}

// ---- the table ----

#define TOO_LONG(steps)                                                                            \
    "test.ptx:5:17: 'k' takes more than " steps " steps to analyse: expected at most 4096 for "    \
    "each instruction and branch target"

static const Shape shapes[] = {
    {"exits", write_exits, 30000, NULL},
    {"cold exits", write_cold_exits, 30000, NULL},
    {"cases", write_cases, 30000, NULL},
    {"conditions", write_conditions, 20000, NULL},
    {"diamonds", write_diamonds, 15000, NULL},
    {"nested ifs", write_nested_ifs, 20000, TOO_LONG("245776384")},
    {"nested loops", write_nested_loops, 30000, TOO_LONG("245776384")},
    {"nested polls", write_nested_polls, 20000, TOO_LONG("163864576")},
    {"wide poll", write_wide_poll, 10000, NULL},
    {"zigzag", write_zigzag, 20000, TOO_LONG("245784576")},
    {"live matrix", write_live_matrix, 30000, NULL},
    {"large live matrix", write_live_matrix, 80000,
     "test.ptx:5:17: 'k' has 80001 basic blocks and 30002 registers that live beyond one block: "
     "expected at most 2^31 pairs of a block and a register"},
    {"copies", write_copies, 30000, NULL},
    {"blocks backward", write_blocks_backward, 20000, NULL},
    {"tables", write_tables, 20000, TOO_LONG("163856384")},
    {"sums", write_sums, 30000, NULL},
    {"products", write_products, 10000, NULL},
    {"far products", write_far_products, 15000, NULL},
    {"ranges", write_ranges, 10000, NULL},
    {"outer labels", write_outer_labels, 50000, NULL},
    {"collisions", write_collisions, 600,
     "test.ptx:268:11: 'n531928' has the hash of too many other names: expected at most 256"},
    {"colliding constants", write_colliding_constants, 300,
     "test.ptx:270:19: '268758' has the hash of too many other constants: "
     "expected at most 256"},
    {"colliding positions", write_colliding_positions, 300,
     "test.ptx:264:15: '1' has the hash of too many other positions: "
     "expected at most 256"},
    {"colliding files", write_colliding_files, 300,
     "test.ptx:261:7: '272242' has the hash of too many other files: "
     "expected at most 256"},
    {"colliding signatures", write_colliding_signatures, 300,
     "test.ptx:261:7: 'f256' has the hash of too many other signatures: "
     "expected at most 256"},
    {"positions", write_positions, 50000, NULL},
    {"inlined", write_inlined, 12000, NULL},
    {"chains", write_chains, 9000, NULL},
    {"pointers", write_pointers, 5000, NULL},
    {"shared", write_shared, 10000,
     "test.ptx:20344:8: placing the .shared variables takes too many steps: expected fewer "
     "variables, or fewer kernels that share them"},
    {"own shared", write_own_shared, 20000, NULL},
    {"alloca", write_alloca, 30000, NULL},
};

// Limits of the child: the CPU time of the whole text, and its address space. Sanitizers are
// several times as slow, and reserve terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CPU_SECONDS = 30, LIMITS_SPACE = false };
#else
enum { CPU_SECONDS = 3, LIMITS_SPACE = true };
#endif
enum { ADDRESS_MIB = 512, TEXT_MIB = 4 };

// Loads the text, and exits with status 0 if the outcome is the expected one.
static void load(const Shape *shape, const char *text)
{
    HdError err = {0};
    struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};
    struct rlimit space = {(rlim_t)ADDRESS_MIB << 20, (rlim_t)ADDRESS_MIB << 20};
    setrlimit(RLIMIT_CPU, &cpu);
    if (LIMITS_SPACE) setrlimit(RLIMIT_AS, &space);
    PtxModule *m = ptx_parse_with(text, "test.ptx", (PtxOptions){.contract = true}, &err);
    char *rest = strchr(err.text, '\n'); // the text's line
    if (rest) *rest = 0;
    const char *wanted = shape->message ? shape->message : "";
    bool right = !strcmp(err.text, wanted) && (m != NULL) == !shape->message;
    if (!right) fprintf(stderr, "%s: got \"%s\", wanted \"%s\"\n", shape->name, err.text, wanted);
    ptx_free(m);
    fflush(NULL);
    _exit(!right);
}

static void test_growth(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char *text = NULL;
        size_t size;
        int status;
        FILE *file = open_memstream(&text, &size);
        assert_non_null(file);
        shapes[i].write(file, shapes[i].n);
        assert_int_equal(fclose(file), 0);
        assert_in_range(size, 0, (size_t)TEXT_MIB << 20);
        pid_t child = fork();
        if (!child) load(&shapes[i], text);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status) fail_msg("%s: ended with status %#x", shapes[i].name, (unsigned)status);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
