// Reads GraphML (Brandes, Eiglsperger, Herman, Himsolt, Marshall: GraphML progress report, 2002),
// .graphml: one graph of nodes and edges. An edge's weight is the data of a key whose attr.name is
// "weight" or, without such a key, "value". networkx writes one key of that name for integers and
// one for floats. An edge without the data, and without a default of the key, has 1 where others
// have a weight. All other data is ignored.
#include "graph/graph_internal.h"
#include "graph/vertex_names.h"
#include "graph/xml_reader.h"

#include "base/fail.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

// What an element is, by its name and the element around it.
typedef enum Place {
    PLACE_TOP, PLACE_GRAPHML, PLACE_KEY, PLACE_DEFAULT, PLACE_GRAPH, PLACE_NODE, PLACE_EDGE,
    PLACE_DATA, PLACE_OTHER,
} Place;

enum {
    KEY_ID = 64,   // bytes of the id of a key, and a zero
    MOST_KEYS = 8, // that may hold the weights
};

static const char *const weight_names[] = {"weight", "value"};

// A key that may hold the weights.
typedef struct WeightKey {
    char id[KEY_ID];
    int name;            // of weight_names
    EdgeWeight standard; // of edges without the data
} WeightKey;

typedef struct GraphmlReader {
    GraphBuild *build;
    EdgeList *list;
    const char *file;
    VertexNames names;
    Place place;
    uint64_t nested; // open elements in an element of PLACE_OTHER, itself included
    Place other;     // the element around it
    WeightKey keys[MOST_KEYS], *key; // `key`: which of them is read, or NULL
    int key_count;
    const WeightKey *weights; // the first key that is used; NULL before the graph, or for none
    EdgeWeight standard;      // of edges without data
    bool has_graph, directed;
    // The edge that is read.
    HdEdge edge;
    uint64_t line;
    bool undirected, has_data;
    EdgeWeight weight;
    char text[EDGE_WEIGHT_TEXT]; // of data or a default
    size_t text_length;          // may exceed what `text` holds
} GraphmlReader;

// ---- keys ----

// A key of edges that is named as a weight.
static bool start_key(GraphmlReader *r, XmlReader *xml, const char **attributes)
{
    const char *id = xml_attribute(attributes, "id"), *of = xml_attribute(attributes, "for");
    const char *name = xml_attribute(attributes, "attr.name");
    const char *type = xml_attribute(attributes, "attr.type");
    bool text = type && strcmp(type, "string") == 0;
    r->key = NULL;
    if (!id || !name || (of && strcmp(of, "edge") != 0 && strcmp(of, "all") != 0)) return true;
    int which = 0;
    while (which < 2 && (strlen(name) != strlen(weight_names[which]) ||
                         !text_same_letters(name, weight_names[which], strlen(name))))
        which++;
    if (which == 2 || (which == 1 && text) || (type && strcmp(type, "boolean") == 0)) return true;
    if (r->has_graph)
        return xml_fail(xml, "the key of the weights follows the graph: expected it before");
    if (r->key_count == MOST_KEYS)
        return xml_fail(xml, "more than %d keys of weights: expected fewer", MOST_KEYS);
    if (strlen(id) >= KEY_ID || !*id)
        return xml_fail(xml, "the id '%.60s' of a key has %zu bytes: expected 1 to %d", id,
                        strlen(id), KEY_ID - 1);
    r->key = &r->keys[r->key_count++];
    r->key->name = which;
    strcpy(r->key->id, id);
    return true;
}

// The collected text as a weight.
static bool read_weight(GraphmlReader *r, XmlReader *xml, EdgeWeight *weight)
{
    const char *start = r->text, *end = start + r->text_length;
    if (r->text_length < sizeof r->text) {
        while (start < end && strchr(" \t\r\n", *start)) start++;
        while (end > start && strchr(" \t\r\n", end[-1])) end--;
        if (edge_weight_read(start, (size_t)(end - start), weight)) return true;
        return xml_fail(xml, "'%.*s': expected a weight: a 32-bit integer, or a finite number",
                        (int)(end - start), start);
    }
    return xml_fail(xml, "%zu bytes of text: expected a weight: a 32-bit integer, or a finite "
                         "number", r->text_length);
}

