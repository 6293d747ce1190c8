// Tests of jobs that fail, are refused or killed, and of what killed processes leave.
#include "fake_jobs.h"
#include "base/hash.h"
#include "store/store.h"
#include "study/jobs_internal.h"
#include "support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_all(FakeJobs *fake)
{
    HdError err = {0};
    if (!jobs_look(&fake->jobs, &err) || !jobs_run(&fake->jobs, &err)) fail_msg("%s", err.text);
    fake_check_tidy(fake);
}

// A job that fails says why, does not stop the others, and runs again the next time.
static void test_failures(void **state)
{
    (void)state;
    static const char *const actions[] = {"bad", "gone", "none", "broken", "early", "wrong", "old",
                                          "good", NULL};
    static const char *const messages[] = {
        "it is bad", "ended by signal 9 (Killed), as when the host runs out of memory",
        ".json: cannot be read: No such file or directory", ": expected JSON: ",
        "the run was ended early", "the answer is wrong",
        "heddle has changed since the command started: run it again"};
    for (int again = 0; again < 2; again++) {
        FakeJobs fake;
        size_t runs = fake_runs();
        fake_jobs(&fake, "failures.db", actions);
        run_all(&fake);
        for (size_t i = 0; i < 7; i++) {
            assert_int_equal(fake.items[i].state, JOB_FAILED);
            assert_contains(fake.items[i].why, messages[i]);
        }
        assert_string_equal(fake.items[0].why, messages[0]);
        assert_int_equal(fake.items[7].state, JOB_DONE);
        assert_int_equal(fake_runs(), runs + 8 - (size_t)again);
        fake_free(&fake);
    }
}

// Before the first run: nothing is written, and who may fail refuses nothing.
static void test_check(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "refused", NULL};
    FakeJobs fake;
    HdError err = {0};
    size_t runs = fake_runs();
    bool refused;
    for (int may_fail = 0; may_fail < 2; may_fail++) {
        fake_jobs(&fake, "check.db", actions);
        fake.items[1].may_fail = may_fail;
        assert_true(jobs_check(&fake.jobs, &refused, &err));
        assert_int_equal(refused, !may_fail);
        assert_int_equal(fake.items[0].state, JOB_WAITING);
        assert_int_equal(fake.items[1].state, JOB_FAILED);
        assert_string_equal(fake.items[1].why, "it is refused");
        fake_free(&fake);
    }
    static const char *const alone[] = {"refused", NULL};
    fake_jobs(&fake, "check.db", alone);
    fake.items[0].may_fail = true;
    assert_true(jobs_check(&fake.jobs, &refused, &err));
    assert_true(refused); // nothing is left to run
    fake_free(&fake);
    assert_int_equal(fake_runs(), runs);
    assert_int_not_equal(access(scratch_path("check.db"), F_OK), 0);
}

static int gathered; // how often

// From the second call on, which is before the result is added, a file has changed.
static json_t *gather(void *owner, const Job *job, HdError *err)
{
    (void)owner, (void)err;
    json_t *now = json_deep_copy(job->computed_from);
    json_object_set_new(json_object_get(now, "files"), "g.el", json_string("2"));
    return gathered++ ? now : (json_decref(now), json_deep_copy(job->computed_from));
}

// A result is not added if an input has changed while it was computed.
static void test_changed(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "good2", NULL};
    FakeJobs fake;
    HdError err = {0};
    fake_jobs(&fake, "changed.db", actions);
    json_object_set_new(json_object_get(fake.computed_from, "files"), "g.el", json_string("1"));
    fake.jobs.gather = gather;
    fake.jobs.at_a_time = 1;
    size_t runs = fake_runs();
    run_all(&fake);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fake.items[i].state, JOB_FAILED);
        assert_string_equal(fake.items[i].why,
                            "g.el has changed since the command started: run it again");
    }
    assert_int_equal(fake_runs(), runs + 1); // the second one was not started
    Store *store = store_open(fake.store, STORE_READ, &err);
    json_t *from = store_newest(store, "job good", &err);
    assert_null(from);
    assert_false(err.set);
    store_close(store);
    fake_free(&fake);
}

// Makes the file of a job's result in the spool, as a killed process leaves it.
static void leave(FakeJobs *fake, size_t job, const char *text)
{
    HdError err = {0};
    char name[HASH_TEXT], path[256], folder[128];
    assert_true(jobs_prepare(&fake->jobs, &err));
    hash_text(fake->items[job].hash, name);
    snprintf(folder, sizeof folder, "%s-spool", strrchr(fake->store, '/') + 1);
    mkdir(scratch_path(folder), 0777);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    scratch_text(path, text);
}

