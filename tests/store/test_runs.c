// Tests of runs in a store: which are the same, what their rows hold, results given back, requests.
#include "made_results.h"

#include "stats/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The same inputs and the same result, whenever and by whichever version: one row.
static void test_same_run(void **state)
{
    (void)state;
    Store *store = opened("same.db", STORE_WRITE);
    const Made made = {.launches = 3, .mechanism = "obm"};
    StoreAdded first = added(store, &made, NULL);
    assert_false(first.was_there || first.replaced);
    StoreAdded second = added(store, &made, NULL);
    assert_true(second.was_there && !second.replaced);
    assert_int_equal(second.run, first.run);
    HdError err = {0};
    StoreAdded third;
    json_t *file = made_file(&made); // another host and another day
    json_t *host = json_object_get(file, "host");
    json_object_set_new(host, "date", json_string("2027-01-01T00:00:00Z"));
    json_object_set_new(host, "seconds", json_real(99));
    assert_true(store_add(store, file, NULL, &third, &err));
    assert_true(third.was_there && third.run == first.run);
    json_decref(file);
    store_close(store);
    assert_whole("same.db", 1);
}

// Each input makes another run, also beside runs with the same counters.
static void test_other_runs(void **state)
{
    (void)state;
    static const Made other[] = {
        {.launches = 2},
        {.launches = 2, .graph = "h"},
        {.launches = 2, .seed = 1},
        {.launches = 2, .mechanism = "obm"},
        {.launches = 2, .mechanism = "mat"},
        {.launches = 2, .mechanism = "mat", .parameter = 1},
        {.launches = 2, .mechanism = "mine", .object = "1"},
        {.launches = 2, .mechanism = "mine", .object = "2"},
        {.launches = 2, .ptx = "1"},
        {.launches = 2, .ptx = "2"},
        {.launches = 2, .sources = "t"},
        {.launches = 2, .functional = 1},
        {.launches = 2, .functional = 2},
        {.launches = 2, .cut = 1},
    };
    enum { COUNT = sizeof other / sizeof *other };
    Store *store = opened("other.db", STORE_WRITE);
    for (size_t i = 0; i < COUNT; i++) {
        StoreAdded one = added(store, &other[i], NULL);
        if (one.was_there || one.replaced) fail_msg("%zu: expected a run of its own", i);
        assert_int_equal(one.run, i + 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        StoreAdded one = added(store, &other[i], NULL);
        assert_true(one.was_there);
        assert_int_equal(one.run, i + 1);
    }
    store_close(store);
    assert_whole("other.db", COUNT);
}

// Another result of the same inputs takes the place of the old one, with launches and requests.
static void test_replaced(void **state)
{
    (void)state;
    Store *store = opened("replaced.db", STORE_WRITE);
    json_t *from = json_pack("{ss}", "graph", "1");
    const StoreRequest request = {.words = "bfs", .computed_from = from};
    added(store, &(Made){.seed = 1, .launches = 1}, NULL);
    StoreAdded old = added(store, &(Made){.launches = 3}, &request);
    StoreAdded now = added(store, &(Made){.launches = 3, .cycles = 200}, NULL);
    assert_true(now.replaced && !now.was_there && !old.replaced);
    assert_int_equal(number_of(store, "SELECT count(*) FROM runs"), 2);
    assert_int_equal(number_of(store, "SELECT cycles FROM runs ORDER BY run DESC LIMIT 1"), 200);
    assert_int_equal(number_of(store, "SELECT count(*) FROM requests"), 0);
    assert_int_equal(number_of(store, "SELECT count(*) FROM launches"), 4);
    store_close(store);
    json_decref(from);
    assert_whole("replaced.db", 2);
}

// The outcome of a CUDA program may depend on what it reads: another outcome is another run.
static void test_programs(void **state)
{
    (void)state;
    Store *store = opened("programs.db", STORE_WRITE);
    const Made one = {.program = "cuda", .launches = 2};
    const Made two = {.program = "cuda", .launches = 2, .cycles = 200};
    added(store, &one, NULL);
    StoreAdded other = added(store, &two, NULL);
    assert_true(!other.was_there && !other.replaced);
    assert_true(added(store, &one, NULL).was_there);
    assert_true(added(store, &two, NULL).was_there);
    store_close(store);
    assert_whole("programs.db", 2);
}

static void assert_rows(Store *store, const char *sql, const char *expected)
{
    char *text = printed_rows(store, sql, ROWS_CSV);
    assert_string_equal(text, expected);
    free(text);
}

static void test_rows(void **state)
{
    (void)state;
    Store *store = opened("rows.db", STORE_WRITE);
    added(store, &(Made){.mechanism = "obm", .launches = 2, .cut = 1}, NULL);
    HdError err = {0};
    StoreAdded two;
    json_t *file = made_file(&(Made){.mechanism = "obm"});
    json_t *result = json_object_get(file, "result");
    json_t *list = json_object_get(json_object_get(result, "mechanisms"), "list");
    json_array_append_new(list, json_pack("{sssb}", "name", "mat", "after", 1));
    json_array_append_new(list, json_pack("{ss}", "name", "nap"));
    json_object_set_new(result, "verified", json_null());
    json_object_set_new(result, "max_thread_instructions", json_integer(7)); // but not reached
    json_object_set_new(result, "graph", json_null());
    assert_true(store_add(store, file, NULL, &two, &err));
    json_decref(file);
    assert_rows(store, "SELECT run, sources, version, date, seconds, program, implementation,"
                       " graph, machine, mechanisms, verified, cut, cycles, warp_instructions,"
                       " thread_instructions FROM runs",
                "run,sources,version,date,seconds,program,implementation,graph,machine,mechanisms,"
                "verified,cut,cycles,warp_instructions,thread_instructions\n"
                "1,s,0.2.0,2026-11-30T00:00:00Z,1.5,bfs,warp,\"rmat:4,4\",volta-v100,obm,1,1,100,"
                "50,1600\n"
                "2,s,0.2.0,2026-11-30T00:00:00Z,1.5,bfs,warp,,volta-v100,obm>mat+nap,,,100,50,"
                "1600\n");
    // The numbers of mechanisms are counters, their parameters inputs.
    assert_rows(store, "SELECT counter(counters, 'mechanisms.list.0.evictions') AS e,"
                       " counter(inputs, 'mechanisms.0.evictions', -1) AS i,"
                       " counter(inputs, 'mechanisms.0.parameters.ways') AS w,"
                       " counter(inputs, 'gpu.sms', -1) AS a,"
                       " counter(inputs, 'parameters.gpu.sms') AS b,"
                       " counter(counters, 'parameters.gpu.sms', -1) AS c,"
                       " counter(counters, 'kernels', -1) AS k FROM runs WHERE run = 1",
                "e,i,w,a,b,c,k\n7,-1,0,-1,80,-1,-1\n");
    store_close(store);
}

// Only timed launches, each with its number among all.
static void test_launches(void **state)
{
    (void)state;
    Store *store = opened("launches.db", STORE_WRITE);
    added(store, &(Made){.launches = 5, .functional = 2, .cut = 4}, NULL);
    added(store, &(Made){.launches = 2}, NULL);
    added(store, &(Made){.launches = 2, .functional = 2}, NULL);
    assert_rows(store, "SELECT run, launch, kernel, cycles, warp_instructions,"
                       " counter(counters, 'l1d.load_hits') AS hits FROM launches",
                "run,launch,kernel,cycles,warp_instructions,hits\n"
                "1,3,expand,30,3,1003\n"
                "1,4,contract,40,4,1004\n"
                "2,1,expand,10,1,1001\n"
                "2,2,contract,20,2,1002\n");
    assert_rows(store, "SELECT counter(inputs, 'timed') AS timed FROM runs",
                "timed\n\"[[3,4]]\"\n\"[[1,2]]\"\n[]\n");
    store_close(store);
}

static void test_result(void **state)
{
    (void)state;
    Store *store = opened("result.db", STORE_WRITE);
    const Made made = {.launches = 2, .padding = 100000};
    int64_t run = added(store, &made, NULL).run;
    added(store, &(Made){.seed = 2}, NULL);
    HdError err = {0};
    json_t *file = made_file(&made);
    char *expected = stats_json_text(file);
    size_t size;
    char *text = store_result(store, run, &size, &err);
    assert_non_null(text);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    json_decref(file);
    assert_null(store_result(store, 3, &size, &err));
    char message[256];
    snprintf(message, sizeof message, "%s: there is no run 3", scratch_path("result.db"));
    assert_string_equal(err.text, message);
    store_close(store);
}

// What is no result of a simulation is refused, and nothing of it is kept.
static void test_no_result(void **state)
{
    (void)state;
    static const struct {
        const char *in, *member, *message;
    } removed[] = {
        {NULL, "result", "expected a result of a simulation by this heddle"},
        {NULL, "host", "expected a result of a simulation by this heddle"},
        {"host", "sources", "expected a result of a simulation by this heddle"},
        {"host", "date", "NOT NULL constraint failed: runs.date"},
        {"result", "cycles", "NOT NULL constraint failed: runs.cycles"},
    };
    Store *store = opened("none.db", STORE_WRITE);
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        HdError err = {0};
        StoreAdded one;
        json_t *file = made_file(&(Made){.launches = 2});
        json_t *in = removed[i].in ? json_object_get(file, removed[i].in) : file;
        assert_int_equal(json_object_del(in, removed[i].member), 0);
        assert_false(store_add(store, file, NULL, &one, &err));
        assert_contains(err.text, removed[i].message);
        json_decref(file);
    }
    // A launch without a name: the run, which was written before, is gone too.
    HdError err = {0};
    StoreAdded one;
    json_t *file = made_file(&(Made){.launches = 2});
    json_object_del(json_array_get(json_object_get(json_object_get(file, "result"), "kernels"), 1),
                    "name");
    assert_false(store_add(store, file, NULL, &one, &err));
    assert_contains(err.text, "NOT NULL constraint failed: launches.kernel");
    json_decref(file);
    store_close(store);
    assert_whole("none.db", 0);
}

