// Linking several texts of relocatable PTX into one module.
#include "parse_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXTS = 3, TEXT_BYTES = 4096 };

// Links texts, of which each begins with MODULE_HEADER; they are a.ptx, b.ptx, c.ptx.
static PtxModule *link_texts(const char *a, const char *b, const char *c, HdError *err)
{
    static const char *const paths[] = {"a.ptx", "b.ptx", "c.ptx"};
    const char *bodies[] = {a, b, c};
    char *buffers[MAX_TEXTS] = {NULL};
    PtxText texts[MAX_TEXTS];
    size_t count = 0;
    for (; count < MAX_TEXTS && bodies[count]; count++) {
        assert_non_null(buffers[count] = malloc(TEXT_BYTES));
        assert_in_range(snprintf(buffers[count], TEXT_BYTES, MODULE_HEADER "%s", bodies[count]), 1,
                        TEXT_BYTES - 1);
        texts[count] = (PtxText){buffers[count], paths[count]};
    }
    PtxModule *module = ptx_link(texts, count, "linked.ptx", (PtxOptions){.lenient = true}, err);
    for (size_t i = 0; i < count; i++) free(buffers[i]); // a module keeps what it needs
    return module;
}

static PtxModule *link_good(const char *a, const char *b, const char *c)
{
    HdError err = {0};
    PtxModule *module = link_texts(a, b, c, &err);
    if (!module) fail_msg("%s", err.text);
    return module;
}

// Checks that the texts cannot be linked, and the whole message up to its source line.
static void expect_refused(const char *a, const char *b, const char *message)
{
    HdError err = {0};
    PtxModule *module = link_texts(a, b, NULL, &err);
    assert_null(module);
    char *end = strchr(err.text, '\n');
    if (end) *end = 0;
    assert_string_equal(err.text, message);
}

static const PtxFunction *function(const PtxModule *m, const char *name, const char *path)
{
    const PtxFunction *found = NULL;
    for (size_t i = 0; i < m->function_count; i++) {
        const PtxFunction *f = &m->functions[i];
        if (strcmp(f->name, name) || strcmp(f->path, path)) continue;
        assert_null(found);
        found = f;
    }
    if (!found) fail_msg("no function '%s' of %s", name, path);
    return found;
}

// The number of a variable, of which there must be `count` with this name; the first.
static size_t variable(const PtxModule *m, const char *name, size_t count)
{
    size_t found = m->variable_count, seen = 0;
    for (size_t i = 0; i < m->variable_count; i++)
        if (!strcmp(m->variables[i].name, name) && !seen++) found = i;
    assert_int_equal(seen, count);
    return found;
}

// The function that the n-th call of `f` reaches.
static const PtxFunction *callee(const PtxModule *m, const PtxFunction *f, unsigned n)
{
    for (uint32_t i = 0; i < f->op_count; i++)
        if (f->ops[i].code == UOP_CALL && !n--) return &m->functions[f->ops[i].target];
    fail_msg("'%s' has no such call", f->name);
    return NULL;
}

static void test_references(void **state)
{
    (void)state;
    // Each file has a function `own` of its own; `value` is b's, and `total` is c's.
    PtxModule *m = link_good(".extern .func value();\n"
                             ".func own() { ret; }\n"
                             ".visible .entry k() { call own; call value; ret; }\n",
                             ".extern .global .align 8 .u64 total;\n"
                             ".func own() { ret; }\n"
                             ".visible .func value()\n"
                             "{ .reg .b64 %r; ld.global.u64 %r, [total]; call own; ret; }\n",
                             ".visible .global .align 4 .u32 before = 1;\n"
                             ".visible .global .align 8 .u64 total = 7;\n");
    assert_int_equal(m->function_count, 4);
    const PtxFunction *k = function(m, "k", "a.ptx"), *value = function(m, "value", "b.ptx");
    assert_ptr_equal(callee(m, k, 0), function(m, "own", "a.ptx"));
    assert_ptr_equal(callee(m, k, 1), value);
    assert_ptr_equal(callee(m, value, 0), function(m, "own", "b.ptx"));
    assert_int_equal(k->max_call_depth, 3);
    // b's declaration is no variable any more; the load refers to c's.
    assert_int_equal(m->variable_count, 2);
    assert_int_equal(m->relocation_count, 1);
    assert_int_equal(m->relocations[0].variable, variable(m, "total", 1));
    assert_int_equal(m->relocations[0].function, value - m->functions);
    assert_int_equal(m->variables[variable(m, "total", 1)].initial[0], 7);
    ptx_free(m);
}

