// Tests of files that are no store, cannot be used, are locked, or have no room.
#include "made_results.h"

#include "store/store_internal.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT = 8192, SHORT_WAIT = 50 }; // bytes; milliseconds

// Runs SQL over a file by SQLite itself.
static void run_sql(const char *name, const char *sql)
{
    sqlite3 *sqlite;
    assert_int_equal(sqlite3_open(scratch_path(name), &sqlite), SQLITE_OK);
    if (sqlite3_exec(sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(sqlite));
    sqlite3_close(sqlite);
}

// Makes a store with two runs.
static void make_store(const char *name)
{
    Store *store = opened(name, STORE_WRITE);
    added(store, &(Made){.launches = 3}, NULL);
    added(store, &(Made){.launches = 3, .seed = 1}, NULL);
    store_close(store);
}

static char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void copy_file(const char *from, const char *to)
{
    size_t size;
    char *bytes = read_bytes(from, &size);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    free(bytes);
}

// Expects the message "PATH: rest" for this use of a file. rest: NULL for any.
static void assert_not_opened(const char *path, StoreMode mode, const char *rest)
{
    HdError err = {0};
    char message[1024];
    Store *store = store_open(path, mode, &err);
    if (store) fail_msg("%s: expected a message", path);
    snprintf(message, sizeof message, "%s: %s", path, rest);
    assert_string_equal(err.text, message);
}

// The same for both uses of a file, which is not changed.
static void assert_no_store(const char *name, const char *rest)
{
    size_t before, after;
    const char *path = scratch_path(name);
    char *then = read_bytes(path, &before);
    assert_not_opened(path, STORE_READ, rest);
    assert_not_opened(path, STORE_WRITE, rest);
    HdError err = {0};
    assert_false(store_check_writable(path, &err));
    assert_true(err.set);
    char *now = read_bytes(path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(then, now, before);
    free(then);
    free(now);
}

static const char foreign[] = "is a database of another program: expected a file that heddle "
                              "--store has made";
static const char no_table[] = "its table %s is not a store's: expected a file that heddle --store "
                               "has made";

static void test_foreign_files(void **state)
{
    (void)state;
    char rest[128];
    scratch_text("text.db", "a text of no kind, long enough to be the header of something else, "
                            "and then some more, so that SQLite reads one hundred bytes");
    assert_no_store("text.db", "is no store of results: expected a file that heddle --store has "
                               "made");
    run_sql("foreign.db", "CREATE TABLE runs (run); INSERT INTO runs VALUES (1)");
    assert_no_store("foreign.db", foreign);
    run_sql("browser.db", "PRAGMA application_id = 77; CREATE TABLE t (x)");
    assert_no_store("browser.db", foreign);
    make_store("newer.db");
    run_sql("newer.db", "PRAGMA user_version = 2");
    assert_no_store("newer.db", "has version 2 of stores, which another heddle has made: expected "
                                "version 1");
    make_store("none.db");
    run_sql("none.db", "DROP TABLE requests");
    snprintf(rest, sizeof rest, no_table, "requests");
    assert_no_store("none.db", rest);
    make_store("more.db");
    run_sql("more.db", "ALTER TABLE launches ADD COLUMN x INTEGER AS (abs(run))");
    snprintf(rest, sizeof rest, no_table, "launches");
    assert_no_store("more.db", rest);
    make_store("view.db");
    run_sql("view.db", "DROP TABLE runs; CREATE VIEW runs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION"
                       " ALL SELECT x + 1 FROM c) SELECT x AS run, x AS cycles FROM c");
    snprintf(rest, sizeof rest, no_table, "runs");
    assert_no_store("view.db", rest);
}

// A file without contents becomes a store where it is written, and is none where it is read.
static void test_empty_file(void **state)
{
    (void)state;
    const char *path = scratch_text("empty.db", "");
    assert_not_opened(path, STORE_READ,
                      "is empty: expected a file that heddle --store has made");
    make_store("empty.db");
    assert_whole("empty.db", 2);
}

static void test_paths(void **state)
{
    (void)state;
    char missing[256], folder[256], pipe[256];
    snprintf(missing, sizeof missing, "%s", scratch_path("no/folder.db"));
    snprintf(folder, sizeof folder, "%s", scratch_folder());
    snprintf(pipe, sizeof pipe, "%s", scratch_path("pipe"));
    static const char not_there[] = "there is no such store that can be read";
    assert_not_opened(missing, STORE_READ, not_there);
    assert_not_opened(missing, STORE_WRITE, "cannot be written: No such file or directory");
    assert_not_opened(scratch_path("no.db"), STORE_READ, not_there);
    static const char irregular[] = "is no regular file: expected a file for a store";
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const char *const others[] = {folder, "/dev/null", "/dev/full", pipe};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_not_opened(others[i], STORE_READ, irregular);
        assert_not_opened(others[i], STORE_WRITE, irregular);
    }
    HdError err = {0};
    int before = scratch_count();
    assert_true(store_check_writable(scratch_path("no.db"), &err));
    assert_false(store_check_writable(missing, &err));
    assert_int_equal(scratch_count(), before); // nothing was made
}

// Names that SQLite takes for a database in memory or a URI are files.
static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file:a?mode=memory", "a%41?b#c"};
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch_folder()), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        HdError err = {0};
        Store *store = store_open(names[i], STORE_WRITE, &err);
        if (!store) fail_msg("%s", err.text);
        added(store, &(Made){.launches = 1}, NULL);
        store_close(store);
        assert_int_equal(access(names[i], F_OK), 0);
        assert_whole(names[i], 1);
    }
    assert_int_equal(chdir(before), 0);
}