// ---- nodes and edges ----

static bool start_graph(GraphmlReader *r, XmlReader *xml, const char **attributes)
{
    const char *direction = xml_attribute(attributes, "edgedefault");
    if (r->has_graph) return xml_fail(xml, "a second graph: expected one");
    r->has_graph = true;
    r->directed = direction && strcmp(direction, "directed") == 0;
    if (!r->directed && (!direction || strcmp(direction, "undirected") != 0))
        return xml_fail(xml, "the graph's edgedefault is '%.60s': expected directed or undirected",
                        direction ? direction : "");
    for (int i = 0; i < r->key_count; i++)
        if (!r->weights || r->keys[i].name < r->weights->name) r->weights = &r->keys[i];
    for (int i = r->key_count - 1; i >= 0; i--)
        if (r->keys[i].name == r->weights->name && r->keys[i].standard.kind)
            r->standard = r->keys[i].standard;
    return true;
}

static bool start_node(GraphmlReader *r, XmlReader *xml, const char **attributes)
{
    const char *id = xml_attribute(attributes, "id");
    uint64_t earlier;
    if (!id) return xml_fail(xml, "a node without an id: expected <node id=\"...\">");
    if (!vertex_names_declare(&r->names, id, strlen(id), xml_line(xml), &earlier)) return false;
    return !earlier || xml_fail(xml, "node '%.60s' is in line %llu already: expected each id once",
                                id, (unsigned long long)earlier);
}

static bool start_edge(GraphmlReader *r, XmlReader *xml, const char **attributes)
{
    const char *from = xml_attribute(attributes, "source");
    const char *to = xml_attribute(attributes, "target");
    const char *directed = xml_attribute(attributes, "directed");
    if (!from || !to)
        return xml_fail(xml, "an edge without both ends: expected <edge source=\"...\" "
                             "target=\"...\">");
    bool yes = directed && (strcmp(directed, "true") == 0 || strcmp(directed, "1") == 0);
    bool no = directed && (strcmp(directed, "false") == 0 || strcmp(directed, "0") == 0);
    if (directed && !yes && !no)
        return xml_fail(xml, "directed is '%.60s': expected true or false", directed);
    r->line = xml_line(xml);
    r->undirected = no || (!directed && !r->directed);
    r->has_data = false;
    r->weight = r->standard;
    return vertex_names_find(&r->names, from, strlen(from), r->line, &r->edge.from) &&
           vertex_names_find(&r->names, to, strlen(to), r->line, &r->edge.to);
}

static bool end_edge(GraphmlReader *r)
{
    return edge_list_add_mixed(r->list, r->edge, r->undirected, r->weight, r->build);
}

// ---- elements ----

static bool is_weight_data(const GraphmlReader *r, const char **attributes)
{
    const char *key = xml_attribute(attributes, "key");
    for (int i = 0; key && i < r->key_count; i++)
        if (r->keys[i].name == r->weights->name && strcmp(key, r->keys[i].id) == 0) return true;
    return false;
}

// The place of an element in the current one; PLACE_OTHER: it is ignored with all in it.
static Place place_of(const GraphmlReader *r, const char *element, const char **attributes)
{
    static const struct {
        Place around, place;
        const char *element;
    } places[] = {
        {PLACE_TOP, PLACE_GRAPHML, "graphml"}, {PLACE_GRAPHML, PLACE_KEY, "key"},
        {PLACE_GRAPHML, PLACE_GRAPH, "graph"}, {PLACE_KEY, PLACE_DEFAULT, "default"},
        {PLACE_GRAPH, PLACE_NODE, "node"},     {PLACE_GRAPH, PLACE_EDGE, "edge"},
        {PLACE_EDGE, PLACE_DATA, "data"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].around != r->place || strcmp(places[i].element, element) != 0) continue;
        bool ignored = places[i].place == PLACE_DATA && !is_weight_data(r, attributes);
        return ignored ? PLACE_OTHER : places[i].place;
    }
    return PLACE_OTHER;
}