static void test_weak(void **state)
{
    (void)state;
    static const char weak[] = ".weak .func f() { .reg .b32 %r; mov.u32 %r, 1; ret; }\n"
                               ".weak .global .u32 v = 1;\n"
                               ".visible .entry ka() { call f; ret; }\n";
    static const char visible[] = ".visible .func f() { ret; }\n"
                                  ".visible .global .u32 v = 2;\n"
                                  ".visible .entry kb() { call f; ret; }\n";
    // A visible definition takes precedence, in either order.
    for (int swapped = 0; swapped < 2; swapped++) {
        PtxModule *m = swapped ? link_good(visible, weak, NULL) : link_good(weak, visible, NULL);
        assert_int_equal(m->function_count, 3);
        const PtxFunction *f = function(m, "f", swapped ? "a.ptx" : "b.ptx");
        assert_int_equal(f->op_count, 1); // ret
        assert_ptr_equal(callee(m, function(m, "ka", swapped ? "b.ptx" : "a.ptx"), 0), f);
        assert_ptr_equal(callee(m, function(m, "kb", swapped ? "a.ptx" : "b.ptx"), 0), f);
        assert_int_equal(m->variables[variable(m, "v", 1)].initial[0], 2);
        ptx_free(m);
    }
    // Among weak ones, the first stays. Kernels of templates are weak, too.
    PtxModule *m = link_good(".weak .entry k() { ret; }\n.weak .global .u32 v = 3;\n",
                             ".weak .entry k() { ret; }\n.weak .global .u32 v = 4;\n", NULL);
    assert_int_equal(m->function_count, 1);
    function(m, "k", "a.ptx");
    assert_int_equal(m->variables[variable(m, "v", 1)].initial[0], 3);
    ptx_free(m);
}

static void test_duplicates(void **state)
{
    (void)state;
    expect_refused(".visible .func f() { ret; }\n", "\n.visible .func f() { ret; }\n",
                   "b.ptx:6:16: 'f' is defined twice: in b.ptx:6, and first in a.ptx:5: expected "
                   "one definition, or .weak ones");
    expect_refused(".file 3 \"/x/a.cu\"\n.visible .func f() { .loc 3 10 1; ret; }\n",
                   ".file 3 \"/x/b.cu\"\n.visible .func f() { .loc 3 20 1; ret; }\n",
                   "b.ptx:6:16: 'f' is defined twice: in b.ptx:6 (/x/b.cu:20), and first in "
                   "a.ptx:6 (/x/a.cu:10): expected one definition, or .weak ones");
    expect_refused(".visible .entry k() { ret; }\n", ".visible .entry k() { ret; }\n",
                   "b.ptx:5:17: 'k' is defined twice: in b.ptx:5, and first in a.ptx:5: expected "
                   "one definition, or .weak ones");
    expect_refused(".visible .global .u32 v;\n", ".visible .global .u32 v = 1;\n",
                   "b.ptx:5:23: 'v' is defined twice: in b.ptx:5, and first in a.ptx:5: expected "
                   "one definition, or .weak ones");
    // Names of one file do not meet.
    ptx_free(link_good(".entry k() { ret; }\n.global .u32 v;\n",
                       ".entry k() { ret; }\n.global .u64 v;\n", NULL));
}

