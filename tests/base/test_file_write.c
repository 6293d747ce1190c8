// Output files: modes, links, pipes, and what killed processes leave.
#include "base/file.h"
#include "support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void must_write(const char *path, const char *text)
{
    HdError err = {0};
    if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.text);
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void modes_are_kept(void **state)
{
    (void)state;
    static const struct {
        unsigned umask, old, expected; // old: the mode of an existing file; 0: none
    } rows[] = {{022, 0, 0644}, {077, 0, 0600}, {0, 0, 0666}, {0277, 0, 0400},
                {077, 0664, 0664}, {022, 0600, 0600}, {022, 0755, 0755}, {022, 0444, 0444}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = scratch_path("mode");
        if (rows[i].old) {
            scratch_text("mode", "old");
            chmod(path, rows[i].old);
        }
        mode_t before = umask(rows[i].umask);
        must_write(path, "new");
        umask(before);
        assert_int_equal(mode_of(path), rows[i].expected);
        scratch_holds(path, "new");
        unlink(path);
    }
}

static void links_stay(void **state)
{
    (void)state;
    const char *file = scratch_text("file", "old"), *link = scratch_path("link");
    assert_int_equal(symlink("file", link), 0); // relative to the folder of the link
    assert_int_equal(symlink(link, scratch_path("second")), 0);
    must_write(scratch_path("second"), "new");
    scratch_holds(file, "new");
    char text[16] = "";
    assert_int_equal(readlink(link, text, sizeof text), 4);
    assert_int_equal(symlink("to-come", scratch_path("dangling")), 0);
    must_write(scratch_path("dangling"), "made");
    scratch_holds(scratch_path("to-come"), "made");
    const char *loop = scratch_path("loop");
    char expected[256];
    HdError err = {0};
    assert_int_equal(symlink("loop", loop), 0);
    assert_false(file_write(loop, "x", 1, &err));
    snprintf(expected, sizeof expected, "%s: cannot be written: Too many levels of symbolic links",
             loop);
    assert_string_equal(err.text, expected);
    assert_false(file_check_writable(loop, &err));
    assert_string_equal(err.text, expected);
}

static void a_name_too_long_is_found_before_the_run(void **state)
{
    (void)state;
    char name[300] = "", expected[512];
    HdError err = {0};
    memset(name, 'n', sizeof name - 1);
    snprintf(expected, sizeof expected, "%s: cannot be written: File name too long", name);
    assert_false(file_check_writable(name, &err));
    assert_string_equal(err.text, expected);
}

static void *read_pipe(void *path)
{
    static char text[16];
    int fd = open(path, O_RDONLY);
    ssize_t got = read(fd, text, sizeof text - 1);
    text[got > 0 ? got : 0] = 0;
    close(fd);
    return text;
}

static void a_named_pipe_stays(void **state)
{
    (void)state;
    const char *path = scratch_path("pipe");
    pthread_t reader;
    void *text;
    struct stat st;
    HdError err = {0};
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(file_check_writable(path, &err)); // does not wait for a reader
    assert_int_equal(pthread_create(&reader, NULL, read_pipe, (void *)path), 0);
    must_write(path, "through");
    pthread_join(reader, &text);
    assert_string_equal(text, "through");
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
}

static void note_signal(int number) { (void)number; }

