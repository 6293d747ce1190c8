// Names of a run's output files. A file whose modification time is before the run's start belongs
// to another run and is overwritten.
#include "cudart/process/output_files.h"

#include "base/memory.h"
#include "cudart/runtime/process_context.h"

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
    clock_gettime(CLOCK_REALTIME_COARSE, &now); // the clock of file times
    return now;
}

static bool of_this_run(const char *path, const struct timespec *begun)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false; // a pipe takes several outputs
    return st.st_mtim.tv_sec != begun->tv_sec ? st.st_mtim.tv_sec > begun->tv_sec
                                              : st.st_mtim.tv_nsec > begun->tv_nsec;
}

// Replaces each %p by the process ID. The caller frees the result; NULL: out of memory.
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

// Writes the name of output `number`: "run.2.json" for the second "run.json".
static void put_number(char *name, const char *path, unsigned number)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    size_t stem = dot && dot != file ? (size_t)(dot - path) : strlen(path);
    sprintf(name, "%.*s.%u%s", (int)stem, path, number, path + stem);
}

// Opens and locks the file's folder, so that processes of a run choose names one after the other.
// Some file systems have no locks: there, two processes that end at the same time could choose the
// same name.
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
        cudart_warn("an earlier program of this run has written %s: writing to %s", path,
                    name);
    free(path);
    output->path = name;
    return true;
}

void output_file_end(OutputFile *output)
{
    if (output->folder_lock >= 0) close(output->folder_lock);
    free(output->path);
}
