// How much of its graph a search looks at.
#include "cli/run/graph_work.h"

#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>

void graph_work_warn(uint64_t looked, uint64_t edges, uint32_t source, bool largest)
{
    char some[NUMBER_TEXT], all[NUMBER_TEXT];
    if (looked >= edges / 100 + (edges % 100 != 0)) return;
    fprintf(stderr, "heddle: warning: the search from vertex %" PRIu32 " looks at %s of %s edges, "
                    "less than 1 %% of the graph%s\n", source, format_count(looked, some),
            format_count(edges, all),
            largest ? "" : "; --source largest starts at the vertex of the greatest degree");
}