static void a_signal_ends_the_wait_for_a_reader(void **state)
{
    (void)state;
    const char *path = scratch_path("waiting");
    struct sigaction handled = {.sa_handler = note_signal, .sa_flags = SA_RESTART}, before;
    struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0}, {0}};
    char expected[256];
    HdError err = {0};
    snprintf(expected, sizeof expected, "%s: cannot be written: Interrupted system call", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(sigaction(SIGALRM, &handled, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    assert_false(file_write(path, "x", 1, &err));
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    assert_string_equal(err.text, expected);
}

// The file of a descriptor is continued: it has other output of this process, which may go on.
static void a_descriptor_is_continued(void **state)
{
    (void)state;
    char path[64];
    int fd = open(scratch_text("open", ""), O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, "one ", 4), 4);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    must_write(path, "two ");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    must_write(path, "three");
    assert_int_equal(write(fd, " four", 5), 5);
    close(fd);
    scratch_holds(scratch_path("open"), "one two three four");
    HdError err = {0};
    assert_false(file_write(path, "x", 1, &err));
    assert_non_null(strstr(err.text, ": cannot be written: Bad file descriptor"));
}

// Fails for `reason` though the signal for it has its default action, which ends a process.
static void expect_error(const char *path, size_t size, const char *reason)
{
    char *bytes = calloc(size, 1), expected[256];
    HdError err = {0};
    snprintf(expected, sizeof expected, "%s: cannot be written: %s", path, reason);
    assert_false(file_write(path, bytes, size, &err));
    free(bytes);
    assert_string_equal(err.text, expected);
}

static void limits_are_errors_and_no_signals(void **state)
{
    (void)state;
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    int before = scratch_count(), ends[2];
    small = limit;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    expect_error(scratch_path("limited"), 65536, "File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(scratch_count(), before);
    char path[64];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    expect_error(path, 1, "Broken pipe");
    close(ends[1]);
    sigset_t pending;
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGXFSZ), 0);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
}

// Two names of temporary files, one of them locked as by a running process; and other names.
static void what_killed_processes_left_is_removed(void **state)
{
    (void)state;
    static const char *const kept[] = {".heddle-writing-0123456789abcde",
                                       ".heddle-writing-0123456789abcdef0", "heddle-writing"};
    static const char left[] = ".heddle-writing-0123456789abcdef",
                      running[] = ".heddle-writing-fedcba9876543210";
    scratch_text(left, "a part");
    int fd = open(scratch_text(running, "a part"), O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) scratch_text(kept[i], "");
    must_write(scratch_path("next"), "whole");
    assert_int_equal(access(scratch_path(left), F_OK), -1);
    assert_int_equal(access(scratch_path(running), F_OK), 0);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_int_equal(access(scratch_path(kept[i]), F_OK), 0);
    close(fd);
    must_write(scratch_path("next"), "whole");
    assert_int_equal(access(scratch_path(running), F_OK), -1);
}

// A process that writes over and over is killed: the file is whole, and its next writer tidies up.
static void a_killed_writer_leaves_a_whole_file(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20, KILLS = 20 };
    const char *path = scratch_path("killed");
    char *bytes = malloc(SIZE);
    assert_non_null(bytes);
    memset(bytes, 'x', SIZE);
    HdError err = {0};
    assert_true(file_write(path, bytes, SIZE, &err));
    int before = scratch_count();
    for (unsigned i = 0; i < KILLS; i++) {
        pid_t writer = fork();
        if (writer == 0)
            for (;;) file_write(path, bytes, SIZE, &err);
        usleep(1000 + 700 * i);
        kill(writer, SIGKILL);
        assert_int_equal(waitpid(writer, NULL, 0), writer);
        size_t size;
        char *text = file_read(path, &size, &err);
        assert_non_null(text);
        assert_int_equal(size, SIZE);
        free(text);
    }
    assert_true(file_write(path, bytes, SIZE, &err));
    assert_int_equal(scratch_count(), before);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_kept),
        cmocka_unit_test(links_stay),
        cmocka_unit_test(a_name_too_long_is_found_before_the_run),
        cmocka_unit_test(a_named_pipe_stays),
        cmocka_unit_test(a_signal_ends_the_wait_for_a_reader),
        cmocka_unit_test(a_descriptor_is_continued),
        cmocka_unit_test(limits_are_errors_and_no_signals),
        cmocka_unit_test(what_killed_processes_left_is_removed),
        cmocka_unit_test(a_killed_writer_leaves_a_whole_file),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