static void test_mismatches(void **state)
{
    (void)state;
    expect_refused(".extern .global .u32 v;\n", ".visible .global .u64 v;\n",
                   "b.ptx:5:23: 'v' has another size in a.ptx:5: expected the same in all files");
    expect_refused(".extern .global .u32 v;\n", ".visible .const .u32 v;\n",
                   "b.ptx:5:22: 'v' has another space in a.ptx:5: expected the same in all files");
    expect_refused(".extern .global .u32 v;\n", ".visible .func v() { ret; }\n",
                   "a.ptx:5:22: 'v' has another kind (a function or a variable) in b.ptx:5: "
                   "expected the same in all files");
    static const char *const others[] = {
        ".visible .func (.param .f32 r) f(.param .b32 a) { ret; }\n",
        ".visible .func (.param .b32 r) f(.param .b64 a) { ret; }\n",
        ".visible .func (.param .b32 r) f(.param .align 4 .b8 a[4]) { ret; }\n",
        ".visible .func (.param .b32 r) f(.param .b32 a, .param .b32 b) { ret; }\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_refused(".extern .func (.param .b32 r) f(.param .b32 a);\n", others[i],
                       "b.ptx:5:32: 'f' has another kind or other parameters in a.ptx:5: expected "
                       "the same in all files");
    // A kernel may be declared as a function, but a function not as a kernel.
    expect_refused(".visible .func k(.param .b64 a) { ret; }\n",
                   ".extern .entry k(.param .u64 a);\n",
                   "b.ptx:5:16: 'k' has another kind or other parameters in a.ptx:5: expected the "
                   "same in all files");
    // Signed and unsigned are the same to nvlink, as is an array without a size; the largest
    // alignment counts.
    PtxModule *m = link_good(".extern .func (.param .b32 r) f(.param .u32 a);\n"
                             ".extern .func k(.param .b64 a);\n"
                             ".visible .global .u64 at = k;\n"
                             ".extern .global .align 16 .u32 v[];\n",
                             ".visible .func (.param .s32 r) f(.param .b32 a) { ret; }\n"
                             ".visible .entry k(.param .u64 a) { ret; }\n"
                             ".visible .global .u32 v[5];\n", NULL);
    const PtxVariable *v = &m->variables[variable(m, "v", 1)];
    assert_int_equal(v->bytes, 20);
    assert_int_equal(v->align, 16);
    ptx_free(m);
}

static void test_common(void **state)
{
    (void)state;
    PtxModule *m = link_good(".common .global .u32 v[2];\n", ".common .global .u32 v[4];\n",
                             ".common .global .u32 v[3];\n");
    assert_int_equal(m->variables[variable(m, "v", 1)].bytes, 16);
    ptx_free(m);
    m = link_good(".common .global .u32 v;\n", ".visible .global .u32 v = 9;\n", NULL);
    assert_int_equal(m->variables[variable(m, "v", 1)].initial[0], 9);
    ptx_free(m);
    expect_refused(".common .global .u32 v[2];\n", ".visible .global .u32 v = 9;\n",
                   "b.ptx:5:23: 'v' has another size in a.ptx:5: expected the same in all files");
}

