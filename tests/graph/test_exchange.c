// Files of Ligra, Pajek, GML and GraphML: graphs worked out by hand, and the message of each error.
#include "graph_checks.h"

#include "base/hash.h"
#include "graph/graph_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse_all(const char *name, const char *const (*bad)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) open_fails(scratch_text(name, bad[i][0]), bad[i][1]);
}
#define REFUSE(name, bad) refuse_all(name, bad, sizeof bad / sizeof *bad)

// Opens a text and checks its rows and its weights: "" without, "7 -8" of integers, "1.5 2.0" of
// floats, in the order of the rows.
static void check_text(const char *name, const char *text, bool directed, const char *rows,
                       const char *weights)
{
    char found[256] = "", *p = found;
    char packed[64];
    HdGraph *g = open_ok(scratch_text(name, text));
    assert_int_equal(g->directed, directed);
    check_rows(g, rows);
    for (uint64_t i = 0; g->weight_kind != HD_WEIGHTS_NONE && i < g->edges; i++) {
        if (g->int_weights) p += sprintf(p, "%s%d", i ? " " : "", g->int_weights[i]);
        else p += sprintf(p, "%s%.1f", i ? " " : "", (double)g->real_weights[i]);
    }
    assert_string_equal(found, weights);
    snprintf(packed, sizeof packed, "packed-%s.gz", name);
    check_same(g, open_ok(scratch_gzip(packed, text)));
}

// ---- Ligra ----

static void test_ligra(void **state)
{
    (void)state;
    check_text("a.adj", "AdjacencyGraph\n3\n3\n0\n2\n2\n1\n2\n0\n", true, "1 2 | | 0", "");
    check_text("a.adj", "\nAdjacencyGraph\r\n3 3\r\n\r\n0 2 2\t1\n2 0", true, "1 2 | | 0", "");
    check_text("a.adj", "WeightedAdjacencyGraph 3 3 0 2 2 1 2 0 7 -8 9", true, "1 2 | | 0",
               "7 -8 9");
    check_text("a.adj", "AdjacencyGraph\n2\n0\n0\n0\n", true, "|", "");
    check_text("a.adj", "WeightedAdjacencyGraph\n2\n0\n0\n0\n", true, "|", "");
}

static void test_ligra_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@: the file ends before \"AdjacencyGraph\""},
        {"Adjacency\n", "@:1:1: 'Adjacency': expected AdjacencyGraph or WeightedAdjacencyGraph"},
        {"EdgeArray\n1 2\n", "@:1:1: 'EdgeArray': expected AdjacencyGraph or "
                             "WeightedAdjacencyGraph"},
        {"AdjacencyGraph\n", "@:1: the file ends after 0 numbers of the header: expected 2"},
        {"AdjacencyGraph\n3\n", "@:2: the file ends after 1 numbers of the header: expected 2"},
        {"AdjacencyGraph\n-3\n", "@:2:1: '-3': expected the number of vertices"},
        {"AdjacencyGraph\n0 0\n", "@:2:2: the graph is empty: it has no vertices"},
        {"AdjacencyGraph\n4294967296 0\n", "@:2:11: 4294967296 vertices: expected at most "
                                           "4294967295, which have 32-bit numbers"},
        {"AdjacencyGraph\n3 x\n", "@:2:3: 'x': expected the number of edges"},
        {"AdjacencyGraph\n3 3\n0\n2\n", "@:4: the file ends after 2 offsets: expected 3"},
        {"AdjacencyGraph\n2 1\n1\n", "@:3:1: the offset of vertex 0 is 1: expected 0 to 0"},
        {"AdjacencyGraph\n3 3\n0\n2\n1\n", "@:5:1: the offset of vertex 2 is 1: expected 2 to 3"},
        {"AdjacencyGraph\n2 3\n0\n4\n", "@:4:1: the offset of vertex 1 is 4: expected 0 to 3"},
        {"AdjacencyGraph\n2 2\n0\n1\n1\n", "@:5: the file ends after 1 edges: expected 2"},
        {"AdjacencyGraph\n2 2\n0\n1\n1 2\n", "@:5:3: vertex 2 is out of range: expected 0 to 1"},
        {"AdjacencyGraph\n2 2\n0\n1\n1 0 1\n", "@:5:5: a number too many: expected the end of the "
                                               "file after 2 edges"},
        {"WeightedAdjacencyGraph\n2 1\n0\n1\n1\n", "@:5: the file ends after 0 weights: expected "
                                                   "1"},
        {"WeightedAdjacencyGraph\n2 1\n0\n1\n1\n0.5\n", "@:6:1: '0.5': expected a 32-bit integer "
                                                        "weight"},
        {"WeightedAdjacencyGraph\n2 1\n0\n1\n1\n5\n6\n", "@:7:1: a number too many: expected the "
                                                         "end of the file after 1 edges and their "
                                                         "weights"},
    };
    REFUSE("bad.adj", bad);
}

