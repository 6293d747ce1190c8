// How much of its graph a search looks at.
#ifndef HEDDLE_CLI_RUN_GRAPH_WORK_H
#define HEDDLE_CLI_RUN_GRAPH_WORK_H

#include <stdbool.h>
#include <stdint.h>

// Warns on stderr if a search from vertex `source` has looked at less than 1 % of the graph's
// edges: its cycles say little of the graph. `largest`: it is the vertex of the greatest degree;
// else the warning suggests it.
void graph_work_warn(uint64_t looked, uint64_t edges, uint32_t source, bool largest);

#endif
