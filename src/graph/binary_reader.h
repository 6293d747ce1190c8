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
    GraphBuild *build;
    HdError *err;
} BinaryReader;

BinaryReader binary_start(Input *in, GraphBuild *build);

// Reads `size` bytes. Fails if the file ends earlier; the message names `what`.
bool binary_read(BinaryReader *b, void *bytes, uint64_t size, const char *what);
// Skips `size` bytes; fails as binary_read does.
bool binary_skip(BinaryReader *b, uint64_t size, const char *what);
// Fails unless the file ends here.
bool binary_end(BinaryReader *b);

// Checks the numbers that a header announces, before memory is taken. If the file's size is known
// (a compressed file's is not), it is `needed` to `needed` + `slack` bytes. The arrays of the graph
// fit the budget.
bool binary_check_size(BinaryReader *b, uint64_t vertices, uint64_t edges, unsigned __int128 needed,
                       unsigned slack);

// An array of `count` elements of `size` bytes, of which `filled` are read. If the size of the file
// is known, it was checked, and the array gets its memory at once. Otherwise the array grows with
// the data, which may end long before the count that the header announces.
typedef struct BinaryArray {
    uint64_t count, filled;
    size_t size, capacity;
    const char *what; // for messages
} BinaryArray;

// Makes room for `more` elements behind the filled ones. *items is NULL at first; counted in the
// budget.
bool binary_reserve(BinaryReader *b, BinaryArray *array, void *items, uint64_t more);
// Reads the elements up to `count`.
bool binary_array(BinaryReader *b, BinaryArray *array, void *items);

// Fails unless row offsets start at 0, never decrease, and end at the number of edges.
bool binary_check_rows(const BinaryReader *b, const HdGraph *graph);
// Fails unless each edge's head is a vertex of `graph`.
bool binary_check_columns(const BinaryReader *b, const HdGraph *graph);

#endif