// ---- Pajek ----

static void test_pajek(void **state)
{
    (void)state;
    check_text("p.net", "*Network a path\n*Vertices 3\n1 \"a b\" 0.5 0.5 ic Red\n3 c\n*Edges\n1 2\n"
                        "% here\n2 3\n", false, "1 | 0 2 | 1", "");
    check_text("p.net", "*vertices 3\n*ARCS\n1 2 c Blue\n3 1\n3 3\n", true, "1 | | 0 2", "");
    // An edge without a weight has 1, and one point makes all weights floats.
    check_text("p.net", "*Vertices 3\n*Arcs\n1 2\n1 3 -7 w 3\n", true, "1 2 | |", "1 -7");
    check_text("p.net", "*Vertices 3\n*Arcs\n1 2\n1 3 4\n2 1 2.5\n3 1\n", true, "1 2 | 0 | 0",
               "1.0 4.0 2.5 1.0");
    // Arcs and edges: an edge is an arc in each direction, in its place in the file.
    check_text("p.net", "*Vertices 3\n*Edges\n1 2 5\n2 2 6\n*Arcs :1 \"is fond of\"\n3 1 7\n"
                        "*Edges\n3 2 8\n", true, "1 | 0 1 2 | 0 1", "5 5 6 8 7 8");
    check_text("p.net", "*Vertices 4\n*Edgeslist\n1 2 3\n4\n*Edgeslist\n4 1\n", false,
               "1 2 3 | 0 | 0 | 0", "");
    check_text("p.net", "*Vertices 3\n*Arcslist\n1 2 3\n3 1\n", true, "1 2 | | 0", "");
    check_text("p.net", "*Vertices 2\n*Matrix\n0 3\n1 0\n", true, "1 | 0", "3 1");
    check_text("p.net", "*Vertices 3 1\n1 x\n*Matrix\n.5 -1\n", true, "1 2 | |", "0.5 -1.0");
    check_text("p.net", "*Vertices 2 2\n*Arcs\n", true, "|", "");
}

