// Starts heddle as a process and collects its output.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void remove_folder(void)
{
    char line[96];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    if (system(line) != 0) fprintf(stderr, "%s could not be removed\n", folder);
}

bool sanitized(void)
{
    const char *set = getenv("HEDDLE_SANITIZED");
    return set && *set;
}

const char *command_folder(void)
{
    if (!*folder) {
        strcpy(folder, "/tmp/heddle-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

static void path_in_folder(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", command_folder(), name);
}

// Opens a file in the folder as the child's output stream.
static void redirect(const char *name, int stream)
{
    char path[256];
    path_in_folder(name, path, sizeof path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, stream) < 0) _exit(99);
    close(fd);
}

enum { MOST_WORDS = 40, WORD_TEXT = 512 };

// Splits a line into words and replaces "$T"; NULL-terminated.
static void split(const char *line, char words[MOST_WORDS][WORD_TEXT], char *argv[MOST_WORDS + 1])
{
    int count = 0;
    while (*line && count < MOST_WORDS) {
        size_t length = strcspn(line, " "), used = 0;
        char *word = words[count];
        for (size_t i = 0; i < length && used + 64 < WORD_TEXT; i++) {
            if (line[i] == '$' && i + 1 < length && line[i + 1] == 'T') {
                used += (size_t)sprintf(word + used, "%s", command_folder());
                i++;
            } else {
                word[used++] = line[i];
            }
        }
        word[used] = 0;
        if (used) argv[count++] = word;
        line += length;
        line += strspn(line, " ");
    }
    argv[count] = NULL;
}

static void slurp(const char *name, char text[OUTPUT_TEXT])
{
    char path[256];
    path_in_folder(name, path, sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, OUTPUT_TEXT - 1, file)] = 0;
    fclose(file);
}

// Starts heddle with output to two files of the folder, and returns its process id.
static pid_t start(const char *line, size_t most_bytes, const char *out, const char *err)
{
    static char words[MOST_WORDS][WORD_TEXT];
    char *argv[MOST_WORDS + 2] = {getenv("HEDDLE")};
    assert_non_null(argv[0]);
    split(line, words, argv + 1);
    command_folder();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) return child;
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (most_bytes) setrlimit(RLIMIT_FSIZE, &(struct rlimit){most_bytes, most_bytes});
    execv(argv[0], argv);
    _exit(99);
}

static const Command *wait_for(pid_t child, const char *out, const char *err)
{
    static Command command;
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    command.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    slurp(out, command.out);
    slurp(err, command.err);
    return &command;
}

enum { STREAM_NAME = 64 };

pid_t heddle_start(const char *line, const char *name)
{
    char out[STREAM_NAME], err[STREAM_NAME];
    snprintf(out, sizeof out, "%s.out", name);
    snprintf(err, sizeof err, "%s.err", name);
    write_text(err, ""); // nothing of an earlier process
    return start(line, 0, out, err);
}

const Command *heddle_wait(pid_t process, const char *name)
{
    char out[STREAM_NAME], err[STREAM_NAME];
    snprintf(out, sizeof out, "%s.out", name);
    snprintf(err, sizeof err, "%s.err", name);
    return wait_for(process, out, err);
}

void wait_for_text(const char *name, const char *part)
{
    static char text[OUTPUT_TEXT];
    char path[256];
    path_in_folder(name, path, sizeof path);
    for (int i = 0; i < 6000; i++) {
        if (access(path, R_OK) == 0) {
            slurp(name, text);
            if (strstr(text, part)) return;
        }
        usleep(10000);
    }
    fail_msg("%s does not get '%s', but '%s'", name, part, text);
}

const Command *heddle_limited(const char *line, size_t most_bytes)
{
    return wait_for(start(line, most_bytes, "stdout", "stderr"), "stdout", "stderr");
}

const Command *heddle(const char *line)
{
    return heddle_limited(line, 0);
}

// Whether the process catches the signal.
static bool catches(pid_t process, int number)
{
    char path[64], row[256];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(row, sizeof row, file)) sscanf(row, "SigCgt: %llx", &mask);
    fclose(file);
    return mask >> (number - 1) & 1;
}

const Command *heddle_signalled(const char *line, const int *signals, size_t count)
{
    pid_t child = start(line, 0, "stdout", "stderr");
    // The process catches signals once its simulation has started.
    while (!catches(child, signals[0]) && waitpid(child, NULL, WNOHANG) == 0) usleep(1000);
    kill(child, SIGSTOP); // so that all signals arrive at once
    for (size_t i = 0; i < count; i++) kill(child, signals[i]);
    kill(child, SIGCONT);
    return wait_for(child, "stdout", "stderr");
}

void write_bytes(const char *name, const void *bytes, size_t size)
{
    char path[256];
    path_in_folder(name, path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

void with_settings(const char *yaml, void (*check)(const char *), const char *part)
{
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    write_text("heddle.yaml", yaml);
    assert_int_equal(chdir(command_folder()), 0);
    check(part);
    assert_int_equal(unlink("heddle.yaml"), 0);
    assert_int_equal(chdir(before), 0);
}

char *read_text(const char *name)
{
    char path[256];
    path_in_folder(name, path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    size_t size = 0, room = 1 << 24;
    char *text = malloc(room);
    assert_non_null(text);
    size = fread(text, 1, room - 1, file);
    text[size] = 0;
    fclose(file);
    return text;
}

json_t *result_value(const char *name)
{
    char path[256];
    json_error_t error;
    path_in_folder(name, path, sizeof path);
    json_t *value = json_load_file(path, 0, &error);
    if (!value) fail_msg("%s:%d: %s", path, error.line, error.text);
    return value;
}

char *result_text(const char *name)
{
    json_t *value = result_value(name);
    char *text = json_dumps(json_object_get(value, "result"), JSON_COMPACT);
    json_decref(value);
    assert_non_null(text);
    return text;
}

const char *small_sizes(const char *workload)
{
    static char options[256];
    static const char heading[] = "\nsmall run: ";
    char line[64];
    snprintf(line, sizeof line, "workload %s", workload);
    const Command *c = heddle(line);
    const char *start = c->status ? NULL : strstr(c->out, heading);
    if (!start) return NULL;
    start += strlen(heading);
    snprintf(options, sizeof options, "%.*s", (int)strcspn(start, "\n"), start);
    return options;
}

void assert_refused(const char *line, const char *part)
{
    const Command *c = heddle(line);
    const char *first = strstr(c->err, "heddle: ");
    bool once = first == c->err && !strstr(first + 1, "heddle: ");
    if (c->status != 2 || !once || !strstr(c->err, part) || *c->out)
        fail_msg("heddle %s: expected status 2 and a message with '%s'; got %d, '%s', and on "
                 "stdout '%.200s'",
                 line, part, c->status, c->err, c->out);
}
