// Tests of stores that are changed as a copy, and of the lock beside them.
#include "made_results.h"

#include "store/store_copy.h"
#include "store/store_internal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHORT_WAIT = 50 }; // milliseconds

static const char who[] = "Slurm job 12 on node7";

static void make_store(const char *name)
{
    Store *store = opened(name, STORE_WRITE);
    added(store, &(Made){.launches = 1}, NULL);
    store_close(store);
}

static void take(StoreCopy *copy, const char *name)
{
    HdError err = {0};
    if (!store_copy_open(copy, scratch_path(name), who, SHORT_WAIT, &err))
        fail_msg("%s", err.text);
}

// Adds a second run to the copy.
static void change(const StoreCopy *copy)
{
    HdError err = {0};
    Store *store = store_open(copy->path, STORE_WRITE, &err);
    if (!store) fail_msg("%s", err.text);
    added(store, &(Made){.launches = 2, .seed = 1}, NULL);
    store_close(store);
}

static bool is_there(const char *name) { return access(scratch_path(name), F_OK) == 0; }

// The copy takes the place of the file, and nothing is left of it; without store_copy_keep, the
// file is as before.
static void test_keep(void **state)
{
    (void)state;
    StoreCopy copy;
    HdError err = {0};
    char folder[256];
    for (int keep = 0; keep < 2; keep++) {
        make_store("keep.db");
        take(&copy, "keep.db");
        assert_true(is_there("keep.db-lock"));
        snprintf(folder, sizeof folder, "%.200s", copy.folder.path);
        change(&copy);
        if (keep) assert_true(store_copy_keep(&copy, &err));
        store_copy_close(&copy);
        assert_false(is_there("keep.db-lock"));
        assert_int_not_equal(access(folder, F_OK), 0);
        assert_whole("keep.db", 1 + keep);
    }
}

// A store that has no file yet gets one if the copy has.
static void test_new(void **state)
{
    (void)state;
    StoreCopy copy;
    HdError err = {0};
    for (int made = 0; made < 2; made++) {
        take(&copy, "new.db");
        if (made) change(&copy);
        assert_true(store_copy_keep(&copy, &err));
        store_copy_close(&copy);
        assert_int_equal(is_there("new.db"), made);
    }
    assert_whole("new.db", 1);
}