static void test_pajek_errors(void **state)
{
    (void)state;
#define NET "*Vertices 3\n"
    static const char *const bad[][2] = {
        {"", "@: the file ends before the section *Vertices"},
        {"*Network x\n", "@:1: the file ends before the section *Vertices"},
        {"1 2\n", "@:1:1: '1': expected the section *Vertices"},
        {"*Arcs\n1 2\n", "@:1:1: '*Arcs': expected *Vertices"},
        {"*Vertices\n", "@:1:10: the line ends: expected the number of vertices"},
        {"*Vertices 0\n", "@:1:1: the graph is empty: it has no vertices"},
        {"*Vertices 3 x\n", "@:1:13: 'x': expected the number of vertices of the first mode"},
        {"*Vertices 3 4\n", "@:1:1: 4 vertices of the first mode: expected at most 3"},
        {"*Vertices 3 2 1\n", "@:1:15: extra field '1': expected \"*Vertices N [FIRST]\""},
        {"*Vertices 4294967296\n", "@:1:1: 4294967296 vertices: expected at most 4294967295, which "
                                   "have 32-bit numbers"},
        {"% c\n*Vertices 16777219\n*Edges\n1 2\n",
         "@:2:1: 16777219 vertices, of which 1 edges join at most 2: expected at most 16777216 "
         "without an edge (--max-memory SIZE allows more)"},
        {NET "4 d\n", "@:2:1: vertex 4 is out of range: expected 1 to 3"},
        {NET "a\n", "@:2:1: 'a': expected the number of a vertex"},
        {NET "*Partition x\n", "@:2:1: '*Partition': expected *Arcs, *Edges, *Arcslist, "
                               "*Edgeslist or *Matrix"},
        {NET NET, "@:2:10: a second network: expected one (line 1)"},
        {NET "*Arcs\n1\n", "@:3:2: the line ends: expected the number of the edge's second vertex"},
        {NET "*Arcs\n1 4\n", "@:3:3: vertex 4 is out of range: expected 1 to 3"},
        {NET "*Arcs\n1 2 3x\n", "@:3:5: '3x': expected a weight: a 32-bit integer, or a finite "
                                "number"},
        {NET "*Arcs\n1 2 2147483648\n", "@:3:5: '2147483648': expected a weight: a 32-bit "
                                        "integer, or a finite number"},
        {NET "*Arcs\n1 2 1e39\n", "@:3:5: '1e39': expected a weight: a 32-bit integer, or a finite "
                                  "number"},
        {NET "*Arcs\n1 2 3 \x1b\n", "@:3:7: the control character \\x1b: expected text"},
        {NET "*Arcslist\nx 2\n", "@:3:1: 'x': expected the number of the edges' first vertex"},
        {NET "*Arcslist\n1 2 x\n", "@:3:5: 'x': expected the number of an edge's second vertex"},
        {NET "*Matrix\n0 1\n", "@:3:4: the line ends: expected a weight: a 32-bit integer, or a "
                               "finite number"},
        {NET "*Matrix\n0 1 1 1\n", "@:3:7: extra field '1': expected \"a number for each vertex\""},
        {NET "*Matrix\n0 1 1\n", "@:3: the file ends after 1 rows of the matrix: expected 3"},
        {"*Vertices 1\n*Matrix\n1\n0\n", "@:4:1: one row too many: expected 1"},
    };
    REFUSE("bad.net", bad);
}

// ---- GML ----

static void test_gml(void **state)
{
    (void)state;
    // Vertices are numbered as the nodes are listed, whatever their ids and the place of the edges.
    check_text("g.gml", "Creator \"a writer on\nmany [ lines\"\nVersion 1\ngraph\n[\n  directed 1\n"
                        "# a comment ]\n  edge [ source 30 target 7 ]\n  node\n  [\n    id 30\n"
                        "    label \"a]\"\n    graphics [ x 0.5 Line [ point [ x 1 ] ] ]\n  ]\n"
                        "  node [ id 7 ]\n  node [ label \"\" id 18446744073709551615 ]\n"
                        "  edge [ target 30 source 18446744073709551615 label \"x\" ]\n]\n",
               true, "1 | | 0", "");
    check_text("g.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight 7 ]"
                        " edge [ source 1 target 1 weight -8 ] ]", false, "1 | 0 1", "7 7 -8");
    check_text("g.gml", "graph [directed 0 node[id 0]node[id 1]edge[source 0 target 1 value 2.5]"
                        "edge[source 0 target 0 value 2]]", false, "1 0 | 0", "2.5 2.0 2.5");
    // A string is no weight, and `weight` comes before `value`.
    check_text("g.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 value \"x\" ] ]", false,
               "0", "");
    check_text("g.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 value 3 weight 4 ] ]",
               false, "0", "4");
    check_text("g.gml", "graph [ directed 1 node [ id 0 value 3 rank NAN ] ]", true, "", "");
    // An edge without a weight has 1.
    check_text("g.gml", "graph [ directed 1 node [ id 0 ] edge [ source 0 target 0 ] edge [ source "
                        "0 target 0 weight 7 ] edge [ source 0 target 0 ] ]", true, "0 0 0",
               "1 7 1");
}