static void test_missing(void **state)
{
    (void)state;
    PtxModule *m = link_good(".extern .func far();\n.extern .global .u32 lost;\n"
                             ".extern .const .u32 fixed;\n.extern .shared .b8 tile[64];\n"
                             ".visible .entry calls() { call far; ret; }\n"
                             ".visible .entry loads()\n"
                             "{ .reg .b32 %r; ld.global.u32 %r, [lost]; ret; }\n"
                             ".visible .entry reads()\n"
                             "{ .reg .b32 %r; ld.const.u32 %r, [fixed]; ret; }\n"
                             ".visible .entry shares()\n"
                             "{ .reg .b32 %r; ld.shared.u32 %r, [tile]; ret; }\n"
                             ".extern .func good();\n"
                             ".visible .entry kernels() { call good; ret; }\n",
                             ".visible .entry good() { ret; }\n", NULL);
    static const struct {
        const char *name, *why;
    } kernels[] = {{"calls", "a.ptx:9:32: function 'far' is not defined in any of the program's "
                             "files that have PTX"},
                   {"loads", "a.ptx:6:22: 'lost' is declared extern, but not defined in any of the "
                             "program's files that have PTX"},
                   {"reads", "a.ptx:7:21: 'fixed' is declared extern, but not defined in any of "
                             "the program's files that have PTX"},
                   {"shares", "a.ptx:8:21: 'tile' is declared extern, but not defined in any of "
                              "the program's files that have PTX"},
                   {"kernels", "a.ptx:17:34: a call of the kernel 'good': expected a function"}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const PtxFunction *k = function(m, kernels[i].name, "a.ptx");
        assert_non_null(k->unusable);
        assert_memory_equal(k->unusable, kernels[i].why, strlen(kernels[i].why));
        assert_int_equal(k->unusable[strlen(kernels[i].why)], '\n');
    }
    assert_null(function(m, "good", "b.ptx")->unusable);
    ptx_free(m);
}

static uint64_t word_at(const PtxVariable *v, unsigned index)
{
    uint64_t word;
    memcpy(&word, v->initial + 8 * index, sizeof word);
    return word;
}

static void test_initialisers(void **state)
{
    (void)state;
    // A table in a.ptx of a function, an alias and a variable of b.ptx. Its own weak variable is
    // left out with the address in it.
    PtxModule *m = link_good(".extern .func f();\n.extern .func g();\n.extern .global .u32 v;\n"
                             ".visible .global .u64 table[3] = {f, g, v};\n"
                             ".weak .global .u64 w = v;\n",
                             ".visible .func f() { ret; }\n"
                             ".visible .func g();\n.alias g, f;\n"
                             ".visible .global .u32 first;\n.visible .global .u32 v;\n"
                             ".visible .global .u64 w = table;\n"
                             ".extern .global .u64 table[3];\n", NULL);
    uint64_t addresses[4] = {0};
    assert_int_equal(m->variable_count, 4);
    size_t table = variable(m, "table", 1), v = variable(m, "v", 1), w = variable(m, "w", 1);
    addresses[table] = 0x1000;
    addresses[v] = 0x2000;
    ptx_relocate(m, addresses);
    uint64_t f = ptx_function_address(0);
    assert_int_equal(word_at(&m->variables[table], 0), f);
    assert_int_equal(word_at(&m->variables[table], 1), f);
    assert_int_equal(word_at(&m->variables[table], 2), 0x2000);
    assert_int_equal(word_at(&m->variables[w], 0), 0x1000);
    assert_int_equal(m->relocation_count, 2);
    // f is reached by pointers only, and so has a signature.
    assert_int_not_equal(m->functions[0].signature, 0);
    ptx_free(m);
    // The definition of each replaces the weak one of the other, so neither has a body.
    expect_refused(".visible .func x();\n.weak .func y() { ret; }\n.alias x, y;\n"
                  ".visible .entry k() { call x; ret; }\n",
                  ".visible .func y();\n.weak .func x() { ret; }\n.alias y, x;\n",
                   "a.ptx:5:16: 'x' is an alias of itself, with the definitions that all files "
                   "give: expected a function with a body");
}