static int64_t found(Store *store, const char *words, const char *hash)
{
    HdError err = {0};
    int64_t run = -1;
    json_t *from = json_pack("{ss ss}", "z", hash, "a", "1"); // in another order
    if (!store_find(store, &(StoreRequest){words, from}, &run, &err)) fail_msg("%s", err.text);
    json_decref(from);
    return run;
}

static void add_request(Store *store, const Made *made, const char *words, const char *hash)
{
    json_t *from = json_pack("{ss ss}", "a", "1", "z", hash);
    added(store, made, &(StoreRequest){words, from});
    json_decref(from);
}

static void assert_newest(Store *store, const char *words, const char *hash)
{
    HdError err = {0};
    json_t *from = store_newest(store, words, &err);
    assert_false(err.set);
    const char *there = json_string_value(json_object_get(from, "z"));
    if (hash) assert_string_equal(there, hash);
    else assert_null(from);
    json_decref(from);
}

static void test_requests(void **state)
{
    (void)state;
    Store *store = opened("requests.db", STORE_WRITE);
    const Made one = {.launches = 1}, two = {.launches = 1, .seed = 1};
    add_request(store, &one, "bfs", "1");
    add_request(store, &two, "bfs --seed 1", "1");
    assert_int_equal(found(store, "bfs", "1"), 1);
    assert_int_equal(found(store, "bfs --seed 1", "1"), 2);
    assert_int_equal(found(store, "bfs", "2"), 0);
    assert_int_equal(found(store, "bfs --seed", "1"), 0);
    assert_newest(store, "bfs", "1");
    assert_newest(store, "sssp", NULL);
    // A new version of the simulator has the same result: the run has two requests.
    add_request(store, &one, "bfs", "2");
    assert_int_equal(found(store, "bfs", "2"), 1);
    assert_int_equal(found(store, "bfs", "1"), 1);
    assert_newest(store, "bfs", "2");
    // The same request again names another run.
    add_request(store, &two, "bfs", "1");
    assert_int_equal(found(store, "bfs", "1"), 2);
    assert_newest(store, "bfs", "1");
    assert_int_equal(number_of(store, "SELECT count(*) FROM requests"), 3);
    store_close(store);
    assert_whole("requests.db", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_run), cmocka_unit_test(test_other_runs),
        cmocka_unit_test(test_replaced), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_launches), cmocka_unit_test(test_result),
        cmocka_unit_test(test_no_result), cmocka_unit_test(test_requests),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests_name("runs of a store", tests, scratch_setup, scratch_teardown);
}