static void test_gml_errors(void **state)
{
    (void)state;
#define NODES "graph [ node [ id 1 ]\nnode [ id 2 ]\n"
    static const char *const bad[][2] = {
        {"", "@: the file ends before \"graph [\""},
        {"Creator \"x\"\n", "@:1: the file ends before \"graph [\""},
        {"graph 1\n", "@:1:7: '1': expected a list in brackets"},
        {"graph [ ]\n", "@: the graph is empty: it has no vertices"},
        {"graph [ node 1 ]\n", "@:1:14: '1': expected a list in brackets"},
        {"graph [ directed 2 ]\n", "@:1:18: '2': expected 1 (directed) or 0"},
        {"graph [ directed \"1\" ]\n", "@:1:21: a string: expected 1 (directed) or 0"},
        {"graph [ node ]\n", "@:1:14: ']': expected the value of a key: a number, a string or a "
                             "list"},
        {"graph [ node\n", "@:1: the file ends: expected the value of a key: a number, a string or "
                           "a list"},
        {"graph [ 5 ]\n", "@:1:9: '5': expected a key, such as node"},
        {"graph [ \"a\" ]\n", "@:1:12: a string: expected a key, such as node"},
        {"graph [ node [ id 1 ]\n", "@:1: the file ends in a list: expected ']' (the graph begins "
                                    "in line 1)"},
        {NODES "] ]\n", "@:3:4: a bracket too many: expected a key"},
        {NODES "]\ngraph [ ]\n", "@:4:8: a second graph: expected one (line 1)"},
        {NODES "label \"x\n\n", "@:4: the file ends in the string that begins in line 3"},
        {NODES "label \"\x1b\"\n", "@:3:8: the control character \\x1b: expected text"},
        {NODES "node [ label 3 ] ]\n",
         "@:3: a node without an id: expected \"node [ id NUMBER ]\""},
        {NODES "node [ id 2 ] ]\n", "@:3: vertex 2 is in line 2 already: expected each id once"},
        {NODES "node [ id 3 id 4 ] ]\n", "@:3:17: a second key 'id': expected one"},
        {NODES "node [ id -3 ] ]\n", "@:3:11: '-3': expected a vertex id (a 64-bit number, not "
                                     "negative)"},
        {NODES "node [ id 18446744073709551616 ] ]\n",
         "@:3:11: '18446744073709551616': expected a vertex id (a 64-bit number, not negative)"},
        {NODES "edge [ source 1 ] ]\n", "@:3: an edge without both ends: expected \"edge [ source "
                                        "ID target ID ]\""},
        {NODES "edge [ source 1 target \"2\" ] ]\n",
         "@:3:27: a string: expected a vertex id (a 64-bit number, not negative)"},
        {NODES "edge [ source 1 target 9 ] ]\n", "@:3: no node has the id 9: expected the id of a "
                                                 "node"},
        {NODES "edge [ source 1 target 2 weight \"1\" ] ]\n",
         "@:3:36: a string: expected a weight: a 32-bit integer, or a finite number"},
        {NODES "edge [ source 1 target 2 value 1x ] ]\n",
         "@:3:32: '1x': expected a weight: a 32-bit integer, or a finite number"},
        {NODES "edge [ source 1 target 2 weight NaN ] ]\n",
         "@:3:33: 'NaN': expected a weight: a 32-bit integer, or a finite number"},
    };
    REFUSE("bad.gml", bad);
}

// ---- GraphML ----

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml>\n"
#define NODE(id) "<node id=\"" id "\"/>\n"
#define EDGE(from, to) "<edge source=\"" from "\" target=\"" to "\"/>\n"
#define KEY(id, name)                                                                              \
    "<key id=\"" id "\" for=\"edge\" attr.name=\"" name "\" attr.type=\"double\"/>\n"
#define DATA_EDGE(from, to, data)                                                                  \
    "<edge source=\"" from "\" target=\"" to "\"><data key=\"k\">" data "</data></edge>\n"
#define DIRECTED "<graph edgedefault=\"directed\">\n"
#define UNDIRECTED "<graph edgedefault=\"undirected\">\n"
#define END "</graph></graphml>\n"

