// Tests of several heddle compares in one folder: each variant runs once, no complete result is
// removed, and all print the same table.
#include "command.h"
#include "results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPARE "compare bfs --graph rmat:12,8 --jobs 1 --mechanism none --mechanism mat"
#define MARK 7 // the cycles of a result that no run has

static void path_of(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", command_folder(), name);
}

static json_int_t cycles_of(const char *name)
{
    json_t *whole = result_value(name);
    json_int_t cycles =
        json_integer_value(json_object_get(json_object_get(whole, "result"), "cycles"));
    json_decref(whole);
    return cycles;
}

// Writes a complete result of `mat`, marked.
static void write_marked(void)
{
    json_t *whole = result_value("whole/mat.json");
    json_object_set_new(json_object_get(whole, "result"), "cycles", json_integer(MARK));
    write_result("marked.json", whole);
    json_decref(whole);
}

// Gives it the name of the variant's result, at once.
static void complete(const char *name)
{
    char from[256], to[256];
    path_of("marked.json", from);
    path_of(name, to);
    assert_int_equal(rename(from, to), 0);
}

static int make_whole(void **state)
{
    (void)state;
    const Command *c = heddle(COMPARE " --keep $T/whole");
    if (c->status) fail_msg("%d: %s", c->status, c->err);
    return 0;
}

// A result that another comparison completes meanwhile is taken, and not removed.
static void test_completed_meanwhile(void **state)
{
    (void)state;
    write_marked();
    pid_t process = heddle_start(COMPARE " --keep $T/meanwhile", "one");
    wait_for_text("meanwhile/none.err", ""); // the first variant runs
    complete("meanwhile/mat.json");
    const Command *c = heddle_wait(process, "one");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "heddle: note: 1 of 2 runs done: none\n"
                                "heddle: note: 2 of 2 runs done: mat\n");
    assert_int_equal(cycles_of("meanwhile/mat.json"), MARK);
    assert_non_null(strstr(c->out, "\nmat                    7 "));
}

// Locks the variant `mat` of the folder as another comparison does. Close the descriptor to end it.
static int lock_mat(const char *folder, char path[256])
{
    char name[64];
    path_of(folder, path);
    mkdir(path, 0777);
    snprintf(name, sizeof name, "%s/mat.json", folder);
    path_of(name, path);
    unlink(path);
    snprintf(name, sizeof name, "%s/mat.err", folder);
    path_of(name, path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    return fd;
}

// A variant that another comparison runs is waited for. If that one is killed, it is run here.
static void test_waits(void **state)
{
    (void)state;
    for (int killed = 0; killed < 2; killed++) {
        char path[256], expected[512];
        write_marked();
        int fd = lock_mat("waits", path);
        pid_t process = heddle_start(COMPARE " --keep $T/waits", "one");
        snprintf(expected, sizeof expected, "%sheddle: note: waiting for another heddle compare in "
                 "%s/waits, which runs mat\n",
                 killed ? "" : "heddle: note: 1 of 2 runs done: none\n", command_folder());
        wait_for_text("one.err", expected);
        if (!killed) complete("waits/mat.json");
        close(fd);
        const Command *c = heddle_wait(process, "one");
        assert_int_equal(c->status, 0);
        strcat(expected, "heddle: note: 2 of 2 runs done: mat\n");
        assert_string_equal(c->err, expected);
        assert_int_equal(cycles_of("waits/mat.json"), killed ? cycles_of("whole/mat.json") : MARK);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

// A signal ends the wait.
static void test_wait_ends(void **state)
{
    (void)state;
    char path[256];
    int fd = lock_mat("ends", path);
    pid_t process = heddle_start(COMPARE " --keep $T/ends", "one");
    wait_for_text("one.err", "waiting for another heddle compare in ");
    kill(process, SIGTERM);
    const Command *c = heddle_wait(process, "one");
    assert_int_equal(c->status, 128 + SIGTERM);
    assert_non_null(strstr(c->out, "\nnone "));
    assert_non_null(strstr(c->out, "\nInterrupted: 1 of 2 variants are shown.\n"));
    assert_int_equal(access(path, F_OK), 0); // the other one's
    close(fd);
}

#define FOUR COMPARE " --mechanism obm --mechanism slru"

// Returns the table without its last line, which names the folder.
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
    char *alone = table_of(heddle(FOUR " --keep $T/alone"));
    pid_t a = heddle_start(FOUR " --keep $T/both", "a");
    pid_t b = heddle_start(FOUR " --keep $T/both", "b");
    char *first = table_of(heddle_wait(a, "a")), *second = table_of(heddle_wait(b, "b"));
    assert_string_equal(first, alone);
    assert_string_equal(second, alone);
    free(first);
    free(second);
    // One is killed, as a rule in its first run; the other one runs what is not complete.
    a = heddle_start(FOUR " --keep $T/killed", "a");
    wait_for_text("killed/none.err", "");
    b = heddle_start(FOUR " --keep $T/killed", "b");
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
    c = heddle(FOUR " --keep $T/killed");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
}

// Each keeps what the other has recorded of its shared objects, so that no variant runs again.
static void test_objects(void **state)
{
    (void)state;
    char line[1024];
#define ONE "compare bfs --graph rmat:12,8 --jobs 1 --keep $T/objects --mechanism none "
    snprintf(line, sizeof line, "cp '%s' '%s/c.so'", getenv("HEDDLE_COUNTING"), command_folder());
    assert_int_equal(system(line), 0);
    pid_t a = heddle_start(ONE "--mechanism $T/c.so:weight=2", "a");
    wait_for_text("objects/none.err", "");
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
    return cmocka_run_group_tests_name("comparisons in one folder", tests, make_whole, NULL);
}
