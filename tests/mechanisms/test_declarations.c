// The declarations of the built-in mechanisms: they pass the check that loaded ones must pass.
#include "hooks/declaration.h"
#include "mechanisms/mechanism_registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_declarations(void **state)
{
    (void)state;
    for (size_t i = 0; mechanisms[i]; i++) {
        HdError err = {0};
        if (!declaration_check(mechanisms[i], &err)) fail_msg("%s", err.text);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(mechanisms[i]->name, mechanisms[k]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_declarations)};
    return cmocka_run_group_tests_name("declarations", tests, NULL, NULL);
}
