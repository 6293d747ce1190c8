// Kernels for a real GPU with instructions of mechanisms' engines: the text for its driver, and the
// launches that are refused.
#include "device/cuda_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const HdEngineInstruction loads[] = {{.name = "load_engine", .registers = "pr"},
                                            {.name = "load_engine.key", .registers = "prr"}, {0}};
static const HdMechanism sorter = {.name = "sorter", .instructions = loads};
static EngineInstruction items[] = {{&sorter, ENGINE_NOT_PLANNED, 0}, {&sorter, ENGINE_NOT_PLANNED,
                                                                       1}};
static const EngineInstructions engines = {items, 2};

#define HEAD ".version 7.5 .target sm_75 .address_size 64\n"
static const char text[] =
    HEAD
    ".visible .entry load_engine_test() { .reg .pred %p<3>; .reg .b32 %r<9>;\n"
    "load_engine: load_engine %p1, %r1; @%p1 load_engine.key\n"
    "    %p2, %r1, %r2; add.u32 %r1, %r1, 1; // load_engine\n"
    "    ret;\n}\n"
    ".visible .entry other() { ret; }\n";
static const char expected[] =
    HEAD
    ".visible .entry load_engine_test() { .reg .pred %p<3>; .reg .b32 %r<9>;\n"
    "load_engine: trap                ; @%p1 trap           \n"
    "                 ; add.u32 %r1, %r1, 1; // load_engine\n"
    "    ret;\n}\n"
    ".visible .entry other() { ret; }\n";

static void test_text(void **state)
{
    (void)state;
    HdError err = {0};
    PtxModule *m = ptx_parse_with(text, "a.ptx", (PtxOptions){.engines = &engines}, &err);
    if (!m) fail_msg("%s", err.text);
    char *known = cuda_text_without_engines(text, m);
    assert_string_equal(known, expected);
    PtxModule *plain = ptx_parse(known, "a.ptx", &err);
    if (!plain) fail_msg("%s", err.text);
    ptx_free(plain);
    free(known);
    ptx_free(m);
}

static void test_refused(void **state)
{
    (void)state;
    HdError err = {0};
    CudaModule module = {
        .ptx = ptx_parse_with(text, "a.ptx", (PtxOptions){.engines = &engines}, &err)};
    assert_true(module.ptx && engine_uses_find(&module.engines, module.ptx));
    CudaDevice cuda = {.modules = &module, .module_count = 1};
    CudaKernel kernel = {.function = ptx_find_kernel(module.ptx, "other", &err)};
    assert_true(cuda_check_engines(&cuda, &kernel, &err));
    kernel.function = ptx_find_kernel(module.ptx, "load_engine_test", &err);
    assert_false(cuda_check_engines(&cuda, &kernel, &err));
    assert_string_equal(err.text,
                        "a.ptx:3: load_engine_test has 'load_engine', an instruction of the "
                        "mechanism sorter, which a real GPU lacks: expected a simulated "
                        "GPU");
    engine_uses_free(&module.engines);
    ptx_free(module.ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("engines on a GPU", tests, NULL, NULL);
}