static void test_graphml(void **state)
{
    (void)state;
    check_text("g.graphml", HEAD UNDIRECTED NODE("a") NODE("b") EDGE("a", "b") END, false, "1 | 0",
               "");
    // Vertices are numbered as the nodes are listed. All data but weights is ignored.
    check_text("g.graphml",
               "<!DOCTYPE graphml SYSTEM \"http://127.0.0.1:1/graphml.dtd\"><!-- a comment -->"
               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
               "<key id=\"k\" for=\"node\" attr.name=\"weight\"/><desc>weight</desc>"
               DIRECTED EDGE("z&amp;", "a") "<node id=\"z&amp;\"><data key=\"k\">7</data>"
               "<y:Shape><node/><y:X>1</y:X></y:Shape></node>" NODE("a")
               "<edge source='a' target='a'><data key='d1'>x</data></edge>" END,
               true, "1 | 1", "");
    check_text("g.graphml", HEAD KEY("k", "Weight") UNDIRECTED NODE("a") NODE("b")
               DATA_EDGE("a", "b", " 2.5\n") DATA_EDGE("a", "a", "<![CDATA[4]]>") END,
               false, "1 0 | 0", "2.5 4.0 2.5");
    check_text("g.graphml", HEAD KEY("v", "value") KEY("k", "weight") DIRECTED NODE("a")
               DATA_EDGE("a", "a", "-3") END, true, "0", "-3");
    check_text("g.graphml", HEAD "<key id=\"k\" for=\"all\" attr.name=\"value\" attr.type=\"int\">"
               "<default> 9 </default></key>\n" DIRECTED NODE("a") EDGE("a", "a")
               DATA_EDGE("a", "a", "1") END, true, "0 0", "9 1");
    check_text("g.graphml", HEAD "<key id=\"k\" for=\"edge\" attr.name=\"value\" "
               "attr.type=\"string\"/>\n" DIRECTED NODE("a") DATA_EDGE("a", "a", "x") END,
               true, "0", "");
    check_text("g.graphml", HEAD "<key id=\"k\" for=\"edge\" attr.name=\"weight\" "
               "attr.type=\"boolean\"/>\n" DIRECTED NODE("a") DATA_EDGE("a", "a", "true") END,
               true, "0", "");
    // An edge without a weight has 1.
    check_text("g.graphml", HEAD KEY("k", "weight") DIRECTED NODE("a") EDGE("a", "a")
               DATA_EDGE("a", "a", "2.5") EDGE("a", "a") END, true, "0 0 0", "1.0 2.5 1.0");
    check_text("g.graphml", HEAD KEY("k", "weight") DIRECTED NODE("a") EDGE("a", "a") END, true,
               "0", "");
    // networkx writes a key for integers and one for floats.
    check_text("g.graphml", HEAD KEY("l", "weight") KEY("v", "value") KEY("k", "weight") DIRECTED
               NODE("a") DATA_EDGE("a", "a", "2.5")
               "<edge source='a' target='a'><data key='v'>7</data><data key='l'>3</data></edge>"
               END, true, "0 0", "2.5 3.0");
    // An edge may have another direction than the graph's edges have by default.
    check_text("g.graphml", HEAD UNDIRECTED NODE("a") NODE("b") NODE("c") EDGE("a", "b")
               "<edge source='c' target='a' directed='true'/>" EDGE("b", "c") END,
               true, "1 | 0 2 | 0 1", "");
    check_text("g.graphml", HEAD DIRECTED NODE("a") NODE("b")
               "<edge source='a' target='b' directed='false'/>" END, false, "1 | 0", "");
    check_text("g.graphml", HEAD UNDIRECTED NODE("a") END, false, "", "");
}

