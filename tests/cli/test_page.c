// Follows docs/write-a-mechanism.md literally: writes its files, runs its commands in order in a
// folder beside a copy of the checkout's layout, and compares the results with the page. Also the
// example at the top of mechanism.h.
#include "page.h"

#include "heddle/mechanism.h"

#include <unistd.h>

static int read_page(void **state)
{
    (void)state;
    return page_open("docs/write-a-mechanism.md", "next_line.c", "next_line.txt");
}

// The built-in mechanism equals the one on the page.
static void test_same_file(void **state)
{
    (void)state;
    assert_true(page_same_file("src/mechanisms/next_line.c") < 100);
}

// Both compilers accept file and header without warnings.
static void test_warnings(void **state)
{
    (void)state;
    page_check_warnings("next_line.c");
}

static void test_commands(void **state)
{
    (void)state;
    assert_int_equal(page_run_commands(), 6);
}

// Whether `value` has all elements and members of `expected`; an object may have more members.
static bool holds(const json_t *value, const json_t *expected)
{
    if (json_is_array(expected)) {
        size_t count = json_array_size(expected);
        if (json_array_size(value) != count) return false;
        for (size_t i = 0; i < count; i++)
            if (!holds(json_array_get(value, i), json_array_get(expected, i))) return false;
        return true;
    }
    if (!json_is_object(expected)) return json_equal(value, expected);
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)expected, key, member) {
        if (holds(json_object_get(value, key), member)) continue;
        print_error("%s differs\n", key);
        return false;
    }
    return true;
}

// The results on the page equal the output of its command.
static void test_result(void **state)
{
    (void)state;
    char *shown = block_of("json");
    json_t *expected = json_loads(shown, 0, NULL), *value = result_value("walk.json");
    assert_non_null(expected);
    const json_t *result = json_object_get(value, "result");
    const json_t *list = json_object_get(json_object_get(result, "mechanisms"), "list");
    assert_true(holds(json_array_get(list, 0), expected));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(result, "l1d"),
                                                        "load_misses")), 1);
    json_decref(value);
    json_decref(expected);
    free(shown);
}

// Returns the mechanism in the first comment of mechanism.h. The caller frees it.
static char *example_of_header(void)
{
    char *header = read_source("include/heddle/mechanism.h"), *save = NULL,
         *code = calloc(1, strlen(header) + 64);
    strcpy(code, "#include \"heddle/mechanism.h\"\n");
    for (char *line = strtok_r(header, "\n", &save); line && line[0] == '/';
         line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "//     ", 7) != 0) continue;
        strcat(code, line + 7);
        strcat(code, "\n");
    }
    free(header);
    return code;
}

static void build_example(const char *code)
{
    char line[512];
    write_text("mine.c", code);
    snprintf(line, sizeof line, "%s -shared -fPIC -I heddle/include -o mine.so mine.c",
             getenv("HEDDLE_CC"));
    shell(line);
}

// The example in mechanism.h builds and runs unchanged.
static void test_header(void **state)
{
    (void)state;
    char *code = example_of_header();
    build_example(code);
    const Command *c = heddle("mechanism describe $T/mine.so");
    if (c->status) fail_msg("%s", c->err);
    assert_non_null(strstr(c->out, "mine: Counts hits by instruction."));
    c = heddle("run bfs --graph rmat:8,8 --mechanism $T/mine.so --quiet --out $T/mine.json");
    if (c->status) fail_msg("%s", c->err);
    free(code);
}

// A mechanism's parameters of kinds that are given with a unit, or by a word.
static void test_kinds(void **state)
{
    (void)state;
    build_example(
        "#include \"heddle/mechanism.h\"\n"
        "static const HdParameter parameters[] = {\n"
        "    {.name = \"table\", .description = \"bytes of the table\", .kind = HD_BYTES,\n"
        "     .value = 4096, .min = 1024, .max = 65536},\n"
        "    {.name = \"on\", .description = \"whether it acts\", .kind = HD_SWITCH, .value = 1},\n"
        "    {0}};\n"
        "static void on_access(HdPlace *place, const HdAccess *access)\n"
        "{\n"
        "    (void)place, (void)access;\n"
        "}\n"
        "HD_MECHANISM(mine) = {.name = \"mine\", .description = \"Does nothing.\",\n"
        "                      .paper = \"none\", .parameters = parameters,\n"
        "                      .l1 = {.on_access = on_access}};\n");
    const Command *c = heddle("mechanism describe $T/mine.so");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out,
                           "parameters\n"
                           "  table            bytes of the table; 1KiB to 64KiB, default 4KiB\n"
                           "  on               whether it acts; false or true, default true\n"));
    assert_refused("run bfs --graph rmat:8,8 --mechanism $T/mine.so:table=48KB",
                   "heddle: --mechanism mine: table = 48KB: expected a unit, B, KiB, MiB or GiB, "
                   "as in 48KiB\n");
    assert_refused("run bfs --graph rmat:8,8 --mechanism $T/mine.so --set mine.on=2",
                   "heddle: --set: mine.on = 2: expected true or false (or yes, no, on, off)\n");
    c = heddle("run bfs --graph rmat:8,8 --mechanism $T/mine.so:table=2KiB --set mine.on=off "
               "--quiet --out $T/kinds.json");
    if (c->status) fail_msg("%s", c->err);
    char *text = result_text("kinds.json");
    assert_non_null(strstr(text, "\"parameters\":{\"table\":2048,\"on\":false}"));
    free(text);
    assert_int_equal(heddle("diff $T/kinds.json $T/kinds.json")->status, 0); // as the schema says
}

// The page's other mechanisms are complete: each builds without warnings, and is declared right.
static void test_other_files(void **state)
{
    (void)state;
    static const char fence[] = "\n```c\n";
    const char *start = strstr(page, fence);
    unsigned count = 0;
    while ((start = strstr(start + 1, fence))) {
        const char *code = start + strlen(fence), *end = strstr(code, "\n```\n");
        assert_non_null(end);
        char *text = strndup(code, (size_t)(end + 1 - code)), line[512];
        write_text("other.c", text);
        snprintf(line, sizeof line,
                 "%s -std=gnu17 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC "
                 "-I heddle/include -o other.so other.c",
                 getenv("HEDDLE_CC"));
        shell(line);
        const Command *c = heddle("run bfs --graph rmat:8,8 --mechanism $T/other.so --quiet");
        if (c->status) fail_msg("%s%s", text, c->err);
        free(text);
        count++;
    }
    assert_int_equal(count, 5);
}

// A shared object that was built against another version is refused. For the version before this
// one, the message says what has changed.
static void test_versions(void **state)
{
    (void)state;
    static const struct { int version; const char *change; } versions[] = {
        {HD_MECHANISM_VERSION - 2, ""},
        {HD_MECHANISM_VERSION - 1,
         ": units are engines now, decide_order and decide_warp order warps, HdParameter has a "
         "kind"},
        {HD_MECHANISM_VERSION + 1, ""},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char code[128], message[512];
        snprintf(code, sizeof code, "const int hd_mechanism_version = %d, hd_mechanism = 0;\n",
                 versions[i].version);
        build_example(code);
        snprintf(message, sizeof message,
                 "mine.so: built against version %d of heddle/mechanism.h, expected %d%s; build it "
                 "again\n", versions[i].version, HD_MECHANISM_VERSION, versions[i].change);
        assert_refused("mechanism describe $T/mine.so", message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_file), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_commands),  cmocka_unit_test(test_result),
        cmocka_unit_test(test_header),    cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_versions),  cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests_name("write-a-mechanism page", tests, read_page, page_close);
}