static bool check_ignored(const GraphmlReader *r, XmlReader *xml, const char *element)
{
    if (r->place == PLACE_TOP)
        return xml_fail(xml, "the element '%.60s': expected graphml", element);
    if (r->place == PLACE_GRAPH && strcmp(element, "hyperedge") == 0)
        return xml_fail(xml, "a hyperedge: expected edges between two nodes");
    if ((r->place == PLACE_NODE || r->place == PLACE_EDGE) && strcmp(element, "graph") == 0)
        return xml_fail(xml, "a graph in a %s: expected none", r->place == PLACE_NODE ? "node"
                                                                                      : "edge");
    return true;
}

static bool on_start(void *user, XmlReader *xml, const char *element, const char **attributes)
{
    GraphmlReader *r = user;
    if (r->place == PLACE_OTHER) {
        r->nested++;
        return true;
    }
    Place place = place_of(r, element, attributes);
    if (place == PLACE_OTHER) {
        if (!check_ignored(r, xml, element)) return false;
        r->other = r->place;
        r->nested = 1;
    }
    r->place = place;
    r->text_length = 0;
    switch (place) {
    case PLACE_KEY: return start_key(r, xml, attributes);
    case PLACE_GRAPH: return start_graph(r, xml, attributes);
    case PLACE_NODE: return start_node(r, xml, attributes);
    case PLACE_EDGE: return start_edge(r, xml, attributes);
    case PLACE_DATA:
        return !r->has_data ||
               xml_fail(xml, "a second weight of the edge: expected one");
    default: return true;
    }
}

static bool on_end(void *user, XmlReader *xml)
{
    GraphmlReader *r = user;
    switch (r->place) {
    case PLACE_OTHER:
        if (--r->nested == 0) r->place = r->other;
        return true;
    case PLACE_DEFAULT:
        r->place = PLACE_KEY;
        return !r->key || read_weight(r, xml, &r->key->standard);
    case PLACE_DATA:
        r->place = PLACE_EDGE;
        r->has_data = true;
        return read_weight(r, xml, &r->weight);
    case PLACE_EDGE:
        r->place = PLACE_GRAPH;
        return end_edge(r);
    case PLACE_NODE: r->place = PLACE_GRAPH; return true;
    case PLACE_KEY:
    case PLACE_GRAPH: r->place = PLACE_GRAPHML; return true;
    default: r->place = PLACE_TOP; return true;
    }
}

static bool on_text(void *user, XmlReader *xml, const char *text, size_t length)
{
    GraphmlReader *r = user;
    (void)xml;
    if (r->place != PLACE_DATA && r->place != PLACE_DEFAULT) return true;
    if (r->text_length + length < sizeof r->text) memcpy(r->text + r->text_length, text, length);
    r->text_length += length;
    return true;
}

static bool graphml_finish(GraphmlReader *r)
{
    const VertexName *missing = vertex_names_undeclared(&r->names);
    HdError *err = r->build->err;
    if (missing)
        return hd_fail_at(err, r->file, missing->line < INT_MAX ? (int)missing->line : INT_MAX, 0,
                          "no node has the id '%.*s': expected the id of a node",
                          missing->length < 60 ? (int)missing->length : 60,
                          r->names.bytes + missing->at);
    if (!r->has_graph)
        return hd_fail_at(err, r->file, 0, 0, "the file ends without a graph: expected one");
    if (!r->names.declared)
        return hd_fail_at(err, r->file, 0, 0, "the graph is empty: it has no vertices");
    vertex_names_number(&r->names, r->list);
    if (r->list->count == 0) r->list->mirrored = !r->directed;
    return true;
}

bool read_graphml(Input *in, EdgeList *list, GraphBuild *build)
{
    static const XmlEvents events = {on_start, on_end, on_text};
    GraphmlReader r = {.list = list, .build = build, .file = input_name(in)};
    r.names = (VertexNames){.build = build, .file = r.file};
    bool ok = xml_read(in, &events, &r, build) && graphml_finish(&r);
    vertex_names_free(&r.names);
    return ok;
}
