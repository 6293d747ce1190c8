// Follows docs/write-a-scheduler.md literally, and builds the hook that stands on it alone.
#include "page.h"

static int read_page(void **state)
{
    (void)state;
    return page_open("docs/write-a-scheduler.md", "caws.c", "order.txt");
}

// The page can be read in a few minutes.
static void test_length(void **state)
{
    (void)state;
    unsigned words = 0;
    for (const char *at = page; *at; at++)
        words += !strchr(" \n", at[0]) && (!at[1] || strchr(" \n", at[1]));
    assert_true(words <= 1000);
}

static void test_same_file(void **state)
{
    (void)state;
    assert_true(page_same_file("src/mechanisms/caws.c") < 75);
}

static void test_warnings(void **state)
{
    (void)state;
    page_check_warnings("caws.c");
}

static void test_commands(void **state)
{
    (void)state;
    assert_int_equal(page_run_commands(), 4);
}

// The page's decide_warp is core.policy=oldest: the counters of the run are the same.
static void test_choice(void **state)
{
    (void)state;
    const char *start = strstr(page, "    static HdChoice decide_warp(");
    assert_non_null(start);
    const char *end = strstr(start, "\n    }\n");
    assert_non_null(end);
    char code[2048], line[512];
    snprintf(code, sizeof code,
             "#include \"heddle/mechanism.h\"\n%.*s\n}\n"
             "HD_MECHANISM(mine) = {\n"
             "    .name = \"mine\", .description = \"Oldest.\", .paper = \"none\",\n"
             "    .core = {.decide_warp = decide_warp}};\n",
             (int)(end - start), start);
    write_text("mine.c", code);
    snprintf(line, sizeof line, "%s -shared -fPIC -I heddle/include -o mine.so mine.c",
             getenv("HEDDLE_CC"));
    shell(line);
    static const char *const options[] = {"--set core.policy=oldest --out $T/core.json",
                                          "--mechanism $T/mine.so --out $T/mine.json"};
    double cycles[2], stalled[2];
    static const char *const files[] = {"core.json", "mine.json"};
    for (unsigned i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "run bfs --graph rmat:9,8 --quiet %s", options[i]);
        const Command *c = heddle(line);
        if (c->status) fail_msg("%s: %s", line, c->err);
        json_t *value = result_value(files[i]);
        const json_t *result = json_object_get(value, "result");
        cycles[i] = json_number_value(json_object_get(result, "cycles"));
        stalled[i] = json_number_value(
            json_object_get(json_object_get(result, "issue"), "stall_memory"));
        json_decref(value);
    }
    assert_true(cycles[0] > 0 && cycles[0] == cycles[1]);
    assert_true(stalled[0] == stalled[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),   cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_warnings), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests_name("write-a-scheduler page", tests, read_page, page_close);
}
