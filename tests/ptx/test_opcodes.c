// opcodes.ptx: every instruction that 128 public CUDA programs contain is accepted.
#include "module.h"

#include "base/file.h"

#include <stdlib.h>

static void test_all(void **state)
{
    (void)state;
    HdError err = {0};
    char *text = file_read(TEST_DATA "/opcodes.ptx", &(size_t){0}, &err);
    if (!text) fail_msg("%s", err.text);
    PtxModule *m = ptx_parse(text, "opcodes.ptx", &err);
    free(text);
    if (!m) fail_msg("%s", err.text);
    assert_int_equal(m->function_count, 2);
    const PtxFunction *f = ptx_find_kernel(m, "opcodes", &err);
    assert_non_null(f);
    assert_int_equal(f->op_count, 348); // one micro-op for each line
    for (uint32_t i = 1; i < f->op_count; i++)
        assert_int_equal(f->timing[i].line, f->timing[i - 1].line + (i == 347 ? 2 : 1));
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
