// --source: the vertex where a search starts.
#include "cli/graph/graph_source.h"

#include "cli/common/messages.h"

#include <stdio.h>
#include <string.h>

bool graph_source_parse(const Option *option, void *values, const OptionInput *input)
{
    GraphSource *source = (GraphSource *)((char *)values + option->target);
    const char *text = input->text;
    uint64_t vertex = 0;
    OptionInput quiet = *input;
    quiet.err = NULL;
    *source = (GraphSource){.given = true, .largest = strcmp(text, "largest") == 0};
    if (source->largest) return true;
    bool number = option_read_number(&quiet, 0, UINT32_MAX, &vertex);
    source->vertex = (uint32_t)vertex;
    if (number) return true;
    const char *digits = text + (*text == '-');
    if (strspn(digits, "0123456789") == strlen(digits))
        return option_expected(input, "a whole number from 0 to %u, largest, or the name of a "
                                      "vertex", UINT32_MAX);
    source->name = hd_arena_text(input->arena, text, strlen(text));
    return source->name || hd_fail_memory(input->err, "reading options");
}

static uint32_t largest_vertex(const HdGraph *graph)
{
    uint32_t largest = 0;
    uint64_t most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t degree = graph->row[v + 1] - graph->row[v];
        if (degree <= most) continue;
        most = degree;
        largest = v;
    }
    return largest;
}

static void note_id(const GraphSource *source, const HdGraph *graph, uint32_t vertex)
{
    uint64_t id = graph->ids[vertex];
    bool sides = graph->second.from > 0, second = sides && id >= graph->second.from;
    const char *name = hd_graph_vertex_name(graph, vertex);
    const char *where = second ? "on the second side of the file"
                        : sides ? "on the first side of the file" : "in the file";
    char given[16] = "largest";
    if (!source->largest) snprintf(given, sizeof given, "%u", vertex);
    if (sides && id > graph->second.last)
        cli_note("--source %s is vertex %u of the graph; no edge says which side of the file it is "
                 "on", given, vertex);
    else if (name)
        cli_note("--source %s is vertex %u of the graph; its name %s is '%s'",
                 source->name ? source->name : given, vertex, where, name);
    else
        cli_note("--source %s is vertex %u of the graph; its id %s is %llu%s", given, vertex,
                 where, (unsigned long long)(second ? id - graph->second.plus : id),
                 sides ? "" : " (the formats el and wel keep ids)");
}

bool graph_source_find(const GraphSource *source, const HdGraph *graph, uint32_t *vertex,
                       HdError *err)
{
    *vertex = source->largest ? largest_vertex(graph) : source->vertex;
    if (source->name && !graph->names.text)
        return hd_fail(err, "--source '%s': the graph %s has no names of vertices, which only a "
                            "list of edges gives and no written file keeps: expected 0 to %u, or "
                            "largest", source->name, graph->name, graph->vertices - 1);
    if (source->name && !hd_graph_find_vertex(graph, source->name, vertex))
        return hd_fail(err, "--source '%s': the graph %s has no vertex of this name: expected 0 to "
                            "%u, the name of a vertex, or largest", source->name, graph->name,
                       graph->vertices - 1);
    if (source->given && graph->ids && *vertex < graph->vertices) note_id(source, graph, *vertex);
    return true;
}
