// Texts that would leave the bounds of what they declare, take memory that they do not back up, or
// never end: each is refused with a message, or has its meaning. The sanitizer build checks memory
// accesses.
#include "parse_text.h"

#include "base/file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Checks the message without the source line and the caret; NULL: the text has a meaning.
static void check(const char *text, const char *path, const char *message)
{
    HdError err = {0};
    PtxModule *module = ptx_parse(text, path, &err);
    char *end = strchr(err.text, '\n');
    if (end) *end = 0;
    if (!module != (message != NULL) || (message && strcmp(err.text, message)))
        fail_msg("%s: wanted \"%s\", got \"%s\"", path, message ? message : "no message", err.text);
    ptx_free(module);
}

// ---- the files of hostile/ ----

static const struct {
    const char *file, *message;
} files[] = {
    {"alias_circle", "16:8: 'a' is an alias of 'b', which has no body: expected a function with a "
                     "body in this file"},
    {"alias_self", "15:8: 'f' is an alias of itself: expected another function"},
    {"alias_signature", "20:8: 'a' is an alias of 'g', which has other parameters or results in "
                        "line 6: expected the same"},
    {"declared_alignment", "37:7: 'f' is declared with other parameters or results in line 6: "
                           "expected the same sizes and alignments"},
    {"extern_initialised", "6:35: an initialiser of 'x', which is .extern: expected it at the "
                           "definition"},
    {"frame_read", NULL},
    {"frame_write", NULL},
    {"global_sizes", NULL}, // a device may have that much
    {"match_sink", "10:24: '_': expected a register"},
    {"offset_overflow",
     "8:26: 9223372036854775807: expected an offset from -2147483648 to 2147483647"},
    {"printf_flags", NULL},
    {"printf_width", NULL},
    {"unpack_comment", "11:13: a vector of 1 elements for a .b64 value: expected two or four"},
    {"version_overflow", "1:10: '99999999999999.5': expected a version like 7.5"},
    {"warp_size_as_value", NULL},
    {"warp_size_misaligned", NULL},
};

static char *read_hostile(const char *file)
{
    char path[512];
    size_t size;
    HdError err = {0};
    snprintf(path, sizeof path, TEST_DATA "/hostile/%s.ptx", file);
    char *text = file_read(path, &size, &err);
    if (!text) fail_msg("%s", err.text);
    return text;
}

static void test_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text = read_hostile(files[i].file), message[512];
        snprintf(message, sizeof message, "%s:%s", files[i].file, files[i].message);
        check(text, files[i].file, files[i].message ? message : NULL);
        free(text);
    }
}

// ---- short texts, after MODULE_HEADER (four lines) ----

