// What Heddle's own mechanisms declare can be, as it must of any that is loaded.
#include "hooks/declaration.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

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
