// Tests of several heddle compares with one store: each variant runs once, no complete result is
// removed, and all print the same table.
#include "command.h"
#include "kept.h"
#include "store/store.h"
#include "study/job_claims.h"
#include "study/job_process.h"
#include "study/jobs_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPARE "compare bfs --graph rmat:12,8 --jobs 1 --mechanism none --mechanism mat"
#define MARK 7 // the cycles of a result that no run has

static int make_whole(void **state)
{
    (void)state;
    const Command *c = heddle(COMPARE " --store $T/whole.db");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    return 0;
}

// A result that another process adds meanwhile is taken, and not run again.
static void test_completed_meanwhile(void **state)
{
    (void)state;
    pid_t process = heddle_start(COMPARE " --store $T/meanwhile.db", "one");
    kept_wait_for_run("meanwhile.db"); // the first variant
    kept_copy("whole.db", "meanwhile.db", "mat", MARK);
    const Command *c = heddle_wait(process, "one");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "heddle: note: 1 of 2 runs done: none\n"
                                "heddle: note: 2 of 2 runs done: mat\n");
    assert_int_equal(kept_number("meanwhile.db", "mat", "cycles"), MARK);
    assert_non_null(strstr(c->out, "\nmat                    7 "));
}

// Claims the variant `mat` in a store as another process does. claims_close ends it.
static void claim_mat(JobClaims *claims, const char *store)
{
    static const char *const words[] = {"bfs", "--graph=rmat:12,8", "--mechanism", "mat", NULL};
    char path[256];
    bool taken = false;
    HdError err = {0};
    snprintf(path, sizeof path, "%s/whole.db", command_folder());
    Store *whole = store_open(path, STORE_READ, &err);
    char *request = job_words_text(words);
    json_t *from = whole && request ? store_newest(whole, request, &err) : NULL;
    assert_non_null(from);
    Job job = {.words = words, .computed_from = from};
    Jobs jobs = {.items = &job, .count = 1};
    assert_true(jobs_prepare(&jobs, &err));
    snprintf(path, sizeof path, "%s/%s", command_folder(), store);
    assert_true(claims_open(claims, path, &err) && claims_take(claims, job.hash, &taken, &err));
    assert_true(taken);
    jobs_free(&jobs);
    json_decref(from);
    free(request);
    store_close(whole);
}

// A variant that another process runs is waited for. If that one ends without a result, it is run
// here.
static void test_waits(void **state)
{
    (void)state;
    for (int killed = 0; killed < 2; killed++) {
        char expected[512], store[32], line[256];
        JobClaims claims;
        snprintf(store, sizeof store, "waits%d.db", killed);
        snprintf(line, sizeof line, COMPARE " --store $T/%s", store);
        claim_mat(&claims, store);
        pid_t process = heddle_start(line, "one");
        snprintf(expected, sizeof expected, "heddle: note: 1 of 2 runs done: none\n"
                 "heddle: note: waiting for another heddle with %s/%s, which runs mat\n",
                 command_folder(), store);
        wait_for_text("one.err", expected);
        if (!killed) kept_copy("whole.db", store, "mat", MARK);
        claims_close(&claims);
        const Command *c = heddle_wait(process, "one");
        assert_int_equal(c->status, 0);
        strcat(expected, "heddle: note: 2 of 2 runs done: mat\n");
        assert_string_equal(c->err, expected);
        assert_int_equal(kept_number(store, "mat", "cycles"),
                         killed ? kept_number("whole.db", "mat", "cycles") : MARK);
        kept_check_tidy(store);
    }
}

// A signal ends the wait.
static void test_wait_ends(void **state)
{
    (void)state;
    JobClaims claims;
    char path[256];
    claim_mat(&claims, "ends.db");
    pid_t process = heddle_start(COMPARE " --store $T/ends.db", "one");
    wait_for_text("one.err", "waiting for another heddle with ");
    kill(process, SIGTERM);
    const Command *c = heddle_wait(process, "one");
    assert_int_equal(c->status, 128 + SIGTERM);
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "\nInterrupted: 1 of 2 variants are shown.\n"));
    snprintf(path, sizeof path, "%s/ends.db-claims", command_folder());
    assert_int_equal(access(path, F_OK), 0); // the other one's
    claims_close(&claims);
    assert_int_not_equal(access(path, F_OK), 0);
}

#define FOUR COMPARE " --mechanism obm --mechanism slru"

// Returns the table without its last line, which names the store.
static char *table_of(const Command *c)
{
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    const char *end = strstr(c->out, "Results are kept in ");
    assert_non_null(end);
    return strndup(c->out, (size_t)(end - c->out));
}

static unsigned count_lines(const char *text, const char *start)
{
    unsigned count = 0;
    for (; (text = strstr(text, start)); text += strlen(start)) count++;
    return count;
}

// Two at once end with the same table.
static void test_both(void **state)
{
    (void)state;
    char *alone = table_of(heddle(FOUR " --store $T/alone.db"));
    pid_t a = heddle_start(FOUR " --store $T/both.db", "a");
    pid_t b = heddle_start(FOUR " --store $T/both.db", "b");
    char *first = table_of(heddle_wait(a, "a")), *second = table_of(heddle_wait(b, "b"));
    assert_string_equal(first, alone);
    assert_string_equal(second, alone);
    assert_int_equal(kept_query("both.db", "SELECT count(*) FROM requests"), 4);
    kept_check_tidy("both.db");
    free(first);
    free(second);
    // One is killed, as a rule in its first run; the other one runs what is not complete.
    a = heddle_start(FOUR " --store $T/killed.db", "a");
    kept_wait_for_run("killed.db");
    b = heddle_start(FOUR " --store $T/killed.db", "b");
    wait_for_text("b.err", "heddle: note: ");
    kill(a, SIGKILL);
    const Command *killed = heddle_wait(a, "a");
    assert_int_equal(killed->status, -1);
    unsigned complete = count_lines(killed->err, "runs done: ");
    const Command *c = heddle_wait(b, "b");
    second = table_of(c);
    assert_string_equal(second, alone);
    // It may have waited for one that was complete then.
    assert_in_range(count_lines(c->err, "runs done: "), 4 - complete, 4);
    free(second);
    free(alone);
    // All is there.
    c = heddle(FOUR " --store $T/killed.db");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
    kept_check_tidy("killed.db");
}

// Comparisons with other mechanisms share what both have.
static void test_objects(void **state)
{
    (void)state;
    char line[1024];
#define ONE "compare bfs --graph rmat:12,8 --jobs 1 --store $T/objects.db --mechanism none "
    snprintf(line, sizeof line, "cp '%s' '%s/c.so'", getenv("HEDDLE_COUNTING"), command_folder());
    assert_int_equal(system(line), 0);
    pid_t a = heddle_start(ONE "--mechanism $T/c.so:weight=2", "a");
    kept_wait_for_run("objects.db");
    pid_t b = heddle_start(ONE "--mechanism $T/c.so:weight=3", "b"); // starts with its second one
    assert_int_equal(heddle_wait(a, "a")->status, 0);
    assert_int_equal(heddle_wait(b, "b")->status, 0);
    const Command *c = heddle(ONE "--mechanism $T/c.so:weight=2 --mechanism $T/c.so:weight=3");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_completed_meanwhile),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_wait_ends),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests_name("comparisons with one store", tests, make_whole, NULL);
}