static const struct {
    const char *text, *message;
} modules[] = {
    // aliases
    {".func g() { ret; }\n.func f();\n.alias f, g;\n.alias f, g;\n",
     "8:8: 'f' is an alias since line 7: expected one .alias for a name"},
    {".func g() { ret; }\n.func f();\n.alias f, g;\n.func f() { ret; }\n",
     "8:7: 'f' has a body, but is an alias since line 7: expected one of them"},
    {".func g(.param .b32 a) { ret; }\n.func f(.param .b64 a);\n.alias f, g;\n",
     "7:8: 'f' is an alias of 'g', which has other parameters or results in line 5: expected the "
     "same"},
    {".extern .func (.param .b64 p) malloc(.param .b64 n);\n"
     ".func (.param .b64 p) m(.param .b64 n);\n.alias m, malloc;\n",
     "7:8: 'm' is an alias of 'malloc', which has no body: expected a function with a body in this "
     "file"},
    {".func g() { ret; }\n.func f();\n.func e();\n.alias f, g;\n.alias e, f;\n",
     "9:8: 'e' is an alias of 'f', which has no body: expected a function with a body in this "
     "file"},
    {".func f();\n.alias f, g;\n.func g() { ret; }\n",
     "6:11: 'g': expected a function declared in front of this alias"},
    {".func f();\n.func g();\n.alias f, g;\n.func g() { ret; }\n", NULL},
    // declarations of one name
    {".func f(.param .b32 a);\n.func f(.param .align 16 .b32 a, .param .b32 b) { ret; }\n",
     "6:7: 'f' is declared with other parameters or results in line 5: expected the same sizes and "
     "alignments"},
    {".func f(.param .b32 a);\n.entry f(.param .b32 a) { ret; }\n",
     "6:8: 'f' is declared as a .func in line 5: expected the same here"},
    {".entry f();\n.func f() { ret; }\n",
     "6:7: 'f' is declared as a .entry in line 5: expected the same here"},
    {".extern .global .b8 x[4];\n.global .b8 x[5];\n",
     "6:13: 'x' has 5 bytes: expected 4, as it is declared in line 5"},
    {".extern .global .b8 x[4];\n.global .b8 x[] = {1, 2};\n",
     "6:13: 'x' has 2 bytes: expected 4, as it is declared in line 5"},
    {".extern .global .b8 x[];\n.extern .global .b8 x[2];\n.extern .global .b8 x[];\n"
     ".global .b8 x[] = {1};\n",
     "8:13: 'x' has 1 bytes: expected 2, as it is declared in line 6"},
    {".extern .global .b8 x[];\n.global .b8 x[9];\n", NULL},
    {".extern .global .texref t;\n.global .b64 t;\n", "6:14: 't' is already declared in line 5"},
    {".weak .global .b8 x[1] = {1};\n.weak .global .b8 x[2];\n",
     "6:19: 'x' is already declared in line 5"},
    // sizes
    {".global .b8 x[4294967296];\n",
     "5:15: 4294967296: expected a number of elements from 0 to 4294967295"},
    {".global .b8 x[18446744073709551615];\n",
     "5:15: 18446744073709551615: expected a number of elements from 0 to 4294967295"},
    {".global .b8 x[-1];\n", "5:16: -1: expected a number of elements from 0 to 4294967295"},
    {".global .b8 x[65536][65536];\n",
     "5:22: 4294967296 elements in all: expected at most 4294967295"},
    {".global .b8 x[0][4294967295][4294967295];\n", NULL},
    {".global .align 8192 .b8 x;\n",
     "5:16: an alignment of '8192': expected a power of two up to 4096"},
    {".const .v4 .b64 x[4294967295];\n",
     "5:17: 137438953440 bytes of .const variables: expected at most 64 KiB"},
    {".func f() { .local .v4 .b64 x[4294967295]; ret; }\n",
     "5:29: 137438953440 bytes of .local variables: expected a size of at most 16 MiB"},
    {".func f() { .param .b8 x[16777216]; .param .b8 y; ret; }\n",
     "5:48: 16777217 bytes of .param variables: expected a size of at most 16 MiB"},
    {".entry f(.param .b64 a, .param .b8 b[32761]) { ret; }\n",
     "5:36: 32769 bytes of parameters and results up to 'b': expected at most 32768"},
    {".func f(.param .b8 a[4294967295]) { ret; }\n",
     "5:20: a parameter of 4294967295 bytes: expected at most 32768"},
    {".func f(.param .b8 a[], .param .b32 b) { ret; }\n",
     "5:20: 'a' has no size: expected one, except for the last parameter of a .func"},
    {".func (.param .b8 a[]) f() { ret; }\n",
     "5:19: 'a' has no size: expected one, except for the last parameter of a .func"},
    {".entry f(.param .b8 a[]) { ret; }\n",
     "5:21: 'a' has no size: expected one, except for the last parameter of a .func"},
    {".entry f() { .reg .b32 %r<4294967295>; ret; }\n",
     "5:27: 4294967295: expected a number of registers from 0 to 1048576"},
    {".entry f() .maxntid 4294967297 { ret; }\n",
     "5:21: 4294967297: expected a number of threads from 1 to 1024"},
    // offsets
    {".global .b8 x[4];\n.global .u64 y = x+2147483648;\n",
     "6:20: 2147483648: expected an offset from -2147483648 to 2147483647"},
    {".global .b8 x[4];\n.global .u64 y = generic(x)-9223372036854775809;\n",
     "6:29: -9223372036854775809: expected an offset from -2147483648 to 2147483647"},
    // numbers
    {".target sm_99999999999\n", "5:9: 'sm_99999999999': expected a target like sm_75"},
    {".version 7.1e5\n", "5:10: '7.1e5': expected a version like 7.5"},
    {".file 4294967297 \"a\"\n",
     "5:7: 4294967297: expected a file number from 0 to 4294967295"},
};

