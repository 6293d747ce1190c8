// opcodes.ptx has all instructions of 128 public CUDA programs; forms.ptx has those of CUDA's
// headers. All are accepted.
#include "parse_text.h"

#include "base/file.h"

#include <stdlib.h>

// Each line of the body is one micro-op.
static void check_file(const char *path, const char *kernel, unsigned ops)
{
    HdError err = {0};
    char *text = file_read(path, &(size_t){0}, &err);
    if (!text) fail_msg("%s", err.text);
    PtxModule *m = ptx_parse(text, path, &err);
    free(text);
    if (!m) fail_msg("%s", err.text);
    const PtxFunction *f = ptx_find_kernel(m, kernel, &err);
    assert_non_null(f);
    assert_int_equal(f->op_count, ops);
    for (uint32_t i = 1; i < ops; i++)
        if (f->timing[i].line != f->timing[i - 1].line + 1)
            assert_string_equal(ptx_source_text(m, f, i), "ret"); // behind a label
    ptx_free(m);
}

static void test_programs(void **state)
{
    (void)state;
    check_file(TEST_DATA "/opcodes.ptx", "opcodes", 348);
}

static void test_headers(void **state)
{
    (void)state;
    check_file(TEST_DATA "/forms.ptx", "forms", 126);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_headers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
