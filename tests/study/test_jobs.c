// Tests of jobs: each runs once, its result is in the store, and it is known why a job runs again.
#include "fake_jobs.h"
#include "report/host_json.h"
#include "store/store.h"
#include "support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_all(FakeJobs *fake)
{
    HdError err = {0};
    if (!jobs_look(&fake->jobs, &err) || !jobs_run(&fake->jobs, &err)) fail_msg("%s", err.text);
    fake_check_tidy(fake);
}

// Jobs run in their order; what they leave is the result in the store.
static void test_runs(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "good2", NULL};
    FakeJobs fake;
    size_t runs = fake_runs(), size;
    fake_jobs(&fake, "runs.db", actions);
    fake.jobs.at_a_time = 1;
    run_all(&fake);
    static const int events[] = {JOBS_STARTS, JOBS_ENDS, JOBS_STARTS + 8, JOBS_ENDS + 8};
    assert_int_equal(fake.event_count, 4);
    assert_memory_equal(fake.events, events, sizeof events);
    assert_int_equal(fake_runs(), runs + 2);
    HdError err = {0};
    Store *store = store_open(fake.store, STORE_READ, &err);
    for (size_t i = 0; i < 2; i++) {
        const Job *job = &fake.items[i];
        assert_int_equal(job->state, JOB_DONE);
        char *text = store_result(store, job->run, &size, &err);
        char *expected = fake_result(actions[i], NULL, false, true);
        json_t *there = json_loads(text, 0, NULL), *wanted = json_loads(expected, 0, NULL);
        assert_true(json_equal(there, wanted));
        json_decref(there);
        json_decref(wanted);
        free(expected);
        free(text);
    }
    assert_int_not_equal(fake.items[0].run, fake.items[1].run);
    json_t *from = store_newest(store, "job good2", &err);
    assert_true(json_equal(from, fake.computed_from));
    json_decref(from);
    store_close(store);
    fake_free(&fake);
    // The next time all is there, with the seconds of the results.
    fake_jobs(&fake, "runs.db", actions);
    assert_true(jobs_look(&fake.jobs, &err));
    assert_int_equal(jobs_count(&fake.jobs, JOB_DONE), 2);
    assert_true(fake.items[1].seconds == 1.5);
    run_all(&fake);
    assert_int_equal(fake.event_count, 0);
    assert_int_equal(fake_runs(), runs + 2);
    fake_free(&fake);
}

// A request that is twice in the list runs once.
static void test_twice(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "good", "good2", "good", NULL};
    FakeJobs fake;
    size_t runs = fake_runs();
    fake_jobs(&fake, "twice.db", actions);
    run_all(&fake);
    assert_int_equal(fake_runs(), runs + 2);
    assert_int_equal(jobs_count(&fake.jobs, JOB_DONE), 4);
    assert_int_equal(fake.items[0].run, fake.items[3].run);
    fake_free(&fake);
}

// Looks for a job that is computed from this; returns why it runs, or NULL: it is done.
static const char *reason_of(const char *from)
{
    static const char *const actions[] = {"good", NULL};
    static char why[JOB_TEXT];
    FakeJobs fake;
    HdError err = {0};
    fake_jobs(&fake, "reasons.db", actions);
    json_decref(fake.computed_from);
    fake.computed_from = json_loads(from, 0, NULL);
    assert_non_null(fake.computed_from);
    fake.items[0].computed_from = fake.computed_from;
    if (!jobs_look(&fake.jobs, &err)) fail_msg("%s", err.text);
    bool done = fake.items[0].state == JOB_DONE;
    assert_int_equal(fake.items[0].stale, *fake.items[0].why != 0);
    snprintf(why, sizeof why, "%s", fake.items[0].why);
    if (!jobs_run(&fake.jobs, &err)) fail_msg("%s", err.text);
    assert_int_equal(fake.items[0].state, JOB_DONE);
    fake_free(&fake);
    return done ? NULL : why;
}

#define FROM(g, m, o, sources)                                                                     \
    "{\"files\": {\"g.el\": \"" g "\", \"b\": \"1\"}, \"machine\": {\"m.yaml\": \"" m "\"}, "      \
    "\"objects\": {" o "}, \"sources\": \"" sources "\"}"