static void test_modules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        char text[1024], message[512];
        snprintf(text, sizeof text, MODULE_HEADER "%s", modules[i].text);
        snprintf(message, sizeof message, "m:%s", modules[i].message);
        check(text, "m", modules[i].message ? message : NULL);
    }
}

// ---- single instructions, in line 11, column 1 ----

static const struct {
    const char *text, *message;
} instructions[] = {
    {"ld.global.u32 %r1, [%rd1+2147483648];",
     "26: 2147483648: expected an offset from -2147483648 to 2147483647"},
    {"ld.global.u32 %r1, [%rd1+-2147483648];", NULL},
    {"ld.shared.u32 %r1, [s-2147483649];",
     "23: -2147483649: expected an offset from -2147483648 to 2147483647"},
    {"ld.shared.u32 %r1, [4294967296];",
     "21: 4294967296: expected an address from 0 to 4294967295"},
    {"ld.shared.u32 %r1, [-1];", "22: -1: expected an address from 0 to 4294967295"},
    {"mov.u64 %rd1, s+9223372036854775807;",
     "17: 9223372036854775807: expected an offset from -2147483648 to 2147483647"},
    {"cvta.param.u64 %rd1, p+9223372036854775807;",
     "24: 9223372036854775807: expected an offset from -2147483648 to 2147483647"},
    {"ld.param.u64 %rd1, [p+1];",
     "21: an access outside of 'p': expected a range within its 8 bytes"},
    {"ld.param.u64 %rd1, [p-1];",
     "21: an access outside of 'p': expected a range within its 8 bytes"},
    {"st.param.u64 [p], %rd1;",
     "1: a store to a parameter of a kernel, which is read-only: expected a .param variable of the "
     "body"},
    {"alloca.u64 %rd1, %rd1, 8192;", "1: an alignment of 8192: expected a power of two up to 4096"},
    {"alloca.u64 %rd1, %rd1, -9223372036854775808;",
     "1: an alignment of -9223372036854775808: expected a power of two up to 4096"},
    {"lop3.b32 %r1, %r1, %r1, %r1, 256;", "30: 256: expected a table from 0 to 255"},
    {"discard.global.L2 [g+4], 9223372036854775807;", NULL},
    {"match.all.sync.b32 _, %r1, -1;", NULL},
    {"mov.b64 {%r1, /* , , */ %r2}, %rd1;", NULL},
    {"mov.b64 {%r1, %r2, /* } */ %r1}, %rd1;",
     "9: a vector of 3 elements for a .b64 value: expected two or four"},
    {"mov.b64 {%r1 // ,}\n}, %rd1;",
     "9: a vector of 1 elements for a .b64 value: expected two or four"},
    {"mov.b64 {%r1, %r2;", "18: ';': expected '}'"},
    {"mov.b16 {_, _, _, _}, %rs1;",
     "9: a vector of 4 elements for a .b16 value: expected two or four"},
    {"tex.1d.v4.u32.s32 {%rd1, %rd1, %rd1, %rd1}, [%rd1, {%r1}];",
     "20: '%rd1' is a .b64 register: expected .u32"},
    {"add.u16x2 %r1, %r1, WARP_SZ;",
     "21: WARP_SZ with type .u16x2: expected an integer of 32 or 64 bits"},
    {"mov.u32 %r1, 0b;", "14: '0b': expected a number of at most 64 bits"},
    {"mov.u32 %r1, 0b -1;", "14: '0b': expected a number of at most 64 bits"},
    {".loc 1 4294967296 1", "8: 4294967296: expected a file, line or column number from 0 to "
                           "4294967295"},
};

