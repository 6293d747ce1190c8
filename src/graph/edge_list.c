// The list of edges that a text reader fills: lists that mix directed and undirected edges, and
// weights whose kind is known only after the last.
#include "base/number.h"
#include "graph/graph_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void edge_list_free(EdgeList *list, GraphBuild *build)
{
    build_free(build, list->edges);
    build_free(build, list->weights);
    build_free(build, list->ids);
    build_free(build, list->names.text);
    build_free(build, list->names.start);
    *list = (EdgeList){0};
}

bool edge_weight_read(const char *text, size_t length, EdgeWeight *weight)
{
    char copy[EDGE_WEIGHT_TEXT], *end;
    if (length == 0 || length >= sizeof copy) return false;
    size_t sign = *text == '+' || *text == '-', at = sign;
    int64_t integer = 0;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++)
        if (integer <= UINT32_MAX) integer = integer * 10 + (text[at] - '0');
    if (at == length && at > sign) {
        if (*text == '-') integer = -integer;
        *weight = (EdgeWeight){HD_WEIGHTS_INT, (uint32_t)integer};
        return integer >= INT32_MIN && integer <= INT32_MAX;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    if (strspn(copy, "+-.0123456789eE") != length) return false;
    float real = number_read_float(copy, &end);
    if (end != copy + length || !isfinite(real)) return false;
    weight->kind = HD_WEIGHTS_REAL;
    memcpy(&weight->bits, &real, sizeof real);
    return true;
}

static uint32_t real_of_integer(uint32_t bits)
{
    float real = (float)(int32_t)bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

void edge_list_match_kinds(EdgeList *list, size_t count, EdgeWeight *weight)
{
    if (list->weight_kind == weight->kind) return;
    if (weight->kind == HD_WEIGHTS_REAL) {
        for (size_t i = 0; i < count; i++) list->weights[i] = real_of_integer(list->weights[i]);
        list->weight_kind = HD_WEIGHTS_REAL;
    } else {
        *weight = (EdgeWeight){HD_WEIGHTS_REAL, real_of_integer(weight->bits)};
    }
}

// Gives the list and the weight of its next edge one kind. Without a weight, an edge has 1.
static bool match_weights(EdgeList *list, EdgeWeight *weight, GraphBuild *build)
{
    if (weight->kind == HD_WEIGHTS_NONE) {
        if (list->weight_kind == HD_WEIGHTS_NONE) return true;
        *weight = (EdgeWeight){HD_WEIGHTS_INT, 1};
    }
    if (list->weight_kind == HD_WEIGHTS_NONE) {
        list->weight_kind = HD_WEIGHTS_INT;
        size_t wanted = list->edges_capacity;
        if (wanted && !budget_resize(&build->memory, &list->weights, &list->weights_capacity,
                                     wanted, sizeof *list->weights, "the weights"))
            return false;
        for (size_t i = 0; i < list->count; i++) list->weights[i] = 1;
    }
    edge_list_match_kinds(list, list->count, weight);
    return true;
}

// Lists each edge of a mirrored list in both directions, one behind the other.
static bool list_both_directions(EdgeList *list, GraphBuild *build)
{
    size_t count = 0, to;
    for (size_t i = 0; i < list->count; i++)
        count += 1 + (list->edges[i].from != list->edges[i].to);
    if (count > list->edges_capacity &&
        !budget_resize(&build->memory, &list->edges, &list->edges_capacity, count,
                       sizeof *list->edges, "the edges"))
        return false;
    if (list->weights && count > list->weights_capacity &&
        !budget_resize(&build->memory, &list->weights, &list->weights_capacity, count,
                       sizeof *list->weights, "the weights"))
        return false;
    to = count; // from the end, so that no edge is overwritten before it is moved
    for (size_t i = list->count; i-- > 0;) {
        HdEdge edge = list->edges[i];
        uint32_t weight = list->weights ? list->weights[i] : 0;
        for (int reverse = edge.from != edge.to; reverse >= 0; reverse--) {
            list->edges[--to] = reverse ? (HdEdge){edge.to, edge.from} : edge;
            if (list->weights) list->weights[to] = weight;
        }
    }
    list->count = count;
    list->mirrored = false;
    return true;
}

bool edge_list_add_mixed(EdgeList *list, HdEdge edge, bool undirected, EdgeWeight weight,
                         GraphBuild *build)
{
    if (!match_weights(list, &weight, build)) return false;
    if (list->count == 0) list->mirrored = undirected;
    if (list->mirrored && !undirected && !list_both_directions(list, build)) return false;
    if (!edge_list_add(list, edge, weight.bits, build)) return false;
    if (!undirected || list->mirrored || edge.from == edge.to) return true;
    return edge_list_add(list, (HdEdge){edge.to, edge.from}, weight.bits, build);
}