static void test_graphml_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "@:1:1: no element found: expected well-formed XML"},
        {HEAD DIRECTED "</graph>\n", "@:5:1: no element found: expected well-formed XML"},
        {"<graphml><key></graphml>", "@:1:17: mismatched tag: expected well-formed XML"},
        {"<gexf/>", "@:1:1: the element 'gexf': expected graphml"},
        {"<graphml/>", "@: the file ends without a graph: expected one"},
        {"<graphml><graph/></graphml>", "@:1:10: the graph's edgedefault is '': expected directed "
                                        "or undirected"},
        {HEAD "<graph edgedefault='both'/></graphml>", "@:3:1: the graph's edgedefault is 'both': "
                                                       "expected directed or undirected"},
        {HEAD DIRECTED END, "@: the graph is empty: it has no vertices"},
        {HEAD DIRECTED "</graph>" DIRECTED END, "@:4:9: a second graph: expected one"},
        {HEAD DIRECTED "<node/>" END, "@:4:1: a node without an id: expected <node id=\"...\">"},
        {HEAD DIRECTED NODE("a") NODE("a") END, "@:5:1: node 'a' is in line 4 already: expected "
                                                "each id once"},
        {HEAD DIRECTED NODE("a") "<edge source='a'/>" END,
         "@:5:1: an edge without both ends: expected <edge source=\"...\" target=\"...\">"},
        {HEAD DIRECTED NODE("a") "<edge source='a' target='a' directed='no'/>" END,
         "@:5:1: directed is 'no': expected true or false"},
        {HEAD DIRECTED NODE("a") EDGE("a", "b\x7f") END, "@:5: no node has the id 'b\\x7f': "
                                                         "expected the id of a node"},
        {HEAD DIRECTED "<node id='a'><graph/></node>" END, "@:4:14: a graph in a node: expected "
                                                           "none"},
        {HEAD DIRECTED NODE("a") "<edge source='a' target='a'><graph/></edge>" END,
         "@:5:29: a graph in a edge: expected none"},
        {HEAD DIRECTED "<hyperedge/>" END, "@:4:1: a hyperedge: expected edges between two nodes"},
        {HEAD KEY("a", "value") KEY("b", "value") KEY("c", "value") KEY("d", "value")
         KEY("e", "value") KEY("f", "value") KEY("g", "value") KEY("h", "value")
         KEY("i", "value") DIRECTED END, "@:11:1: more than 8 keys of weights: expected fewer"},
        {HEAD DIRECTED "</graph>" KEY("k", "weight") "</graphml>",
         "@:4:9: the key of the weights follows the graph: expected it before"},
        {HEAD KEY("", "weight") DIRECTED END, "@:3:1: the id '' of a key has 0 bytes: expected 1 "
                                              "to 63"},
        {HEAD KEY("k", "weight") DIRECTED NODE("a") DATA_EDGE("a", "a", "1 2") END,
         "@:6:46: '1 2': expected a weight: a 32-bit integer, or a finite number"},
        {HEAD KEY("k", "weight") DIRECTED NODE("a") DATA_EDGE("a", "a", "") END,
         "@:6:43: '': expected a weight: a 32-bit integer, or a finite number"},
        {HEAD KEY("k", "weight") DIRECTED NODE("a")
         DATA_EDGE("a", "a", "0.0000000000000000000000000000000000000000000000000000000000000001")
         END, "@:6:109: 66 bytes of text: expected a weight: a 32-bit integer, or a finite number"},
        {HEAD KEY("k", "weight") DIRECTED NODE("a") "<edge source='a' target='a'>"
         "<data key='k'>1</data><data key='k'>2</data></edge>" END,
         "@:6:51: a second weight of the edge: expected one"},
        {"<?xml version='1.0' encoding='EBCDIC-NL'?><graphml/>",
         "@:1:31: unknown encoding: expected well-formed XML"},
    };
    REFUSE("bad.graphml", bad);
}

// Nothing expands, and nothing outside of the file is opened.
static void test_entities(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"<!DOCTYPE g [<!ENTITY a \"b\">]><graphml>&a;</graphml>",
         "@:1:13: declarations in the document type: expected none, because entities and default "
         "values are not read"},
        {"<!DOCTYPE g [<!ENTITY a SYSTEM \"/etc/passwd\">]><graphml>&a;</graphml>",
         "@:1:13: declarations in the document type: expected none, because entities and default "
         "values are not read"},
        {"<graphml>&a;</graphml>", "@:1:10: undefined entity: expected well-formed XML"},
        {"<!DOCTYPE g SYSTEM \"/etc/passwd\"><graphml>&a;</graphml>",
         "@:1:43: the entity 'a' is not declared: expected &lt;, &gt;, &amp;, &apos; or &quot;"},
    };
    REFUSE("bad.graphml", bad);
}

