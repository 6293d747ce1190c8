// Shows the progress of a launch.
#include "report/progress.h"

#include "base/host_time.h"
#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>

void progress_update(ProgressLine *line, double delay, uint64_t launch, uint64_t cycle,
                   uint64_t done, uint64_t blocks)
{
    double now = host_seconds();
    bool again = launch == line->launch; // else there is no rate yet
    double passed = now - (line->last_shown > line->first_update ? line->last_shown
                                                               : line->first_update);
    if (!again) {
        line->launch = launch;
        line->first_update = now;
        line->first_blocks = done;
        line->last_cycle = cycle;
    }
    if (now - line->first_update < delay) return;
    char cycles[NUMBER_TEXT];
    fprintf(stderr, "\rlaunch %" PRIu64 ": cycle %s, %" PRIu64 " of %" PRIu64 " blocks", launch,
            format_count(cycle, cycles), done, blocks);
    if (again && passed > 0)
        fprintf(stderr, ", %.0f cycles per second", (double)(cycle - line->last_cycle) / passed);
    if (again && done > line->first_blocks)
        fprintf(stderr, ", about %.0f s left of it",
                (now - line->first_update) * (double)(blocks - done) /
                    (double)(done - line->first_blocks));
    fputs("\033[K", stderr);
    line->last_shown = now;
    line->last_cycle = cycle;
    line->shown = true;
}

void progress_share(ProgressLine *line, const char *what, uint64_t done, uint64_t total)
{
    double now = host_seconds();
    if (now - line->last_shown < 0.2 || total == 0) return;
    line->last_shown = now;
    line->shown = true;
    fprintf(stderr, "\r%s: %3.0f %%\033[K", what, 100 * ratio(done, total));
}

void progress_clear(ProgressLine *line)
{
    if (line->shown) fputs("\r\033[K", stderr);
    line->shown = false;
}
