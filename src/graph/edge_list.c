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
    *list = (EdgeList){0};
}

bool edge_weight_read(const char *text, size_t length, EdgeWeight *weight)
{
    char copy[EDGE_WEIGHT_TEXT], *end;
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (strspn(copy, "+-.0123456789eE") != length) return false;
    size_t sign = *copy == '+' || *copy == '-';
    if (sign + strspn(copy + sign, "0123456789") == length) {
        long long integer = strtoll(copy, &end, 10);
        *weight = (EdgeWeight){HD_WEIGHTS_INT, (uint32_t)integer};
        return end == copy + length && integer >= INT32_MIN && integer <= INT32_MAX;
    }
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
    if (list->weight_kind == HD_WEIGHTS_INT && weight->kind == HD_WEIGHTS_REAL) {
        for (size_t i = 0; i < list->count; i++)
            list->weights[i] = real_of_integer(list->weights[i]);
        list->weight_kind = HD_WEIGHTS_REAL;
    }
    if (list->weight_kind == HD_WEIGHTS_REAL && weight->kind == HD_WEIGHTS_INT)
        *weight = (EdgeWeight){HD_WEIGHTS_REAL, real_of_integer(weight->bits)};
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