// The first of `count` copies of a text lies behind `start`, the last before `end`.
static char *repeated(const char *start, const char *text, size_t count, const char *end)
{
    size_t length = strlen(text);
    char *bytes = malloc(strlen(start) + length * count + strlen(end) + 1), *p = bytes;
    assert_non_null(bytes);
    p = stpcpy(p, start);
    for (size_t i = 0; i < count; i++, p += length) memcpy(p, text, length);
    strcpy(p, end);
    return bytes;
}

// Opens a long text within 4 MiB, which must fail with the message.
static void refuse_long(const char *name, char *text, const char *message)
{
    HdError err = {0};
    HdGraphOptions options = {.max_memory = 4 << 20};
    assert_null(graph_open_bytes(name, text, strlen(text), &options, &err));
    assert_string_equal(err.text, message);
    free(text);
}

// What takes little in the file and much in memory or time.
static void test_hostile(void **state)
{
    (void)state;
    refuse_long("deep.graphml", repeated("", "<graphml>", 65, ""),
                "deep.graphml:1:577: more than 64 elements in each other: expected fewer");
    refuse_long("long.graphml", repeated("<graphml><!--", "x", 3 << 20, ""),
                "long.graphml:1:10: a tag or a comment is longer than 1.0 MiB: expected a shorter "
                "one");
    refuse_long("long.graphml", repeated("<graphml a=\"", "x", 3 << 20, ""),
                "long.graphml:1:1: a tag or a comment is longer than 1.0 MiB: expected a shorter "
                "one");
    // 15 copies of an entity in each of 8 entities would be 2.5 billion.
    char *laughs = repeated("<!DOCTYPE g [<!ENTITY a \"ha\">", "<!ENTITY b \"&a;&a;&a;\">", 8,
                            "]><graphml>&b;</graphml>");
    refuse_long("laughs.graphml", laughs,
                "laughs.graphml:1:13: declarations in the document type: expected none, because "
                "entities and default values are not read");
    refuse_long("deep.gml", repeated("graph [", "a [", 1 << 20, ""),
                "deep.gml:1: the file ends in a list: expected ']' (the graph begins in line 1)");
    refuse_long("many.net", repeated("*Vertices 9\n*Arcs\n", "1 2\n", 1 << 20, ""),
                "many.net: the edges need 4.1 MiB of memory: expected at most 4.0 MiB in all "
                "(--max-memory)");
    refuse_long("big.net", repeated("*Vertices 2000000000\n", "", 0, ""),
                "big.net:1:1: 2000000000 vertices need 22.4 GiB of memory: expected at most 4.0 "
                "MiB in all (--max-memory)");
    refuse_long("big.adj", repeated("AdjacencyGraph\n4000000000\n4000000000\n", "0\n", 10, ""),
                "big.adj:13: the file ends after 10 offsets: expected 4000000000");
    // Memory of the library counts too: names of elements, and names of vertices.
    HdError err = {0};
    enum { NAMES = 40000 };
    char *names = malloc(NAMES * 24 + 32), *p = stpcpy(names, "<graphml>");
    for (int i = 0; i < NAMES; i++) p += sprintf(p, "<a%d/>", i);
    HdGraphOptions options = {.max_memory = 1 << 20};
    assert_null(graph_open_bytes("names.graphml", names, strlen(names), &options, &err));
    assert_contains(err.text, "names.graphml: the reader of XML need ");
    free(names);
}

