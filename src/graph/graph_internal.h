// Internal to the graph layer: how readers and generators pass edges to the CSR builder.
#ifndef HEDDLE_GRAPH_GRAPH_INTERNAL_H
#define HEDDLE_GRAPH_GRAPH_INTERNAL_H

#include "base/budget.h"
#include "base/input.h"
#include "heddle/graph.h"

#include <stddef.h>

// What all steps that make one graph share.
typedef struct GraphBuild {
    const HdGraphOptions *options; // may be NULL
    const char *format;            // of the file, as --format names it; NULL: not known yet
    MemoryBudget memory;           // what the steps may take in all
    HdError *err;
} GraphBuild;

// `task` is the file or the spec, for messages; both must outlive the build.
GraphBuild build_start(const HdGraphOptions *options, const char *task, HdError *err);
// For work on a graph that is there: bounded by its size, so without another limit.
GraphBuild build_unlimited(HdError *err);
// Counted memory, as budget_new and budget_free give and take it.
static inline void *build_new(GraphBuild *build, uint64_t count, size_t size, const char *what)
{
    return budget_new(&build->memory, count, size, what);
}
static inline void build_free(GraphBuild *build, void *pointer)
{
    budget_free(&build->memory, pointer);
}
// Frees a graph of this build, whose memory counts; NULL is allowed.
void build_drop(GraphBuild *build, HdGraph *graph);
// Checks that a graph of this size fits into what is left, before work begins. `edges` may be an
// estimate.
bool build_check_graph(GraphBuild *build, uint64_t vertices, double edges);

// A directed edge, as passed to the builder. `weight` holds the bits of an int32_t or a float.
typedef struct Arc {
    uint32_t from, to, weight;
} Arc;

enum { ARC_BATCH = 1024 };

// The end of a batch of at most `steps` steps from `cursor`.
static inline uint64_t batch_end(uint64_t cursor, uint64_t last, uint64_t steps)
{
    return last - cursor < steps ? last : cursor + steps;
}

// A sequence of arcs that the builder reads twice, to count and to place, so that a generated graph
// needs no edge list. The first arcs are kept, and read once.
typedef struct ArcStream {
    // Writes up to ARC_BATCH arcs, advances *cursor, and returns their number. The cursor starts at
    // 0; the stream defines its meaning. Returns 0 only at the end, when *cursor == last.
    size_t (*next)(const void *source, uint64_t *cursor, Arc *arcs);
    const void *source;
    uint64_t last;    // the cursor's final value
    uint64_t edges;   // number of arcs, or 0 if unknown. If known, memory is allocated before
                      // counting, so that a graph too large fails at once
    double expected;  // about how many arcs, where `edges` is unknown
    const char *what; // step name for progress, such as "generating"
} ArcStream;

// The result of a text reader. Zero-initialise; free with edge_list_free.
typedef struct EdgeList {
    uint32_t vertices;
    bool mirrored; // each edge, except self loops, is listed once for both directions
    HdWeightKind weight_kind;
    HdEdge *edges;
    uint32_t *weights; // the bits of each weight, or NULL
    uint64_t *ids;     // the id of each vertex in the file; NULL: the number of the vertex
    HdSecondIds second;
    HdNames names;
    size_t count;
    size_t edges_capacity, weights_capacity;
} EdgeList;

void edge_list_free(EdgeList *list, GraphBuild *build);
// Appends an edge. `weight` is ignored if the list has no weights.
static inline bool edge_list_add(EdgeList *list, HdEdge edge, uint32_t weight, GraphBuild *build)
{
    if (!BUDGET_RESERVE(&build->memory, list->edges, list->count, list->edges_capacity,
                        "the edges"))
        return false;
    if (list->weight_kind != HD_WEIGHTS_NONE) {
        if (!BUDGET_RESERVE(&build->memory, list->weights, list->count, list->weights_capacity,
                            "the weights"))
            return false;
        list->weights[list->count] = weight;
    }
    list->edges[list->count++] = edge;
    return true;
}

// A weight as a text has it. HD_WEIGHTS_NONE: the edge has none.
typedef struct EdgeWeight {
    HdWeightKind kind;
    uint32_t bits;
} EdgeWeight;

// Reads a number as a weight: an integer of 32 bits, or a finite float if it has a point or an
// exponent. Returns false if the whole text is no such number.
enum { EDGE_WEIGHT_TEXT = 64 }; // bytes of the longest text and a zero
bool edge_weight_read(const char *text, size_t length, EdgeWeight *weight);
// Gives the first `count` weights of a list and a further one, none of which is missing, one kind:
// all become reals if one is real.
void edge_list_match_kinds(EdgeList *list, size_t count, EdgeWeight *weight);