// ---- in another process ----

// Calls act in a child, as a user without rights if this one is root, and gives what it wrote.
static const char *in_child(bool without_rights, void (*act)(FILE *out))
{
    static char text[TEXT];
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        enum { NOBODY = 65534 };
        FILE *out = fdopen(ends[1], "w");
        if (without_rights && geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            _exit(98);
        act(out);
        fclose(out);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while (used + 1 < TEXT && (got = read(ends[0], text + used, TEXT - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) fail_msg("status %d after: %s", status, text);
    return text;
}

static char used_path[256]; // by the functions below

// Writes the number of runs, or the message, without the path.
static void count_runs(FILE *out)
{
    HdError err = {0};
    Rows rows = {0};
    Store *store = store_open(used_path, STORE_READ, &err);
    if (store && store_query(store, "SELECT count(*) FROM runs", &(QueryPlace){.name = "SQL"},
                             &rows, &err))
        fprintf(out, "%d runs\n", (int)rows.cells->integer);
    else
        fprintf(out, "%s\n", err.text + strlen(used_path));
    rows_free(&rows);
    store_close(store);
}

static void add_run(FILE *out)
{
    HdError err = {0};
    StoreAdded one;
    json_t *file = made_file(&(Made){.launches = 3, .seed = 7});
    Store *store = store_open(used_path, STORE_WRITE, &err);
    if (store && store_add(store, file, NULL, &one, &err)) fputs("added\n", out);
    else fprintf(out, "%s\n", err.text + strlen(used_path));
    store_close(store);
    json_decref(file);
}

// ---- rights ----

static void test_rights(void **state)
{
    (void)state;
    static const char no_rights[] = ": the store cannot be written: expected the right to write "
                                    "the file and its folder\n";
    char folder[200], log[300];
    assert_int_equal(chmod(scratch_folder(), 0755), 0);
    snprintf(folder, sizeof folder, "%s", scratch_path("read-only"));
    assert_int_equal(mkdir(folder, 0755), 0);
    make_store("writable.db");
    snprintf(used_path, sizeof used_path, "%s/store.db", folder);
    copy_file(scratch_path("writable.db"), used_path);
    assert_int_equal(chmod(used_path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_string_equal(in_child(true, count_runs), "2 runs\n");
    assert_string_equal(in_child(true, add_run), no_rights);
    assert_string_equal(in_child(true, count_runs), "2 runs\n");
    // A path that begins with two slashes is no host's.
    memmove(used_path + 1, used_path, strlen(used_path) + 1);
    assert_string_equal(in_child(true, count_runs), "2 runs\n");
    memmove(used_path, used_path + 1, strlen(used_path));
    // A file that may be written, in a folder that may not.
    assert_int_equal(chmod(used_path, 0666), 0);
    assert_string_equal(in_child(true, count_runs), "2 runs\n");
    assert_contains(in_child(true, add_run), ": the store cannot be ");
    // Nothing can be read.
    assert_int_equal(chmod(used_path, 0), 0);
    assert_string_equal(in_child(true, count_runs), ": there is no such store that can be read\n");
    // Runs that a killed process left in the file beside the store.
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chmod(used_path, 0644), 0);
    Store *store = opened("writable.db", STORE_WRITE);
    added(store, &(Made){.seed = 3}, NULL);
    snprintf(log, sizeof log, "%s-wal", used_path);
    copy_file(scratch_path("writable.db"), used_path);
    copy_file(scratch_path("writable.db-wal"), log);
    store_close(store);
    assert_int_equal(chmod(used_path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    char message[1024];
    snprintf(message, sizeof message, ": the newest runs are in %s, and the folder cannot be "
                                      "written: expected both files in a folder that can\n", log);
    assert_string_equal(in_child(true, count_runs), message);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chmod(used_path, 0644), 0);
    assert_string_equal(in_child(false, count_runs), "3 runs\n");
    unlink(log);
    unlink(used_path);
    assert_int_equal(rmdir(folder), 0);
}

// ---- locks ----

static sqlite3 *locked(const char *name, const char *sql)
{
    sqlite3 *sqlite;
    assert_int_equal(sqlite3_open(scratch_path(name), &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    return sqlite;
}

static void assert_locked(const HdError *err, const char *name)
{
    char message[512];
    snprintf(message, sizeof message, "%s: another process has locked the store for 0.05 seconds: "
                                      "expected that it ends, or another file", scratch_path(name));
    assert_string_equal(err->text, message);
}

static void test_locked(void **state)
{
    (void)state;
    HdError err = {0};
    StoreAdded one;
    make_store("locked.db");
    Store *open = store_open_within(scratch_path("locked.db"), STORE_WRITE, SHORT_WAIT, &err);
    assert_non_null(open);
    sqlite3 *other = locked("locked.db", "BEGIN IMMEDIATE; DELETE FROM runs");
    assert_null(store_open_within(scratch_path("locked.db"), STORE_WRITE, SHORT_WAIT, &err));
    assert_locked(&err, "locked.db");
    json_t *file = made_file(&(Made){.seed = 5});
    err = (HdError){0};
    assert_false(store_add(open, file, NULL, &one, &err));
    assert_locked(&err, "locked.db");
    // Readers do not wait, and see what is there.
    Store *reader = store_open_within(scratch_path("locked.db"), STORE_READ, SHORT_WAIT, &err);
    assert_non_null(reader);
    assert_int_equal(number_of(reader, "SELECT count(*) FROM runs"), 2);
    store_close(reader);
    sqlite3_close(other); // the deletion with it
    assert_true(store_add(open, file, NULL, &one, &err));
    json_decref(file);
    store_close(open);
    assert_whole("locked.db", 3);
    other = locked("locked.db", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
                                "DELETE FROM runs");
    err = (HdError){0};
    assert_null(store_open_within(scratch_path("locked.db"), STORE_READ, SHORT_WAIT, &err));
    assert_locked(&err, "locked.db");
    sqlite3_close(other);
    // While another process makes the file a store.
    other = locked("new.db", "BEGIN EXCLUSIVE");
    err = (HdError){0};
    assert_null(store_open_within(scratch_path("new.db"), STORE_WRITE, SHORT_WAIT, &err));
    assert_locked(&err, "new.db");
    sqlite3_close(other);
    assert_whole("locked.db", 3);
}

// ---- room ----

static const Made large = {.seed = 9, .launches = 3, .padding = 400000};

static void add_large(FILE *out)
{
    HdError err = {0};
    StoreAdded one;
    json_t *file = made_file(&large);
    Store *store = store_open(used_path, STORE_WRITE, &err);
    if (store && store_add(store, file, NULL, &one, &err)) fputs("added\n", out);
    else fprintf(out, "%s\n", err.text + strlen(used_path));
    store_close(store);
    json_decref(file);
}

static void add_limited(FILE *out)
{
    enum { MOST = 200000 };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST, MOST});
    add_large(out);
    add_run(out); // a small one has room
}

static void test_file_limit(void **state)
{
    (void)state;
    make_store("limited.db");
    snprintf(used_path, sizeof used_path, "%s", scratch_path("limited.db"));
    assert_string_equal(in_child(false, add_limited),
                        ": reading or writing failed: expected a sound disk, and room below "
                        "`ulimit -f`; nothing of the result was kept\nadded\n");
    assert_whole("limited.db", 3);
    snprintf(used_path, sizeof used_path, "%s", scratch_path("limited-new.db"));
    assert_string_equal(in_child(false, add_limited),
                        ": reading or writing failed: expected a sound disk, and room below "
                        "`ulimit -f`; nothing of the result was kept\nadded\n");
    assert_whole("limited-new.db", 1);
}

// Adds a large run on a file system without room for it, in a name space of its own.
static void add_on_full_disk(FILE *out)
{
    char folder[200], filler[300];
    snprintf(folder, sizeof folder, "%s", scratch_path("full"));
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", folder, "tmpfs", 0, "size=400k") != 0) {
        fputs("not possible\n", out);
        return;
    }
    snprintf(used_path, sizeof used_path, "%s/store.db", folder);
    add_run(out);
    add_large(out);
    count_runs(out);
    // A disk that is full before the first run.
    snprintf(filler, sizeof filler, "%s/filler", folder);
    FILE *file = fopen(filler, "w");
    for (int i = 0; file && i < 400000; i++) fputc('x', file);
    if (file) fclose(file);
    snprintf(used_path, sizeof used_path, "%s/second.db", folder);
    add_run(out);
    unlink(filler);
    add_run(out);
    snprintf(used_path, sizeof used_path, "%s/store.db", folder);
    count_runs(out);
}

static void test_full_disk(void **state)
{
    (void)state;
    static const char full[] = ": the disk is full: expected room for the result; nothing of it "
                               "was kept\n";
    char expected[1024];
    assert_int_equal(mkdir(scratch_path("full"), 0755), 0);
    const char *text = in_child(false, add_on_full_disk);
    assert_int_equal(rmdir(scratch_path("full")), 0);
    if (strcmp(text, "not possible\n") == 0) {
        print_message("no file system can be mounted: no full disk tested\n");
        return;
    }
    snprintf(expected, sizeof expected, "added\n%s1 runs\n%sadded\n1 runs\n", full, full);
    assert_string_equal(text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foreign_files), cmocka_unit_test(test_empty_file),
        cmocka_unit_test(test_paths),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_rights),        cmocka_unit_test(test_locked),
        cmocka_unit_test(test_file_limit),    cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests_name("files of stores", tests, scratch_setup, scratch_teardown);
}