static void test_instructions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        char text[1024], message[512];
        snprintf(text, sizeof text, MODULE_HEADER ".global .b8 g[8];\n"
                                    ".entry k(.param .u64 p)\n{\n    .shared .b32 s;\n"
                                    "    .reg .b64 %%rd<2>; .reg .b32 %%r<4>;\n"
                                    "    .reg .b16 %%rs<2>;\n%s\n}\n",
                 instructions[i].text);
        snprintf(message, sizeof message, "m:11:%s", instructions[i].message);
        check(text, "m", instructions[i].message ? message : NULL);
    }
}

// ---- what has its meaning ----

// WARP_SZ is read in front of the store, which keeps its address.
static void test_warp_size(void **state)
{
    (void)state;
    PtxModule *m;
    PtxFunction *f = kernel_of_body(".shared .b32 before; .shared .b64 x[2];\n"
                                    "st.shared.u32 [before], %r1;\n"
                                    "st.shared.v2.u64 [x+8], {WARP_SZ, WARP_SZ};\n"
                                    "atom.shared.cas.b32 %r1, [x+4], WARP_SZ, WARP_SZ;\nret;", &m);
    static const struct {
        UopCode code;
        int64_t imm;
    } wanted[] = {{UOP_ST, 0},     {UOP_SREG, SREG_WARP_SIZE}, {UOP_SREG, SREG_WARP_SIZE},
                  {UOP_ST, 8 + 8}, {UOP_SREG, SREG_WARP_SIZE}, {UOP_SREG, SREG_WARP_SIZE},
                  {UOP_ATOM, 8 + 4}, {UOP_RET, 0}};
    assert_int_equal(f->op_count, sizeof wanted / sizeof *wanted);
    for (uint32_t i = 0; i < f->op_count; i++) {
        assert_int_equal(f->ops[i].code, wanted[i].code);
        assert_int_equal(f->ops[i].imm, wanted[i].imm);
    }
    ptx_free(m);
}

// A function that saves the stack pointer has a stack, also without alloca or with a blank in it.
static void test_stack(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "stacksave.u64 %rd1; ret;", "stackrestore.u64 %rd1; ret;", "alloca .u64 %rd1, %rd1; ret;",
        "/* } */ alloca.u64 %rd1, %rd1; ret;"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        PtxModule *m;
        assert_true(kernel_of_body(bodies[i], &m)->allocates);
        ptx_free(m);
    }
    PtxModule *m = module_of(".func f() { .reg .b64 %r; /* } */ alloca.u64 %r, 8; ret; }\n"
                             ".func g() { ret; } // alloca.u64 {\n");
    assert_int_equal(m->functions[0].ops[0].code, UOP_STACKSAVE);
    assert_false(m->functions[1].allocates);
    ptx_free(m);
}

// An initial value takes memory as long as its text.
static void test_initial_value(void **state)
{
    (void)state;
    PtxModule *m = module_of(".global .b32 x[4294967295] = {1, 2};\n.global .b32 y[3];\n");
    assert_true(m->variables[0].bytes == 4 * UINT64_C(4294967295));
    assert_int_equal(m->variables[0].initial_bytes, 8);
    assert_null(m->variables[1].initial);
    assert_int_equal(m->variables[1].initial_bytes, 0);
    ptx_free(m);
}

// ---- long texts ----

typedef struct Text {
    char *bytes;
    size_t length, size;
} Text;

// Appends `count` times; a "%d" in the format is the number of the time.
static void repeat(Text *t, int count, const char *format)
{
    for (int i = 0; i < count; i++) {
        if (t->length + 256 > t->size) {
            t->size = 2 * t->size + 1024;
            t->bytes = realloc(t->bytes, t->size);
            assert_non_null(t->bytes);
        }
        t->length += (size_t)snprintf(t->bytes + t->length, 256, format, i, i + 1);
    }
}

typedef struct Deep {
    Text text;
    HdError err;
    bool parsed;
} Deep;

