// Counter tables have their rows in the order of the fields. JSON files are replaced atomically.
#include "base/file.h"
#include "stats/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define PORT_COUNTERS(C)                                                                           \
    C(requests, "requests", "Requests that came.")                                                 \
    C(hits, "requests", "Requests that found their line.")                                         \
    C(busy, "cycles", "Cycles in which the port was taken.")

typedef struct PortCounters {
    PORT_COUNTERS(STAT_FIELD)
} PortCounters;
STAT_TABLE(port_table, PortCounters, PORT_COUNTERS);

static void table_names_every_field(void **state)
{
    (void)state;
    assert_int_equal(port_table.count, 3);
    assert_string_equal(port_table.rows[1].name, "hits");
    assert_string_equal(port_table.rows[1].unit, "requests");
    assert_string_equal(port_table.rows[2].doc, "Cycles in which the port was taken.");
}

static void adds_subtracts_and_moves_field_by_field(void **state)
{
    (void)state;
    PortCounters sum = {.requests = 10, .hits = 7, .busy = 1};
    PortCounters part = {.requests = 5, .hits = 2, .busy = 100};
    stats_add(&port_table, &sum, &part);
    assert_int_equal(sum.requests, 15);
    assert_int_equal(sum.hits, 9);
    assert_int_equal(sum.busy, 101);
    stats_subtract(&port_table, &sum, &part);
    assert_int_equal(sum.requests, 10);
    assert_int_equal(sum.hits, 7);
    assert_int_equal(sum.busy, 1);
    stats_move(&port_table, &sum, &part);
    assert_int_equal(sum.requests, 15);
    assert_int_equal(sum.hits, 9);
    assert_int_equal(sum.busy, 101);
    assert_int_equal(part.requests + part.hits + part.busy, 0);
}

enum { WAIT_BANK, WAIT_BUS, WAITS };
#define WAIT_ROWS(C)                                                                               \
    C(wait_bank, "cycles", "Cycles that it waited for its bank.")                                  \
    C(wait_bus, "cycles", "Cycles that it waited for the bus.")
#define CHANNEL_COUNTERS(C)                                                                        \
    C(reads, "bursts", "Bursts read.")                                                             \
    C##_ARRAY(waits, WAITS, WAIT_ROWS)                                                             \
    C(writes, "bursts", "Bursts written.")
typedef struct ChannelCounters { CHANNEL_COUNTERS(STAT_FIELD) } ChannelCounters;
STAT_TABLE(channel_table, ChannelCounters, CHANNEL_COUNTERS);

static void array_has_a_row_for_each_element(void **state)
{
    (void)state;
    ChannelCounters counters = {
        .reads = 1, .waits = {[WAIT_BANK] = 2, [WAIT_BUS] = 3}, .writes = 4};
    assert_int_equal(counters.wait_bank, 2);
    assert_int_equal(counters.wait_bus, 3);
    json_t *object = stats_json(&channel_table, &counters);
    assert_non_null(object);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"reads\":1,\"wait_bank\":2,\"wait_bus\":3,\"writes\":4}");
    free(text);
    json_decref(object);
}

static void json_keeps_table_order_and_wide_values(void **state)
{
    (void)state;
    PortCounters counters = {.requests = 1, .hits = UINT64_C(9007199254740993), .busy = 3};
    json_t *object = stats_json(&port_table, &counters);
    assert_non_null(object);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"requests\":1,\"hits\":9007199254740993,\"busy\":3}");
    free(text);
    json_decref(object);
}

static void puts_into_an_object_that_has_keys(void **state)
{
    (void)state;
    PortCounters counters = {.requests = 4};
    json_t *object = json_pack("{s:s}", "port", "east");
    assert_true(stats_put(&port_table, &counters, object));
    assert_int_equal(json_object_size(object), 4);
    assert_string_equal(json_string_value(json_object_get(object, "port")), "east");
    assert_int_equal(json_integer_value(json_object_get(object, "requests")), 4);
    json_decref(object);
}

static void writes_indented_text_with_a_newline(void **state)
{
    (void)state;
    char path[] = "stats-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    json_t *object = json_pack("{s:i, s:[i]}", "zeta", 1, "alpha", 2);
    HdError err = {0};
    assert_true(stats_write_json(path, object, &err));
    size_t size;
    char *text = file_read(path, &size, &err);
    assert_non_null(text);
    assert_string_equal(text, "{\n  \"zeta\": 1,\n  \"alpha\": [\n    2\n  ]\n}\n");
    assert_int_equal(size, strlen(text));
    free(text);
    json_decref(object);
    unlink(path);
}

static void a_path_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    json_t *object = json_object();
    HdError err = {0};
    assert_false(stats_write_json("no-such-folder/run.json", object, &err));
    assert_true(err.set);
    assert_non_null(strstr(err.text, "no-such-folder/run.json"));
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_names_every_field),
        cmocka_unit_test(adds_subtracts_and_moves_field_by_field),
        cmocka_unit_test(array_has_a_row_for_each_element),
        cmocka_unit_test(json_keeps_table_order_and_wide_values),
        cmocka_unit_test(puts_into_an_object_that_has_keys),
        cmocka_unit_test(writes_indented_text_with_a_newline),
        cmocka_unit_test(a_path_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