// Ids that were chosen for their hashes end with a message, and do not slow the table down.
static void test_crowded_names(void **state)
{
    (void)state;
    enum { CROWD = 257, LARGEST_TABLE = 1024 };
    HdError err = {0};
    char *text = malloc(CROWD * 40 + 16), *p = stpcpy(text, "graph [\n");
    uint64_t id = 0;
    for (int found = 0; found < CROWD; id++) {
        if (hash_bytes(HASH_START, &id, sizeof id) % LARGEST_TABLE != 0) continue;
        p += sprintf(p, "node [ id %llu ]\n", (unsigned long long)id);
        if (++found != CROWD - 1) continue;
        strcpy(p, "]\n");
        HdGraph *graph = graph_open_bytes("crowd.gml", text, strlen(text), NULL, &err);
        assert_non_null(graph);
        hd_graph_free(graph);
    }
    strcpy(p, "]\n");
    assert_null(graph_open_bytes("crowd.gml", text, strlen(text), NULL, &err));
    assert_string_equal(err.text, "crowd.gml:258: the names of more than 256 vertices have one "
                                  "hash: expected other names");
    free(text);
}

// All memory counts: at every limit there is a graph, or a message with it.
static void test_every_limit(void **state)
{
    (void)state;
    enum { VERTICES = 300, ROOM = 1 << 16 };
    static const char *const names[] = {"g.graphml", "g.gml", "g.net", "g.adj", "g.col",
                                        "g.rodinia", "g.txt"};
    static const char *const heads[] = {
        HEAD KEY("k", "weight") UNDIRECTED, "graph [\n", "*Vertices 300\n*Edges\n",
        "WeightedAdjacencyGraph 300 300\n", "p edge 300 300\n", "300\n", "",
    };
    static const char *const tails[] = {END, "]\n", "*Arcs\n1 2 .5\n", "", "", "", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = malloc(ROOM), *p = stpcpy(text, heads[i]);
        for (int v = 0; v < VERTICES; v++) {
            if (i == 0) p += sprintf(p, "<node id=\"n%d\"/>", v);
            if (i == 1) p += sprintf(p, "node [ id %d ]\n", 7 * v);
            if (i == 3) p += sprintf(p, "%d ", v);
            if (i == 5) p += sprintf(p, "%d 1\n", v);
        }
        if (i == 5) p = stpcpy(p, "0\n300\n");
        for (int v = 0; v < VERTICES; v++) {
            if (i == 0) p += sprintf(p, DATA_EDGE("n%d", "n%d", "%d"), v, v / 2, v);
            if (i == 1) p += sprintf(p, "edge [ source %d target 0 value %d.5 ]\n", 7 * v, v);
            if (i == 2) p += sprintf(p, "%d 1 %d\n", v + 1, v);
            if (i == 3) p += sprintf(p, "%d ", v / 2);
            if (i == 4) p += sprintf(p, "e %d %d\n", v + 1, v / 2 + 1);
            if (i == 5) p += sprintf(p, "%d %d\n", v / 2, v);
            if (i == 6) p += sprintf(p, "n%d n%d %d\n", v, v / 2, v);
        }
        for (int v = 0; i == 3 && v < VERTICES; v++) p += sprintf(p, "%d ", v);
        p = stpcpy(p, tails[i]);
        assert_true(p - text < ROOM);
        int refused = 0;
        HdGraph *graph = NULL;
        for (uint64_t limit = 64; !graph; limit += limit / 16) {
            HdError err = {0};
            HdGraphOptions options = {.max_memory = limit};
            graph = graph_open_bytes(names[i], text, (size_t)(p - text), &options, &err);
            if (!graph && !strstr(err.text, "(--max-memory)")) fail_msg("%s", err.text);
            refused += graph == NULL;
        }
        assert_in_range(refused, 10, 400);
        hd_graph_free(graph);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ligra),     cmocka_unit_test(test_ligra_errors),
        cmocka_unit_test(test_pajek),     cmocka_unit_test(test_pajek_errors),
        cmocka_unit_test(test_gml),       cmocka_unit_test(test_gml_errors),
        cmocka_unit_test(test_graphml),   cmocka_unit_test(test_graphml_errors),
        cmocka_unit_test(test_entities),  cmocka_unit_test(test_crowded_names),
        cmocka_unit_test(test_hostile),   cmocka_unit_test(test_every_limit),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