static void test_spaces(void **state)
{
    (void)state;
    // The constant banks become one: 4 bytes of a.ptx, aligned, then 8 of b.ptx. Dynamic shared
    // memory is behind the static: 64 bytes of b.ptx, which both kernels reach through f.
    PtxModule *m = link_good(".visible .const .align 4 .u32 c4 = 1;\n"
                             ".extern .const .align 8 .u64 c8;\n.extern .func f();\n"
                             ".extern .shared .align 16 .b8 raw[];\n"
                             ".visible .entry ka() { .reg .b64 %r; ld.const.u64 %r, [c8]; call f;\n"
                             "st.shared.u64 [raw], %r; ret; }\n",
                             ".visible .const .align 8 .u64 c8 = 2;\n"
                             ".visible .shared .align 16 .b8 tile[64];\n"
                             ".extern .shared .align 16 .b8 raw[];\n"
                             ".visible .func f() { .reg .b64 %r; ld.shared.u64 %r, [tile];\n"
                             "st.shared.u64 [raw], %r; ret; }\n",
                             ".extern .shared .align 16 .b8 tile[64];\n.extern .func f();\n"
                             ".visible .entry kc() { .reg .b64 %r; ld.shared.u64 %r, [tile+8];\n"
                             "call f; ret; }\n");
    assert_int_equal(m->const_bytes, 16);
    assert_int_equal(m->variables[variable(m, "c8", 1)].address, 8);
    const PtxFunction *ka = function(m, "ka", "a.ptx"), *kc = function(m, "kc", "c.ptx");
    assert_int_equal(ka->ops[0].imm, 8);
    assert_int_equal(kc->ops[0].imm, 8);
    assert_int_equal(ka->shared_bytes, 64);
    assert_int_equal(kc->shared_bytes, 64);
    assert_int_equal(ka->ops[2].imm, 64);
    variable(m, "tile", 1);
    ptx_free(m);
}

static void test_positions(void **state)
{
    (void)state;
    // Both files number their sources from 1; they share a header.
    PtxModule *m = link_good(".visible .entry ka() {\n"
                             ".loc 1 11 1\nbar.sync 0;\n.loc 2 5 1\nret; }\n"
                             ".file 1 \"/x/a.cu\"\n.file 2 \"/x/h.cuh\"\n",
                             ".visible .entry kb() {\n"
                             ".loc 1 5 1\nbar.sync 0;\n.loc 2 22 1\nret; }\n"
                             ".file 1 \"/x/h.cuh\"\n.file 2 \"/x/b.cu\"\n", NULL);
    static const struct {
        const char *kernel, *path, *files[2];
        uint32_t lines[2];
    } wanted[] = {{"ka", "a.ptx", {"/x/a.cu", "/x/h.cuh"}, {11, 5}},
                  {"kb", "b.ptx", {"/x/h.cuh", "/x/b.cu"}, {5, 22}}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            const UOpTiming *timing = &function(m, wanted[k].kernel, wanted[k].path)->timing[i];
            assert_string_equal(m->files[timing->source_file], wanted[k].files[i]);
            assert_int_equal(timing->source_line, wanted[k].lines[i]);
        }
    // One header is one file.
    assert_int_equal(function(m, "ka", "a.ptx")->timing[1].source_file,
                     function(m, "kb", "b.ptx")->timing[0].source_file);
    ptx_free(m);
}

static void test_newest_target(void **state)
{
    (void)state;
    HdError err = {0};
    PtxText texts[] = {{".version 8.1\n.target sm_75, debug\n", "a.ptx"},
                       {".version 7.8\n.target sm_90a\n", "b.ptx"},
                       {".version 8.0\n.target sm_80\n", "c.ptx"}};
    PtxModule *m = ptx_link(texts, 3, "linked.ptx", (PtxOptions){.lenient = true}, &err);
    assert_non_null(m);
    assert_int_equal(m->version_major, 8);
    assert_int_equal(m->version_minor, 1);
    assert_string_equal(m->target, "sm_90a");
    assert_string_equal(m->path, "linked.ptx");
    ptx_free(m);
    texts[1].text = ".target sm_90\n";
    assert_null(ptx_link(texts, 3, "linked.ptx", (PtxOptions){.lenient = true}, &err));
    assert_non_null(strstr(err.text, "b.ptx:2:1: no .version in the file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),   cmocka_unit_test(test_weak),
        cmocka_unit_test(test_duplicates),   cmocka_unit_test(test_mismatches),
        cmocka_unit_test(test_common),       cmocka_unit_test(test_missing),
        cmocka_unit_test(test_initialisers), cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_positions),    cmocka_unit_test(test_newest_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