static void test_reasons(void **state)
{
    (void)state;
    assert_string_equal(reason_of(FROM("1", "1", "", "1")), ""); // new
    assert_null(reason_of(FROM("1", "1", "", "1")));
    assert_string_equal(reason_of(FROM("2", "1", "", "1")), "g.el has changed");
    assert_null(reason_of(FROM("1", "1", "", "1"))); // as before
    assert_string_equal(reason_of(FROM("1", "2", "", "1")), "m.yaml has changed");
    assert_string_equal(reason_of(FROM("1", "1", "", "2")),
                        "the simulator's sources have changed");
    assert_string_equal(reason_of(FROM("1", "1", "\"./a.so\": \"1\"", "1")),
                        "./a.so was not read before");
    assert_string_equal(reason_of(FROM("1", "1", "\"./a.so\": \"2\"", "1")),
                        "./a.so has changed");
    assert_string_equal(reason_of(FROM("1", "1", "\"./a.so\": null", "1")),
                        "./a.so cannot be read");
    // The first thing that differs from the most similar request.
    assert_string_equal(reason_of(FROM("3", "3", "\"./a.so\": \"2\"", "1")), "g.el has changed");
    assert_string_equal(reason_of("{\"files\": {\"b\": \"1\"}, \"machine\": {\"m.yaml\": \"1\"}, "
                                  "\"objects\": {}, \"sources\": \"1\"}"),
                        "the list of its input files has changed");
}

// Several processes with one store, which has two names: each job runs once.
static void test_together(void **state)
{
    (void)state;
    enum { PROCESSES = 3, JOBS = 12 };
    static const char *const actions[] = {"good-a", "good-b", "good-c", "good-d", "good-e",
                                          "good-f", "good-g", "good-h", "good-i", "good-j",
                                          "good-k", "good-l", NULL};
    pid_t processes[PROCESSES];
    HdError err = {0};
    Store *store = store_open(scratch_path("together.db"), STORE_WRITE, &err);
    assert_non_null(store);
    store_close(store);
    assert_int_equal(symlink("together.db", scratch_path("link.db")), 0);
    size_t runs = fake_runs();
    for (int i = 0; i < PROCESSES; i++) {
        processes[i] = fork();
        assert_true(processes[i] >= 0);
        if (processes[i]) continue;
        FakeJobs fake;
        fake_jobs(&fake, i % 2 ? "link.db" : "together.db", actions);
        bool ok = jobs_run(&fake.jobs, &err) && jobs_count(&fake.jobs, JOB_DONE) == JOBS;
        if (!ok) fprintf(stderr, "%s\n", err.text);
        _exit(!ok);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(processes[i], &status, 0), processes[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(fake_runs(), runs + JOBS);
    FakeJobs fake;
    fake_jobs(&fake, "together.db", actions);
    run_all(&fake);
    assert_int_equal(fake_runs(), runs + JOBS);
    fake_free(&fake);
}

// A signal before the first job leaves all waiting; `stop` is passed on to jobs that run.
static void test_stop(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "slow", NULL};
    volatile sig_atomic_t stop = SIGTERM;
    FakeJobs fake;
    size_t runs = fake_runs();
    fake_jobs(&fake, "stop.db", actions);
    fake.jobs.stop = &stop;
    run_all(&fake);
    assert_int_equal(jobs_count(&fake.jobs, JOB_WAITING), 2);
    assert_int_equal(fake_runs(), runs);
    fake_free(&fake);
}

static volatile sig_atomic_t stopped;

static void stop_at_end(void *owner, const Job *job, JobsEvent event)
{
    (void)owner;
    if (event == JOBS_ENDS && strcmp(job->name, "good") == 0) stopped = SIGTERM;
}

static void test_stop_running(void **state)
{
    (void)state;
    static const char *const actions[] = {"slow", "good", "good2", NULL};
    FakeJobs fake;
    fake_jobs(&fake, "running.db", actions);
    fake.jobs.stop = &stopped;
    fake.jobs.progress = stop_at_end;
    run_all(&fake);
    assert_int_equal(fake.items[0].state, JOB_WAITING); // ended by the signal
    assert_int_equal(fake.items[1].state, JOB_DONE);
    assert_int_equal(fake.items[2].state, JOB_WAITING);
    fake_free(&fake);
}

static void stop_at_start(void *owner, const Job *job, JobsEvent event)
{
    (void)owner;
    if (event == JOBS_STARTS && stopped) fail_msg("%s starts after a signal", job->name);
    if (event == JOBS_STARTS) stopped = SIGTERM;
}

// A signal while jobs are started: no other one starts.
static void test_stop_starting(void **state)
{
    (void)state;
    static const char *const actions[] = {"slow", "good", NULL};
    FakeJobs fake;
    stopped = 0;
    fake_jobs(&fake, "starting.db", actions);
    fake.jobs.stop = &stopped;
    fake.jobs.progress = stop_at_start;
    run_all(&fake);
    assert_int_equal(jobs_count(&fake.jobs, JOB_WAITING), 2);
    fake_free(&fake);
}

static int setup(void **state)
{
    if (scratch_setup(state)) return -1;
    fake_setup();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),     cmocka_unit_test(test_twice),
        cmocka_unit_test(test_reasons),  cmocka_unit_test(test_together),
        cmocka_unit_test(test_stop),     cmocka_unit_test(test_stop_running),
        cmocka_unit_test(test_stop_starting),
    };
    return cmocka_run_group_tests(tests, setup, scratch_teardown);
}