// Behind a symbolic link, the file that it names is locked and replaced.
static void test_link(void **state)
{
    (void)state;
    StoreCopy copy;
    HdError err = {0};
    struct stat st;
    make_store("named.db");
    assert_int_equal(symlink("named.db", scratch_path("link.db")), 0);
    take(&copy, "link.db");
    assert_true(is_there("named.db-lock"));
    assert_false(store_copy_wait(scratch_path("link.db"), 0, &err));
    change(&copy);
    assert_true(store_copy_keep(&copy, &err));
    store_copy_close(&copy);
    assert_int_equal(lstat(scratch_path("link.db"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_whole("named.db", 2);
}

// While the store is locked, no process opens it, and no other one takes a copy.
static void test_locked(void **state)
{
    (void)state;
    StoreCopy copy, other;
    HdError err = {0};
    char message[1024];
    make_store("locked.db");
    take(&copy, "locked.db");
    snprintf(message, sizeof message,
             "%s-lock: Slurm job 12 on node7 adds results to the store: expected that it ends; if "
             "it does not run any more, delete this file", scratch_path("locked.db"));
    for (StoreMode mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        assert_null(store_open_within(scratch_path("locked.db"), mode, SHORT_WAIT, &err));
        assert_string_equal(err.text, message);
        memset(&err, 0, sizeof err);
    }
    assert_false(store_copy_open(&other, scratch_path("locked.db"), who, SHORT_WAIT, &err));
    assert_string_equal(err.text, message);
    store_copy_close(&other);
    assert_true(is_there("locked.db-lock")); // the lock of the first one
    store_copy_close(&copy);
    assert_whole("locked.db", 1);
}

// Who opens the store waits for the lock's end.
static void test_wait(void **state)
{
    (void)state;
    StoreCopy copy;
    make_store("wait.db");
    take(&copy, "wait.db");
    pid_t child = fork();
    if (child == 0) { // as heddle study status does with the lock of a killed process
        usleep(200000);
        store_copy_unlock(scratch_path("wait.db"));
        _exit(0);
    }
    store_close(opened("wait.db", STORE_WRITE));
    assert_int_equal(waitpid(child, NULL, 0), child);
    store_copy_close(&copy);
}

// A store that is open, or whose log a killed process has left, is not copied, and not locked.
static void test_open(void **state)
{
    (void)state;
    StoreCopy copy;
    HdError err = {0};
    make_store("open.db");
    Store *store = opened("open.db", STORE_WRITE);
    assert_false(store_copy_open(&copy, scratch_path("open.db"), who, SHORT_WAIT, &err));
    assert_contains(err.text, "open.db: is open: ");
    store_copy_close(&copy);
    assert_false(is_there("open.db-lock"));
    added(store, &(Made){.launches = 1, .seed = 2}, NULL);
    store_close(store);
    assert_whole("open.db", 2);
}

// A program that knows no lock opens the store meanwhile: the file is not replaced below it.
static void test_ignored(void **state)
{
    (void)state;
    StoreCopy copy;
    HdError err = {0};
    sqlite3 *sqlite;
    make_store("ignored.db");
    take(&copy, "ignored.db");
    change(&copy);
    assert_int_equal(sqlite3_open(scratch_path("ignored.db"), &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, "SELECT count(*) FROM runs", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_false(store_copy_keep(&copy, &err));
    assert_contains(err.text, "ignored.db: is open: ");
    sqlite3_close(sqlite);
    store_copy_close(&copy);
    assert_whole("ignored.db", 1);
}

// A lock that was removed, or a store that was changed meanwhile, is not written over.
static void test_changed(void **state)
{
    (void)state;
    StoreCopy copy, other;
    HdError err = {0};
    make_store("changed.db");
    take(&copy, "changed.db");
    change(&copy);
    store_copy_unlock(scratch_path("changed.db"));
    take(&other, "changed.db");
    assert_false(store_copy_keep(&copy, &err));
    assert_contains(err.text, "changed.db: another process has changed the store meanwhile");
    store_copy_close(&copy);
    assert_true(is_there("changed.db-lock")); // of the other one
    change(&other);
    assert_true(store_copy_keep(&other, &err));
    store_copy_close(&other);
    assert_whole("changed.db", 2);

    take(&copy, "changed.db");
    change(&copy);
    FILE *file = fopen(scratch_path("changed.db"), "ab");
    assert_non_null(file);
    fputc(0, file);
    fclose(file);
    assert_false(store_copy_keep(&copy, &err));
    store_copy_close(&copy);
    assert_false(is_there("changed.db-lock"));
}

// The next process of this host removes the copy of a killed one.
static void test_killed(void **state)
{
    (void)state;
    StoreCopy copy;
    int pipes[2], status;
    char folder[256] = "";
    make_store("killed.db");
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (!child) {
        take(&copy, "killed.db");
        if (write(pipes[1], copy.folder.path, strlen(copy.folder.path)) < 0) _exit(1);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(read(pipes[0], folder, sizeof folder - 1) > 0);
    close(pipes[0]);
    close(pipes[1]);
    assert_int_equal(access(folder, F_OK), 0);
    make_store("next.db");
    take(&copy, "next.db");
    assert_int_not_equal(access(folder, F_OK), 0);
    store_copy_close(&copy);
    unlink(scratch_path("killed.db-lock"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep),   cmocka_unit_test(test_new),  cmocka_unit_test(test_link),
        cmocka_unit_test(test_locked), cmocka_unit_test(test_wait), cmocka_unit_test(test_open),
        cmocka_unit_test(test_ignored), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_killed),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
