// The prefetchers to compare with, alone and with mechanisms that decide what the L1D keeps: each
// run verifies its answer, and no result depends on the host.
#include "mechanism_runs.h"

static const char *const what = "mst --impl h --graph rmat:7,8 --symmetrize";

// Some of the prefetched lines come before their first access, and the run takes other cycles.
static void check(const json_t *plain, const char *mechanisms)
{
    char options[128];
    snprintf(options, sizeof options, "--mechanism %s", mechanisms);
    json_t *with = run(what, options);
    assert_true(number(with, "mechanisms.list.0.prefetches.l1.useful") > 0);
    assert_true(number(with, "cycles") != number(plain, "cycles"));
    assert_same_on_any_host(what, options, with);
    json_decref(with);
}

static void check_all(const char *prefetcher)
{
    static const char *const others[] = {"", "+streaming-bypass", "+sector", "+obm"};
    json_t *plain = run(what, "");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char mechanisms[64];
        snprintf(mechanisms, sizeof mechanisms, "%s%s", prefetcher, others[i]);
        check(plain, mechanisms);
    }
    json_decref(plain);
}

static void test_stride(void **state)
{
    (void)state;
    check_all("stride");
}

static void test_stream(void **state)
{
    (void)state;
    check_all("stream");
}

static void test_ghb_acdc(void **state)
{
    (void)state;
    check_all("ghb-acdc");
}

static void test_ghb_stride(void **state)
{
    (void)state;
    check_all("ghb-stride");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_ghb_acdc),
        cmocka_unit_test(test_ghb_stride),
    };
    return cmocka_run_group_tests_name("classic prefetchers", tests, NULL, NULL);
}
