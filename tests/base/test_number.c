// Numbers under a locale with a decimal comma, which localedef makes here.
#include "base/fail.h"
#include "base/number.h"
#include "support/scratch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether the process now has such a locale.
static bool decimal_comma(void)
{
    char make[512], remove[512];
    const char *folder = scratch_path("de_DE.utf8");
    snprintf(make, sizeof make, "localedef -i de_DE -f UTF-8 %s >%s.log 2>&1", folder, folder);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    setenv("LOCPATH", scratch_folder(), 1);
    setenv("LC_ALL", "de_DE.utf8", 1);
    bool set = system(make) == 0 && setlocale(LC_ALL, "");
    return system(remove) == 0 && set && *localeconv()->decimal_point == ',';
}

static void check(void)
{
    char *end, text[32];
    const char *number = " 1.5e3,5";
    assert_true(number_read(number, &end) == 1500 && end == number + 6);
    assert_true(number_read_float(number, &end) == 1500 && end == number + 6);
    assert_true(number_read("none", &end) == 0 && !strcmp(end, "none"));
    assert_int_equal(number_format(text, sizeof text, "%.2f %g", 2.5, 1e-7), 10);
    assert_string_equal(text, "2.50 1e-07");
    HdError err = {0};
    hd_fail(&err, "%g: expected at most %.1f", 0.25, 1.5);
    assert_string_equal(err.text, "0.25: expected at most 1.5");
}

static void *check_in_thread(void *nothing)
{
    check();
    return nothing;
}

static void numbers_have_a_point(void **state)
{
    (void)state;
    check();
    if (!decimal_comma()) {
        print_message("no localedef, or not its sources: tested in the C locale only\n");
        return;
    }
    check();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, check_in_thread, NULL), 0);
    pthread_join(thread, NULL);
    // The program keeps its comma, also inside nested pairs of other calls.
    char text[32];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    locale_t outer = number_locale_begin(), inner = number_locale_begin();
    number_locale_end(inner);
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1.5");
    number_locale_end(outer);
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_have_a_point)};
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