// Appends an edge to a list in which directed and undirected edges, and integer and real weights,
// may be mixed: the first real weight makes all of them real. If some edges have a weight, the
// others have 1.
bool edge_list_add_mixed(EdgeList *list, HdEdge edge, bool undirected, EdgeWeight weight,
                         GraphBuild *build);

// Creates a graph with zeroed offsets and no edges.
HdGraph *graph_new(uint32_t vertices, GraphBuild *build);
// Allocates the zeroed edge arrays. On failure the graph may only be freed.
bool graph_allocate_edges(HdGraph *graph, uint64_t edges, HdWeightKind weights, GraphBuild *build);
// Creates a graph without any array, whose reader adds them as the file gives them, and then calls
// graph_add_row32.
HdGraph *graph_new_empty(uint32_t vertices, GraphBuild *build);
bool graph_add_row32(HdGraph *graph, GraphBuild *build);
// Elements for which such arrays have room while they grow.
typedef struct ArrayRoom { size_t rows, columns, weights; } ArrayRoom;
// Gives them their final sizes (at least one element each), with integer weights or none, and adds
// row32. false: a failure is in the build's error.
bool graph_end_growth(HdGraph *graph, ArrayRoom *room, uint64_t edges, bool weighted,
                      GraphBuild *build);
// The array of integer or real weights, or NULL.
void *graph_weights(const HdGraph *graph);
// Computes row32 and the hash. Call after the arrays are filled.
void graph_finish(HdGraph *graph);
// Sets the name: truncates it and replaces non-printable and non-ASCII bytes by '_', so that any
// file and message can contain it.
void graph_set_name(HdGraph *graph, const char *name);

// The two halves of a counting sort. counts_to_offsets takes v's count in counts[v + 1] and leaves
// v's start in counts[v]. Placing advances each start to its end; offsets_rewind restores the
// starts.
void counts_to_offsets(uint64_t *counts, uint32_t vertices);
void offsets_rewind(uint64_t *offsets, uint32_t vertices);

// Replaces the arrays of `graph` by those of `made`. Keeps the name, `directed` and `dropped` of
// `graph`. Frees `made` and the old arrays.
void graph_replace(HdGraph *graph, HdGraph *made, GraphBuild *build);
// Reduces `graph` to the vertices old_of_new[0..vertices - 1], numbered in that order. Their edges
// must lead only to each other. new_of_old is the inverse map.
bool graph_renumber(HdGraph *graph, uint32_t vertices, const uint32_t *old_of_new,
                    const uint32_t *new_of_old, GraphBuild *build);

// The steps of hd_graph_open's options. On failure the graph is unchanged.
bool graph_count_repeats(const HdGraph *graph, uint64_t *self_loops, uint64_t *duplicates,
                         GraphBuild *build);
bool graph_symmetrize(HdGraph *graph, GraphBuild *build);
bool graph_drop_repeats(HdGraph *graph, bool loops, bool duplicates, GraphBuild *build);
bool graph_draw_weights(HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                        GraphBuild *build);
bool graph_keep_largest(HdGraph *graph, GraphBuild *build);
bool graph_relabel(HdGraph *graph, HdRelabel how, uint64_t seed, GraphBuild *build);
// Applies all steps that `options` selects, in order.
bool graph_apply_options(HdGraph *graph, const HdGraphOptions *options, GraphBuild *build);

// Builds the rows by a stable counting sort of the stream, whose vertex ids must be below
// `vertices`. Needs no memory besides the graph.
HdGraph *graph_from_stream(uint32_t vertices, HdWeightKind weights, const ArcStream *stream,
                           GraphBuild *build);
HdGraph *graph_from_list(const EdgeList *list, GraphBuild *build);

// Builds an undirected graph row by row. `row` returns v's degree and, if `heads` is not NULL,
// writes v's neighbours to it in any order; the builder sorts them. There are about `expected`
// edges. Needs no memory besides the graph.
HdGraph *graph_from_rows(uint32_t vertices,
                         uint64_t (*row)(const void *source, uint32_t v, uint32_t *heads),
                         const void *source, double expected, GraphBuild *build);

// Sorts each row of an unweighted graph in ascending order, and returns the graph. On
// failure, frees the graph and returns NULL. Uses 4 bytes per edge of temporary memory.
HdGraph *graph_sorted(HdGraph *graph, GraphBuild *build);
// Builds an undirected graph with ascending rows from a stream with both directions of each edge.
HdGraph *graph_from_mirrored(uint32_t vertices, const ArcStream *stream, GraphBuild *build);

// The in-edges of each vertex, ascending by tail. `edge`, if requested, is the index of each
// in-edge in the graph.
typedef struct Transpose {
    uint64_t *row;  // vertices + 1
    uint32_t *tail; // edges
    uint64_t *edge; // edges, or NULL
} Transpose;

bool transpose_make(const HdGraph *graph, bool with_edges, Transpose *transpose,
                    GraphBuild *build);
