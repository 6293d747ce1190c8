// Tests of claims: one holder at a time, which may be killed; the file goes with the last one.
#include "study/job_claims.h"
#include "support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static bool take(JobClaims *claims, uint64_t hash)
{
    HdError err = {0};
    bool taken;
    if (!claims_take(claims, hash, &taken, &err)) fail_msg("%s", err.text);
    return taken;
}

static void open_claims(JobClaims *claims, const char *store)
{
    HdError err = {0};
    if (!claims_open(claims, scratch_path(store), &err)) fail_msg("%s", err.text);
}

// Two open files are as two processes.
static void test_one_holder(void **state)
{
    (void)state;
    static const uint64_t hashes[] = {0, 4, 0xffffffffffffffff, 0x8000000000000000};
    JobClaims a, b;
    open_claims(&a, "one");
    open_claims(&b, "one");
    for (size_t i = 0; i < 4; i++) {
        assert_true(take(&a, hashes[i]));
        assert_true(take(&a, hashes[i])); // still its own
        assert_false(take(&b, hashes[i]));
    }
    claims_release(&a, hashes[2]);
    assert_true(take(&b, hashes[2]));
    assert_false(take(&b, hashes[1]));
    claims_close(&a);
    assert_true(take(&b, hashes[1]));
    assert_int_equal(access(scratch_path("one-claims"), F_OK), 0); // of b
    claims_close(&b);
    assert_int_not_equal(access(scratch_path("one-claims"), F_OK), 0);
}

// A file that was removed under a process that had no claim is not used any more.
static void test_removed(void **state)
{
    (void)state;
    JobClaims a, b, c;
    open_claims(&a, "removed");
    open_claims(&b, "removed");
    claims_close(&b); // no one has a claim: removes it
    assert_int_not_equal(access(scratch_path("removed-claims"), F_OK), 0);
    open_claims(&c, "removed");
    assert_true(take(&a, 8));
    assert_false(take(&c, 8));
    claims_close(&c);
    assert_int_equal(access(scratch_path("removed-claims"), F_OK), 0);
    claims_close(&a);
}

static void test_killed(void **state)
{
    (void)state;
    JobClaims claims;
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        open_claims(&claims, "killed");
        byte = take(&claims, 5);
        if (write(ready[1], &byte, 1) != 1) _exit(1);
        pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    open_claims(&claims, "killed");
    assert_false(take(&claims, 5));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(take(&claims, 5));
    claims_close(&claims);
}

static void test_no_folder(void **state)
{
    (void)state;
    HdError err = {0};
    JobClaims claims;
    assert_false(claims_open(&claims, scratch_path("no/where"), &err));
    assert_contains(err.text, "no/where-claims: cannot be written: No such file or directory");
    claims_close(&claims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_holder), cmocka_unit_test(test_removed),
        cmocka_unit_test(test_killed),     cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
