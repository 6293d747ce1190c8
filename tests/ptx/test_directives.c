// Directives between a function's parameters and its body: bounds, hints, clusters of blocks; and
// what an unknown one leaves of the module.
#include "parse_text.h"

#include <stdio.h>
#include <string.h>

static PtxModule *parse_lenient(const char *text, HdError *err)
{
    char all[4096];
    snprintf(all, sizeof all, MODULE_HEADER "%s", text);
    return ptx_parse_with(all, "test.ptx", (PtxOptions){.lenient = true}, err);
}

// Hints, and numbers that do not restrict a launch.
static void test_hints(void **state)
{
    (void)state;
    PtxModule *m = module_of(
        ".func .attribute(.unified(19, 95)) f() .noreturn .abi_preserve 8 .abi_preserve_control 2\n"
        "{\n"
        "    trap;\n"
        "}\n"
        ".func g();\n"
        ".entry k() .maxntid 128, 1, 1 .minnctapersm 2 .maxclusterrank 8 .maxnctapersm 4\n"
        ".local_maxnreg 32 .pragma \"nounroll\";\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".entry one() .explicitcluster .reqnctapercluster 1, 1, 1\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".global .attribute(.managed, .unified(1, 2)) .u32 x;\n");
    assert_int_equal(m->function_count, 3);
    assert_int_equal(m->functions[1].max_threads[0], 128);
    assert_int_equal(m->functions[1].min_blocks, 2);
    assert_string_equal(m->variables[0].name, "x");
    ptx_free(m);
    m = module_of_body(
        "none: .callprototype _ () .noreturn .abi_preserve 4;\n"
        "    call %rd1, none;\n"
        "    ret;");
    ptx_free(m);
}

// Each kernel that needs clusters, and its message.
static void test_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *directives, *message;
    } cases[] = {
        {".explicitcluster .reqnctapercluster 2, 1, 1",
         "test.ptx:5:29: '.reqnctapercluster': a kernel in clusters of 2 blocks: expected one "
         "without, because clusters are not modelled"},
        {".reqntid 32 .reqnctapercluster 2, 2 .blocksareclusters",
         "test.ptx:5:24: '.reqnctapercluster': a kernel in clusters of 4 blocks: expected one "
         "without, because clusters are not modelled"},
        {".explicitcluster",
         "test.ptx:5:12: '.explicitcluster': a kernel in clusters, whose size the launch sets: "
         "expected one without, because clusters are not modelled"},
        {".reqnctapercluster 1025",
         "test.ptx:5:31: 1025: expected a number of blocks from 0 to 1024"},
        {".fast",
         "test.ptx:5:12: '.fast': expected .maxntid, .reqntid, .minnctapersm, .maxnreg, another "
         "directive of functions up to PTX 9.0, or the function's body"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".entry k() %s\n"
                 "{\n"
                 "    ret;\n"
                 "}\n"
                 ".entry plain(.param .u32 n)\n"
                 "{\n"
                 "    ret;\n"
                 "}\n", cases[i].directives);
        HdError err = {0};
        PtxModule *m = parse_lenient(text, &err);
        if (!m) fail_msg("%s", err.text);
        assert_false(err.set);
        assert_int_equal(m->function_count, 2);
        const PtxFunction *k = &m->functions[0];
        char first[512];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(k->unusable, "\n"), k->unusable);
        assert_string_equal(first, cases[i].message);
        assert_string_equal(k->name, "k");
        assert_int_equal(k->op_count, 1);
        assert_int_equal(k->ops[0].code, UOP_TRAP);
        assert_null(m->functions[1].unusable);
        assert_int_equal(m->functions[1].param_count, 1);
        ptx_free(m);
    }
}

// A header that is not understood leaves out its function and the callers, by the header's message.
static void test_left_out(void **state)
{
    (void)state;
    HdError err = {0};
    PtxModule *m = parse_lenient(
        ".func (.reg .b32 r) f(.reg .b32 a)\n"
        "{\n"
        "    { ret; }\n"
        "}\n"
        ".extern .func declared() .odd 3;\n"
        ".entry calls(.param .b32 x)\n"
        "{\n"
        "    .param .b32 y;\n"
        "    call f, (y);\n"
        "    ret;\n"
        "}\n"
        ".entry calls_declared()\n"
        "{\n"
        "    call declared;\n"
        "    ret;\n"
        "}\n"
        ".entry plain()\n"
        "{\n"
        "    ret;\n"
        "}\n", &err);
    if (!m) fail_msg("%s", err.text);
    assert_int_equal(m->function_count, 4);
    assert_string_equal(m->functions[0].name, "f");
    static const char f[] = "test.ptx:5:8: a parameter in a register: expected .param parameters",
                      declared[] = "test.ptx:9:26: '.odd': expected .maxntid, ";
    assert_memory_equal(m->functions[0].unusable, f, sizeof f - 1);
    assert_memory_equal(m->functions[1].unusable, f, sizeof f - 1);
    assert_memory_equal(m->functions[2].unusable, declared, sizeof declared - 1);
    assert_null(m->functions[3].unusable);
    ptx_free(m);
    // The end of the function is not found, or its name.
    assert_null(parse_lenient(".entry k() .odd", &err));
    assert_null(parse_lenient(".entry 7() { ret; }", &err));
    assert_null(parse_lenient(".entry k() .odd { ret; ", &err));
    // Two definitions are an error, whatever the header of one says.
    assert_null(parse_lenient(".entry k() { ret; }\n.entry k() .odd { ret; }", &err));
    assert_null(parse_lenient(".entry k() .odd { ret; }\n.entry k() { ret; }", &err));
    // A good definition takes the place of a declaration that is not understood.
    m = parse_lenient(".func f() .odd;\n.func f() { ret; }\n.entry k() { call f; ret; }", &err);
    if (!m) fail_msg("%s", err.text);
    assert_null(m->functions[0].unusable);
    assert_null(m->functions[1].unusable);
    ptx_free(m);
}

// In another file, callers know the parameters.
static void test_linked(void **state)
{
    (void)state;
    static const char definition[] =
        MODULE_HEADER
        ".visible .func f(.param .b32 a) .odd\n"
        "{\n"
        "    ret;\n"
        "}\n";
    static const char caller[] =
        MODULE_HEADER
        ".extern .func f(.param .b32 a);\n"
        ".visible .entry k()\n"
        "{\n"
        "    .param .b32 x;\n"
        "    call f, (x);\n"
        "    ret;\n"
        "}\n"
        ".visible .entry plain()\n"
        "{\n"
        "    ret;\n"
        "}\n";
    for (unsigned order = 0; order < 2; order++) {
        const PtxText texts[] = {{order ? caller : definition, "a.ptx"},
                                 {order ? definition : caller, "b.ptx"}};
        HdError err = {0};
        PtxModule *m = ptx_link(texts, 2, "linked.ptx", (PtxOptions){.lenient = true}, &err);
        if (!m) fail_msg("%s", err.text);
        assert_true(ptx_propagate_unusable(m));
        assert_int_equal(m->function_count, 3);
        for (size_t i = 0; i < m->function_count; i++) {
            const PtxFunction *f = &m->functions[i];
            if (!strcmp(f->name, "plain")) assert_null(f->unusable);
            else assert_non_null(strstr(f->unusable, ".ptx:5:33: '.odd': expected .maxntid"));
            if (!strcmp(f->name, "f")) assert_int_equal(f->frame_param_bytes, 16);
        }
        ptx_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_linked),
    };
    return cmocka_run_group_tests_name("ptx directives", tests, NULL, NULL);
}
