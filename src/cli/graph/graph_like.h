// `heddle graph like`: the table of stand-ins.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_LIKE_H
#define HEDDLE_CLI_GRAPH_GRAPH_LIKE_H

#include <stdbool.h>

// Prints it as text or JSON. false: it could not be written.
bool graph_like_print(bool json);

#endif