static void *parse_deep(void *deep)
{
    Deep *d = deep;
    PtxModule *module = ptx_parse(d->text.bytes, "m", &d->err);
    d->parsed = module;
    ptx_free(module);
    return NULL;
}

// 64 KiB of stack are enough for each text; the sanitizers need more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 1 << 20 };
#else
enum { STACK = 1 << 16 };
#endif

static void check_deep(Text text, const char *message)
{
    static Deep d;
    pthread_attr_t attributes;
    pthread_t thread;
    d = (Deep){.text = text};
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, parse_deep, &d), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    char *end = strchr(d.err.text, '\n');
    if (end) *end = 0;
    assert_string_equal(d.err.text, message);
    assert_int_equal(d.parsed, !*message);
    free(text.bytes);
}

// Announced sizes whose sums, or whose uses, are too many.
static void test_sums(void **state)
{
    (void)state;
    Text t = {0};
    repeat(&t, 1, MODULE_HEADER);
    repeat(&t, 300, ".func f%d();\n");
    repeat(&t, 299, ".func f%d() { .local .b8 x[16777216]; call f%d; ret; }\n");
    repeat(&t, 1, ".func f299() { ret; }\n");
    check_deep(t, "m:348:7: 'f43' and the functions that it calls need 4 GiB or more of .local or "
                  ".param variables: expected less");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER ".func f(\n");
    repeat(&t, 600, ".param .b8 p%d[32768],\n");
    repeat(&t, 1, ".param .b8 last) { ret; }\n");
    check_deep(t, "m:518:12: 16809984 bytes of parameters and results up to 'p512': expected at "
                  "most 16777216");
    t = (Text){0}; // gaps that no variable fits into
    repeat(&t, 1, MODULE_HEADER);
    repeat(&t, 4000, ".shared .align 4 .b8 x%d[1];\n.shared .align 2 .b8 y%1$d[1];\n");
    repeat(&t, 1, ".entry k()\n{\n    .reg .b32 %%r;\n");
    repeat(&t, 4000, "st.shared.b8 [x%d], %%r;\nst.shared.b8 [y%1$d], %%r;\n");
    repeat(&t, 1, "ret;\n}\n");
    check_deep(t, "m:6684:22: placing the .shared variables takes too many steps: expected fewer "
                  "variables, or fewer kernels that share them");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER);
    repeat(&t, 65536, ".file %d \"a\"\n");
    check_deep(t, "m:65540:13: too many source files: expected at most 65535");
}

static void test_deep(void **state)
{
    (void)state;
    Text t = {0};
    repeat(&t, 1, MODULE_HEADER ".func f()\n");
    repeat(&t, 257, "{");
    repeat(&t, 257, "}");
    check_deep(t, "");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER ".func f()\n");
    repeat(&t, 100000, "{");
    check_deep(t, "m:6:258: expected at most 256 nested blocks");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER ".global .b8 x[] =\n");
    repeat(&t, 256, "{");
    repeat(&t, 256, "}");
    repeat(&t, 1, ";");
    check_deep(t, "");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER ".global .b8 x[] =\n");
    repeat(&t, 100000, "{1, ");
    check_deep(t, "m:6:1025: expected at most 256 nested braces");
    t = (Text){0}; // 10,000 functions, each of which calls the next one, in both directions
    repeat(&t, 1, MODULE_HEADER);
    repeat(&t, 10000, ".func f%d();\n");
    repeat(&t, 9999, ".func f%d() { call f%d; ret; }\n");
    repeat(&t, 1, ".func f9999() { call f0; ret; }\n");
    check_deep(t, "");
    t = (Text){0};
    repeat(&t, 1, MODULE_HEADER ".func f0() { ret; }\n");
    repeat(&t, 9999, ".func g%1$d();\n.alias g%1$d, f0;\n");
    check_deep(t, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),         cmocka_unit_test(test_modules),
        cmocka_unit_test(test_instructions),  cmocka_unit_test(test_warp_size),
        cmocka_unit_test(test_stack),         cmocka_unit_test(test_initial_value),
        cmocka_unit_test(test_sums),          cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
