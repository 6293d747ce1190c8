// Names of the files that a run leaves. What a file's time says is older than the run is another
// run's, and is replaced.
#include "cudart/process/output_files.h"

#include "base/memory.h"
#include "cudart/runtime/context.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NUMBER = 9999, NUMBER_ROOM = 24 };

struct timespec run_begin_time(void)
{
    const char *text = getenv(SETTINGS_RUN);
    char *end = NULL;
    long long seconds = text ? strtoll(text, &end, 10) : 0;
    if (end && end != text && *end == '.') return (struct timespec){seconds, atol(end + 1)};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now); // the clock of files
    return now;
}

static bool of_this_run(const char *path, const struct timespec *begun)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false; // a pipe takes them all
    return st.st_mtim.tv_sec != begun->tv_sec ? st.st_mtim.tv_sec > begun->tv_sec
                                              : st.st_mtim.tv_nsec > begun->tv_nsec;
}

// With the process's number for each %p.
static char *expand(const char *asked)
{
    size_t room = strlen(asked) + 1;
    for (const char *at = asked; (at = strstr(at, "%p")); at += 2) room += NUMBER_ROOM;
    char *path = hd_new(room, 1);
    for (char *to = path; path && *asked;) {
        if (strncmp(asked, "%p", 2)) {
            *to++ = *asked++;
            continue;
        }
        to += snprintf(to, NUMBER_ROOM, "%ld", (long)getpid());
        asked += 2;
    }
    return path;
}

// "run.2.json" for the second "run.json".
static void put_number(char *name, const char *path, unsigned number)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    size_t stem = dot && dot != file ? (size_t)(dot - path) : strlen(path);
    sprintf(name, "%.*s.%u%s", (int)stem, path, number, path + stem);
}

// The file's folder, locked: processes of a run look for a name one behind the other. Without the
// lock (some file systems have none) two that end at the same moment could find the same one.
static int lock_folder(const char *path)
{
    enum { TRIES = 100, PAUSE = 20000 };
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    for (int i = 0; lock >= 0 && i < TRIES && flock(lock, LOCK_EX | LOCK_NB) != 0; i++)
        usleep(PAUSE);
    return lock;
}

bool output_file_begin(OutputFile *output, const char *asked, const struct timespec *begun,
                       HdError *err)
{
    char *path = expand(asked), *name = path ? hd_new(strlen(path) + NUMBER_ROOM, 1) : NULL;
    if (!name) {
        free(path);
        return hd_fail_memory(err, "writing a file");
    }
    output->folder_lock = lock_folder(path);
    strcpy(name, path);
    unsigned number = 1;
    while (number < MOST_NUMBER && of_this_run(name, begun)) put_number(name, path, ++number);
    if (number > 1)
        cudart_warn("%s is there from a program that ended earlier in this run; this one's is %s",
                   path, name);
    free(path);
    output->path = name;
    return true;
}

void output_file_end(OutputFile *output)
{
    if (output->folder_lock >= 0) close(output->folder_lock);
    free(output->path);
}
