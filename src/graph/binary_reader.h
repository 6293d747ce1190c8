// Internal to the graph layer: reads binary files of known structure. Messages give the byte at
// which a file is damaged. Content is checked before it is used.
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

// Opens a file. The caller must call binary_close, also on failure.
bool binary_open(BinaryReader *b, const char *path, HdError *err);
void binary_close(BinaryReader *b);

// Reads `size` bytes. Fails if the file ends earlier; the message names `what`.
bool binary_read(BinaryReader *b, void *bytes, uint64_t size, const char *what);
// Skips `size` bytes; fails as binary_read does.
bool binary_skip(BinaryReader *b, uint64_t size, const char *what);
// Fails unless the file ends here.
bool binary_end(BinaryReader *b);

// Fails if the file size is not between `needed` and `needed` + `slack` bytes. Called before memory
// is allocated for `vertices` and `edges`. Passes if the size is unknown, as for a compressed file.
bool binary_check_size(BinaryReader *b, uint64_t vertices, uint64_t edges, unsigned __int128 needed,
                       unsigned slack);
// Fails unless row offsets start at 0, never decrease, and end at the number of edges.
bool binary_check_rows(const BinaryReader *b, const HdGraph *graph);
// Fails unless each edge's head is a vertex of `graph`.
bool binary_check_columns(const BinaryReader *b, const HdGraph *graph);

#endif