// A complete result that a killed process did not add is added; another one is not.
static void test_left_result(void **state)
{
    (void)state;
    static const char *const actions[] = {"good2", "good", NULL};
    FakeJobs fake;
    size_t runs = fake_runs();
    fake_jobs(&fake, "left.db", actions);
    char *text = fake_result("left", NULL, false, true);
    leave(&fake, 0, text);
    free(text);
    text = fake_result("left", NULL, true, true);
    leave(&fake, 1, text);
    free(text);
    run_all(&fake);
    assert_int_equal(jobs_count(&fake.jobs, JOB_DONE), 2);
    assert_int_equal(fake_runs(), runs + 1);
    HdError err = {0};
    size_t size;
    Store *store = store_open(fake.store, STORE_READ, &err);
    static const char *const workloads[] = {"left", "good"};
    for (size_t i = 0; i < 2; i++) {
        text = store_result(store, fake.items[i].run, &size, &err);
        json_t *file = json_loads(text, 0, NULL);
        const json_t *name = json_object_get(json_object_get(file, "result"), "workload");
        assert_string_equal(json_string_value(name), workloads[i]);
        json_decref(file);
        free(text);
    }
    store_close(store);
    fake_free(&fake);
}

// Whether the process has ended, or is about to.
static bool has_ended(pid_t process)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return true;
    bool read = fgets(text, sizeof text, file);
    fclose(file);
    const char *after = strrchr(text, ')');
    return !read || !after || after[2] == 'Z' || after[2] == 'X';
}

static int pipe_to_parent[2];

static void tell_process(void *owner, const Job *job, JobsEvent event)
{
    (void)owner;
    if (event == JOBS_STARTS &&
        write(pipe_to_parent[1], &job->process, sizeof job->process) < 0)
        _exit(1);
}

// A killed process takes its jobs with it, and leaves no files for ever.
static void test_killed(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", "slow", NULL}, *const others[] = {"good2", NULL};
    FakeJobs fake;
    pid_t jobs[2];
    assert_int_equal(pipe(pipe_to_parent), 0);
    fake_jobs(&fake, "killed.db", actions);
    fake.jobs.progress = tell_process;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        HdError err = {0};
        jobs_run(&fake.jobs, &err);
        _exit(0);
    }
    assert_int_equal(read(pipe_to_parent[0], &jobs[0], sizeof *jobs), sizeof *jobs);
    assert_int_equal(read(pipe_to_parent[0], &jobs[1], sizeof *jobs), sizeof *jobs);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (int i = 0; i < 6000 && !has_ended(jobs[1]); i++) usleep(10000);
    assert_true(has_ended(jobs[1]));
    assert_int_equal(access(scratch_path("killed.db-spool"), F_OK), 0);
    // A temporary file of a job's program, which no process has locked.
    scratch_text("killed.db-spool/.heddle-writing-0123456789abcdef", "half");
    fake_free(&fake);
    fake_jobs(&fake, "killed.db", others);
    run_all(&fake);
    assert_int_equal(fake.items[0].state, JOB_DONE);
    fake_free(&fake);
}

// Files of jobs that another process has claimed stay.
static void test_spool_of_others(void **state)
{
    (void)state;
    static const char *const actions[] = {"slow", NULL}, *const others[] = {"good", NULL};
    FakeJobs fake;
    pid_t job;
    HdError err = {0};
    assert_int_equal(pipe(pipe_to_parent), 0);
    fake_jobs(&fake, "others.db", actions);
    fake.jobs.progress = tell_process;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        jobs_run(&fake.jobs, &err);
        _exit(0);
    }
    assert_int_equal(read(pipe_to_parent[0], &job, sizeof job), sizeof job);
    fake_free(&fake);
    fake_jobs(&fake, "others.db", others);
    assert_true(jobs_run(&fake.jobs, &err));
    assert_int_equal(access(scratch_path("others.db-spool"), F_OK), 0);
    assert_int_equal(access(scratch_path("others.db-claims"), F_OK), 0);
    assert_false(has_ended(job));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (int i = 0; i < 6000 && !has_ended(job); i++) usleep(10000);
    run_all(&fake);
    fake_free(&fake);
}

// The store cannot be opened.
static void test_no_store(void **state)
{
    (void)state;
    static const char *const actions[] = {"good", NULL};
    FakeJobs fake;
    HdError err = {0};
    size_t runs = fake_runs();
    fake_jobs(&fake, "no/where.db", actions);
    assert_true(jobs_look(&fake.jobs, &err));
    assert_false(jobs_run(&fake.jobs, &err));
    assert_contains(err.text, "/no/where.db: ");
    fake_free(&fake);
    // Of a process that was killed early.
    fake_jobs(&fake, "empty.db", actions);
    scratch_text("empty.db", "");
    run_all(&fake);
    assert_int_equal(jobs_count(&fake.jobs, JOB_DONE), 1);
    fake_free(&fake);
    fake_jobs(&fake, "foreign.db", actions);
    scratch_text("foreign.db", "something else, which is no store at all");
    assert_false(jobs_look(&fake.jobs, &err));
    assert_contains(err.text, "foreign.db: is no store of results");
    assert_false(jobs_run(&fake.jobs, &err));
    assert_int_equal(fake_runs(), runs + 1); // the empty one's
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
        cmocka_unit_test(test_failures),        cmocka_unit_test(test_check),
        cmocka_unit_test(test_changed),         cmocka_unit_test(test_left_result),
        cmocka_unit_test(test_killed),          cmocka_unit_test(test_spool_of_others),
        cmocka_unit_test(test_no_store),
    };
    return cmocka_run_group_tests(tests, setup, scratch_teardown);
}