void transpose_free(Transpose *transpose, GraphBuild *build);

// Searches for an edge without a reverse; with `weights`, also for one whose reverse has a
// different weight (only for graphs without duplicates). Sets *mirrored to true if there is no such
// edge, otherwise sets *unmirrored to one. Returns false only if out of memory.
bool graph_find_unmirrored(const HdGraph *graph, bool weights, bool *mirrored, HdEdge *unmirrored,
                           GraphBuild *build);

// Calls the progress of the build's options, if set.
void graph_progress(const GraphBuild *build, const char *what, uint64_t done, uint64_t total);
// Calls the note of the build's options, if set, with "file:line: " and the text.
void graph_note(const GraphBuild *build, const char *file, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Opens a graph as hd_graph_open does from a file of that name, whose bytes are in memory.
HdGraph *graph_open_bytes(const char *name, const void *bytes, size_t size,
                          const HdGraphOptions *options, HdError *err);

// The readers and generators of hd_graph_open. A reader of edges fills the list.
typedef bool EdgeReader(Input *in, EdgeList *list, GraphBuild *build);
EdgeReader read_mtx, read_edge_list, read_edges_with_ids, read_csv, read_pajek, read_gml,
    read_graphml, read_rodinia;
typedef HdGraph *GraphReader(Input *in, GraphBuild *build);
GraphReader read_dimacs, read_metis, read_gap, read_gap_weighted, read_galois, read_ecl, read_ligra,
    cache_read;
// Serialises a graph into *size bytes, which the caller frees. Returns NULL if out of memory.
typedef char *GraphBytes(const HdGraph *graph, size_t *size);
GraphBytes gap_bytes, gap_weighted_bytes, cache_bytes;
// The name of a format as the table of formats has it ("mtx"), or NULL. Sets *list: it is a list of
// edges, to which HdListReading applies.
const char *graph_format(const char *name, bool *list);
// The value of --format that reads a file in this way, for messages: "txt,from=3,to=2".
typedef struct FormatText { char text[128]; } FormatText;
FormatText format_text(const char *format, const HdListReading *reading);
// Whether the ids in a format's files are the numbers of vertices.
bool graph_keeps_ids(const char *name);
// Writes the names of all formats, "mtx, txt or hdg", or their endings, ".mtx, .txt or .hdg".
enum { GRAPH_FORMAT_NAMES = 512 };
void graph_format_names(char text[GRAPH_FORMAT_NAMES], bool endings);
// The format that is nearest to one of another name, or NULL.
const char *nearest_format(const char *word);
// A format that is not read, and what is read instead: "LGL", "a list of edges, which ...".
typedef struct UnreadFormat {
    const char *name, *expected;
} UnreadFormat;
// The format whose files have this ending, without the dot and in lower case; or NULL.
const UnreadFormat *unread_by_ending(const char *ending);
// The format that the first bytes of a file tell, or NULL. `text`: the root of an XML text, or all,
// which a zero byte follows. `bytes`: the file's first `size` bytes.
const UnreadFormat *unread_by_start(const char *text, const char *bytes, size_t size);
// The format that the first `size` bytes of a file tell, which a zero byte follows, as the table of
// formats has it ("mtx"); or NULL. Sets *unread to a format that is not read, or NULL.
const char *format_by_start(const char *text, size_t size, const UnreadFormat **unread);
// The text behind what may precede the bytes that tell a format: blank lines, comments of any
// format, the declarations of XML, and the keys of GML that follow Creator. Its end if there is
// nothing else.
const char *skip_to_content(const char *text);

// What the first lines of a text may be that no format's first bytes begin.
typedef enum ListStart {
    LIST_NONE,     // no list of edges
    LIST_NUMBERS,  // lines of 2 to 4 columns, whose first two are ids, the first of which a number
    LIST_NAMES,    // the same with a name as the first id
    LIST_COMMENTS, // only comments: a list may follow
    LIST_COLONS,   // numbers with "::" between the columns
} ListStart;
// Looks at the first `size` bytes of a text, which a zero byte follows. `whole`: the text ends with
// them. Sets the number of the first line of edges, and the columns of the lines after it.
ListStart list_start(const char *text, size_t size, bool whole, uint64_t *line, uint32_t *columns);
// Returns whether the spec starts with a generator's name and a colon.
bool is_generator_spec(const char *spec);
HdGraph *generate(const char *spec, GraphBuild *build);
// The generator whose name is most similar to the part of `spec` before the colon, or NULL.
const char *nearest_generator(const char *spec);
// Writes the names of all generators: "a:, b: and c:".
void generator_names(char *text, size_t size);

// Returns whether `text` ends in `ending`, ignoring case, and is longer.
bool ends_in(const char *text, const char *ending);

#endif
