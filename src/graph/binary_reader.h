// Inside the graph layer: reading binary files of known structure, whose messages say at which byte
// they are damaged, and checking what was read before it is used.
#ifndef HEDDLE_GRAPH_BINARY_READER_H
#define HEDDLE_GRAPH_BINARY_READER_H

#include "base/input.h"
#include "graph/graph_internal.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays lie in files as in memory");

typedef struct BinaryReader {
    const char *path;
    Input *in;
    HdError *err;
} BinaryReader;

// On failure, too, to be closed.
bool binary_open(BinaryReader *b, const char *path, HdError *err);
void binary_close(BinaryReader *b);

// Reads `size` bytes; an end before them is an error that names `what` was to come.
bool binary_read(BinaryReader *b, void *bytes, uint64_t size, const char *what);
// The same, with the bytes thrown away.
bool binary_skip(BinaryReader *b, uint64_t size, const char *what);
// Fails unless the file ends here.
bool binary_end(BinaryReader *b);

// Whether a file of so many vertices and edges has `needed` bytes in all, where that can be known
// without reading it: asked before memory for them is. `slack`: it may have so many more.
bool binary_check_size(BinaryReader *b, uint64_t vertices, uint64_t edges, unsigned __int128 needed,
                       unsigned slack);
// Whether the offsets of `graph` are those of rows that lie one behind the other, and its edges
// lead to vertices that it has.
bool binary_check_rows(const BinaryReader *b, const HdGraph *graph);
bool binary_check_columns(const BinaryReader *b, const HdGraph *graph);

#endif
