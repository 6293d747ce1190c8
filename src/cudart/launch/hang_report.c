// Reports launches that may hang, and decides whether the host could end them.
#include "cudart/launch/hang_report.h"

#include "base/team.h"
#include "cudart/memory/device_memory.h"
#include "cudart/modules/cuda_modules.h"
#include "cudart/process/ending_signals.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whether a thread of this process is the program's: the simulator's have a name of their own.
static bool is_program_thread(const char *task)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", task);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(name, sizeof name, file);
    if (file) fclose(file);
    name[strcspn(name, "\n")] = 0;
    return read && strcmp(name, TEAM_THREAD_NAME) != 0;
}

static bool has_other_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return true;
    bool others = false;
    for (struct dirent *task; !others && (task = readdir(tasks));)
        others = *task->d_name != '.' && strtol(task->d_name, NULL, 10) != gettid() &&
                 is_program_thread(task->d_name);
    closedir(tasks);
    return others;
}

bool hang_report(void *nothing, const LaunchHang *h)
{
    (void)nothing;
    bool polls = *h->polls;
    bool common = memory_any_of_host() || modules_have_managed();
    if (h->kind == HANG_ENDLESS && !(common && (has_other_threads() || signals_program_handles())))
        return false;
    const char *what = h->kind == HANG_ENDLESS
                           ? "its warps repeat the same steps, and only another thread or a signal "
                             "handler of the program could change the memory that they wait for"
                       : h->kind == HANG_QUIET ? "no memory has changed"
                                               : "no block has started or ended";
    progress_clear(&cudart_state()->progress);
    cudart_warn("%s may hang: for %" PRIu64 " %s %s (%" PRIu64 " of %" PRIu64 " blocks have ended "
                "in %" PRIu64 ")%s%s. Ctrl-C ends it%s. Some of its warps:\n%s",
                h->kernel, h->now - h->since, h->unit, what, h->blocks_done, h->blocks, h->now,
                polls ? ". It polls memory " : "", h->polls,
                h->timed ? ", --max-cycles N sets a limit" : "", h->warps);
    return true;
}
