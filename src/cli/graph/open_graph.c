// Opens a graph, and shows how that proceeds.
#include "cli/graph/open_graph.h"

#include "base/host_time.h"
#include "cli/common/messages.h"
#include "report/progress.h"

#include <unistd.h>

static void show_progress(void *line, const char *what, uint64_t done, uint64_t total)
{
    progress_share(line, what, done, total);
}

static void show_note(void *line, const char *text)
{
    progress_clear(line);
    cli_note("%s", text);
}

HdGraph *open_graph_shown(const char *graph, const HdGraphOptions *changes, HdError *err)
{
    ProgressLine line = {.last_shown = host_seconds()};
    HdGraphOptions options = *changes;
    options.user = &line;
    options.note = show_note;
    if (isatty(STDERR_FILENO)) options.progress = show_progress;
    HdGraph *opened = hd_graph_open(graph, &options, err);
    progress_clear(&line);
    return opened;
}
