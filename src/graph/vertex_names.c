// Numbers the vertices that a file names: a hash table of names. What a graph keeps of them.
#include "graph/vertex_names.h"

#include "base/fail.h"
#include "base/hash.h"

#include <limits.h>
#include <string.h>

// The most slots that a search visits. Names that were chosen for their hashes need more: at most
// half of the slots are in use, so that others never do.
enum { MOST_PROBES = 256, FIRST_SLOTS = 64 };

void vertex_names_free(VertexNames *names)
{
    build_free(names->build, names->names);
    build_free(names->build, names->bytes);
    build_free(names->build, names->slots);
    *names = (VertexNames){.build = names->build, .file = names->file};
}

// The slot of a name, or the empty slot where it belongs; slot_count if it is too far.
static size_t find_slot(const VertexNames *names, const void *name, size_t length, uint64_t hash)
{
    size_t mask = names->slot_count - 1, slot = hash & mask;
    for (int probes = 0; probes < MOST_PROBES; probes++, slot = (slot + 1) & mask) {
        if (!names->slots[slot]) return slot;
        const VertexName *known = &names->names[names->slots[slot] - 1];
        if (known->hash == hash && known->length == length &&
            memcmp(names->bytes + known->at, name, length) == 0)
            return slot;
    }
    return names->slot_count;
}

static bool fail_crowded(const VertexNames *names, uint64_t line)
{
    return hd_fail_at(names->build->err, names->file, line < INT_MAX ? (int)line : INT_MAX, 0,
                      "the names of more than %d vertices have one hash: expected other names",
                      MOST_PROBES);
}

// Makes the table twice as large.
static bool grow_slots(VertexNames *names, uint64_t line)
{
    size_t count = names->slot_count ? 2 * names->slot_count : FIRST_SLOTS;
    uint32_t *slots = build_new(names->build, count, sizeof *slots, "the table of names");
    if (!slots) return false;
    build_free(names->build, names->slots);
    names->slots = slots;
    names->slot_count = count;
    for (size_t i = 0; i < names->count; i++) {
        size_t slot = names->names[i].hash & (count - 1);
        int probes = 0;
        for (; slots[slot] && probes < MOST_PROBES; probes++) slot = (slot + 1) & (count - 1);
        if (probes == MOST_PROBES) return fail_crowded(names, line);
        slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

// Adds a name, which is new.
static bool add_name(VertexNames *names, const void *name, size_t length, uint64_t hash,
                     uint64_t line)
{
    MemoryBudget *memory = &names->build->memory;
    if (names->count == UINT32_MAX - 1)
        return hd_fail_at(names->build->err, names->file, 0, 0,
                          "more than %u vertices: expected fewer, which have 32-bit numbers",
                          UINT32_MAX - 1);
    if (!BUDGET_RESERVE(memory, names->names, names->count, names->capacity, "the vertices"))
        return false;
    while (!names->bytes || names->bytes_capacity - names->bytes_count < length)
        if (!budget_grow(memory, &names->bytes, &names->bytes_capacity, 1,
                         "the names of vertices"))
            return false;
    memcpy(names->bytes + names->bytes_count, name, length);
    names->names[names->count++] = (VertexName){
        .hash = hash, .at = names->bytes_count, .line = line, .length = (uint32_t)length,
        .vertex = VERTEX_UNDECLARED,
    };
    names->bytes_count += length;
    return true;
}

bool vertex_names_find(VertexNames *names, const void *name, size_t length, uint64_t line,
                       uint32_t *index)
{
    uint64_t hash = hash_bytes(HASH_START, name, length);
    if (2 * (names->count + 1) > names->slot_count && !grow_slots(names, line)) return false;
    size_t slot = find_slot(names, name, length, hash);
    if (slot == names->slot_count) return fail_crowded(names, line);
    if (!names->slots[slot]) {
        if (!add_name(names, name, length, hash, line)) return false;
        names->slots[slot] = (uint32_t)names->count;
    }
    *index = names->slots[slot] - 1;
    return true;
}

bool vertex_names_declare(VertexNames *names, const void *name, size_t length, uint64_t line,
                          uint64_t *earlier)
{
    uint32_t index;
    if (!vertex_names_find(names, name, length, line, &index)) return false;
    VertexName *vertex = &names->names[index];
    bool known = vertex->vertex != VERTEX_UNDECLARED;
    *earlier = known ? vertex->line : 0;
    if (known) return true;
    vertex->vertex = names->declared++;
    vertex->line = line;
    return true;
}

const VertexName *vertex_names_undeclared(const VertexNames *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->names[i].vertex == VERTEX_UNDECLARED) return &names->names[i];
    return NULL;
}

void vertex_names_number(const VertexNames *names, EdgeList *list)
{
    list->vertices = names->declared;
    for (size_t i = 0; i < list->count; i++)
        list->edges[i] = (HdEdge){names->names[list->edges[i].from].vertex,
                                  names->names[list->edges[i].to].vertex};
}

static void copy_names(const VertexNames *names, uint64_t *start, char *text, uint64_t *at)
{
    for (size_t i = 0; i < names->count; i++) {
        const VertexName *name = &names->names[i];
        start[i] = *at;
        memcpy(text + *at, names->bytes + name->at, name->length);
        *at += name->length + 1; // a zero byte
    }
}

bool vertex_names_keep(const VertexNames *names, const VertexNames *others, EdgeList *list)
{
    size_t count = names->count + others->count;
    uint64_t bytes = names->bytes_count + others->bytes_count + count, at = 0;
    HdNames *kept = &list->names;
    kept->start = build_new(names->build, count, sizeof *kept->start, "the names of vertices");
    if (kept->start) kept->text = build_new(names->build, bytes, 1, "the names of vertices");
    if (!kept->text) return false;
    copy_names(names, kept->start, kept->text, &at);
    copy_names(others, kept->start + names->count, kept->text, &at);
    return true;
}

const char *hd_graph_vertex_name(const HdGraph *graph, uint32_t vertex)
{
    const HdNames *names = &graph->names;
    return names->text ? names->text + names->start[graph->ids[vertex]] : NULL;
}

bool hd_graph_find_vertex(const HdGraph *graph, const char *name, uint32_t *vertex)
{
    bool found = false;
    for (uint32_t v = 0; graph->names.text && v < graph->vertices; v++) {
        if (strcmp(hd_graph_vertex_name(graph, v), name) != 0) continue;
        if (found && graph->ids[v] > graph->ids[*vertex]) continue;
        found = true;
        *vertex = v;
    }
    return found;
}
