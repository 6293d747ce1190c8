// --source: the vertex where a search starts.
#include "cli/graph/graph_source.h"

#include "cli/common/messages.h"

#include <stdio.h>
#include <string.h>

bool graph_source_parse(const Option *option, void *values, const OptionInput *input)
{
    GraphSource *source = (GraphSource *)((char *)values + option->target);
    uint64_t vertex = 0;
    OptionInput quiet = *input;
    quiet.err = NULL;
    *source = (GraphSource){.given = true, .largest = strcmp(input->text, "largest") == 0};
    if (!source->largest && !option_read_number(&quiet, 0, UINT32_MAX, &vertex))
        return option_expected(input, "a whole number from 0 to %u, or largest", UINT32_MAX);
    source->vertex = (uint32_t)vertex;
    return true;
}

uint32_t graph_source_vertex(const GraphSource *source, const HdGraph *graph)
{
    if (!source->largest) return source->vertex;
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

void graph_source_note(const GraphSource *source, const HdGraph *graph)
{
    uint32_t vertex = graph_source_vertex(source, graph);
    if (!source->given || !graph->ids || vertex >= graph->vertices) return;
    char number[16] = "largest";
    if (!source->largest) snprintf(number, sizeof number, "%u", vertex);
    uint64_t id = graph->ids[vertex];
    bool sides = graph->second.from > 0, second = sides && id >= graph->second.from;
    cli_note("--source %s is vertex %u of the graph; its id %s is %llu%s", number, vertex,
             second ? "on the second side of the file" : sides ? "on the first side of the file"
                                                               : "in the file",
             (unsigned long long)(second ? id - graph->second.plus : id),
             sides ? "" : " (the formats el and wel keep ids)");
}
