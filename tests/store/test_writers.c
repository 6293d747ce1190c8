// Tests of several processes that write one store, and of processes that are killed.
#include "made_results.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[256];

// Adds runs with these seeds, each by a connection of its own as programs do, and reports each seed
// that was added to `reports`, if there is one. Ends the process.
static void write_runs(int first, int count, int reports)
{
    for (int seed = first; seed < first + count; seed++) {
        HdError err = {0};
        StoreAdded one;
        json_t *file = made_file(&(Made){.seed = seed, .launches = 4, .padding = 2000});
        Store *store = store_open(path, STORE_WRITE, &err);
        if (!store || !store_add(store, file, NULL, &one, &err)) {
            fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        store_close(store);
        json_decref(file);
        if (reports >= 0 && write(reports, &seed, sizeof seed) != sizeof seed) _exit(1);
    }
    _exit(0);
}

// Writers that begin at the same time, in a store that is not there.
static void write_together(int writers, int round)
{
    enum { RUNS = 6, MOST = 4 };
    char name[64], byte;
    int gate[2], status;
    pid_t children[MOST];
    snprintf(name, sizeof name, "%d-%d.db", writers, round);
    snprintf(path, sizeof path, "%s", scratch_path(name));
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < writers; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0) continue;
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) _exit(1); // until the parent opens the gate
        write_runs(RUNS * i, RUNS, -1);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < writers; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_whole(name, RUNS * writers);
}

static void test_together(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        write_together(2, round);
        write_together(4, round);
    }
}

// ---- kills ----

static unsigned next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*random >> 40);
}

static int64_t count_of_seed(Store *store, int seed)
{
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM runs WHERE counter(inputs, 'seed') = %d", seed);
    return number_of(store, sql);
}

// Kills a writer after this number of reports and a pause in microseconds. Runs that it reported
// are there. Of the next one, everything or nothing is. Returns the number of runs that it added.
static int kill_once(const char *name, int first, int reports, unsigned pause)
{
    int ends[2], seed, reported = 0;
    bool in_time = true;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        write_runs(first, 1000, ends[1]);
    }
    close(ends[1]);
    while (in_time && reported < reports) {
        in_time = read(ends[0], &seed, sizeof seed) == sizeof seed;
        reported += in_time;
    }
    usleep(pause);
    kill(child, SIGKILL);
    while (read(ends[0], &seed, sizeof seed) == sizeof seed) reported++;
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(in_time);
    if (access(path, F_OK) != 0) { // killed before it made the file
        assert_int_equal(reported, 0);
        return 0;
    }
    HdError err = {0};
    Store *store = store_open(path, STORE_WRITE, &err); // makes what a killed process began
    if (!store) fail_msg("%s", err.text);
    for (int i = 0; i < reported; i++) assert_int_equal(count_of_seed(store, first + i), 1);
    int more = (int)count_of_seed(store, first + reported);
    int64_t runs = number_of(store, "SELECT count(*) FROM runs");
    store_close(store);
    assert_int_equal(runs, first + reported + more);
    assert_whole(name, runs);
    return reported + more;
}

static void test_killed(void **state)
{
    (void)state;
    enum { STORES = 10, MOMENTS = 5, MOST_PAUSE = 8000 }; // microseconds; a run takes about that
    uint64_t random = 47;
    for (int s = 0; s < STORES; s++) {
        char name[32];
        int runs = 0;
        snprintf(name, sizeof name, "killed-%d.db", s);
        snprintf(path, sizeof path, "%s", scratch_path(name));
        for (int i = 0; i < MOMENTS; i++) {
            int reports = (int)(next_random(&random) % 4);
            runs += kill_once(name, runs, reports, next_random(&random) % MOST_PAUSE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_killed),
    };
    return cmocka_run_group_tests_name("writers", tests, scratch_setup, scratch_teardown);
}
