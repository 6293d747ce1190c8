// Lists of edges whose text leaves open how they are read: columns, first lines, ids. What was
// assumed is a note, and --format decides.
#include "graph_checks.h"

#include <stdio.h>
#include <string.h>

// ---- columns ----

static void test_named_columns(void **state)
{
    (void)state;
    static const Reading readings[] = {
        {"id.csv", "id,source,target\n0,5,6\n1,6,7\n2,7,5\n", NULL, "1 | 2 | 0",
         "@:1: columns that are not read: 'id'\n"},
        {"space.csv", "src dst\n0 1\n1 2\n", NULL, "1 | 2 |", ""},
        {"case.txt", "TARGET Source\n0 1\n1 2\n", NULL, "| 0 | 1", ""},
        {"uv.edges", "v\tu\n0\t1\n", NULL, "| 0", ""},
        {"snap.txt", "FromNodeId;to_node_id\n0;1\n", NULL, "1 |", ""},
        {"two.csv", "node_1,node_2\n0,1\n", NULL, "1 |", ""},
        // pandas writes an index without a name, and R quotes names and numbers.
        {"pandas.csv", ",source,target\n0,5,6\n1,6,5\n", NULL, "1 | 0",
         "@:1: columns that are not read: ''\n"},
        {"r.csv", "\"\",\"from\",\"to\"\n\"1\",\"5\",\"6\"\n\"2\",\"6\",\"5\"\n", NULL, "1 | 0",
         "@:1: columns that are not read: ''\n"},
        // A column that is not read may have separators in quotes, '#', or nothing.
        {"label.csv", "from,label,to\n0,\"a, \"\"b\"\"\",1\n1,#1,2\n2,,0\n", NULL, "1 | 2 | 0",
         "@:1: columns that are not read: 'label'\n"},
        {"empty.tsv", "from\tto\tlabel\tkind\n0\t1\t\tx y\n1\t0\ta b\t\n", NULL, "1 | 0",
         "@:1: columns that are not read: 'label', 'kind'\n"},
        {"unknown.csv", "a,b\n0,1\n", NULL, "1 |",
         "@:1: the columns 'a', 'b' are read as source and target\n"},
        {"given.csv", "when,a,b\n9,0,1\n", "csv,from=3,to=2", "| 0",
         "@:1: columns that are not read: 'when'\n"},
    };
    CHECK(readings);
    CHECK_READ(READING("w.csv", "Wgt,id,SRC,DST\n7,9,0,1\n-8,9,1,0\n", NULL, "1 | 0",
                       "@:1: columns that are not read: 'id'\n"), 7, -8);
    CHECK_READ(READING("w.csv", "weight,from,to,cost\n7,0,1,5\n", "csv,weight=4", "1 |",
                       "@:1: columns that are not read: 'weight'\n"), 5);
    hd_graph_free(check_reading(&(Reading){"n.csv", "from,to,weight\n0,1,x\n", "csv,weight=none",
                                           "1 |", "@:1: columns that are not read: 'weight'\n"}));
}

static void test_refused_columns(void **state)
{
    (void)state;
    static const Reading readings[] = {
        {"x.csv", "a,b,c\n0,1,2\n", NULL, NULL,
         "@:1:1: the columns 'a', 'b', 'c': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N,weight=N"},
        {"x.csv", "id,source\n0,1\n", NULL, NULL,
         "@:1:1: the columns 'id', 'source': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N"},
        {"x.txt", "id source\n0 1\n", NULL, NULL,
         "@:1:1: the columns 'id', 'source': expected names such as source, target and weight, or "
         "--format txt,from=N,to=N"},
        {"x.csv", "from,to\n0,1\n", "csv,weight=3", NULL,
         "@:1:1: 2 columns: expected at least 3, which --format names"},
        {"x.csv", "from,to,id\n0,1\n", NULL, NULL,
         "@:2:4: the line ends: expected the comma before the next column"},
        {"x.csv", "from,to,id\n0,1,2,3\n", NULL, NULL,
         "@:2:6: extra field ',3': expected 3 columns, as line 1 has"},
        {"x.csv", "from to id\n0 1\n", NULL, NULL,
         "@:2:4: 2 columns: expected 3, as line 1 has"},
        {"x.csv", "from,to\n\"0,1\n", NULL, NULL,
         "@:2:2: '0,1': expected a vertex id (a 64-bit number, not negative)"},
        {"x.csv", "from,to\n\"0\"x,1\n", NULL, NULL,
         "@:2:4: 'x': expected a vertex id (a 64-bit number, not negative)"},
        {"x.tsv", "from\tto\n0\t\t1\n", NULL, NULL,
         "@:2:3: the field is empty: expected the id of the edge's second vertex (a 64-bit number, "
         "not negative)"},
        {"x.csv", "id,from,to\n\x1b,0,1\n", NULL, NULL,
         "@:2:1: the control character \\x1b: expected text"},
        {"x.csv", "id,from,to\n\"\x1b\",0,1\n", NULL, NULL,
         "@:2:2: the control character \\x1b: expected text"},
    };
    CHECK(readings);
}

static void test_many_names(void **state)
{
    (void)state;
    char text[8192] = "from,to", data[4096] = "0,1";
    for (int i = 0; i < 200; i++) {
        snprintf(text + strlen(text), 32, ",column-%d", i);
        strcat(data, ",x");
    }
    strcat(strcat(text, "\n"), data);
    char notes[HD_ERROR_TEXT] = "";
    HdError err = {0};
    Reading reading = {.format = NULL};
    HdGraph *graph = open_reading(&reading, scratch_text("many.csv", text), notes, &err);
    assert_non_null(graph);
    assert_contains(notes, "many.csv:1: columns that are not read: 'column-0', 'column-1', ");
    assert_contains(notes, "', ...\n");
    hd_graph_free(graph);
}

static void test_four_columns(void **state)
{
    (void)state;
#define WEIGHT ",weight=N (N: the number of a column, or none)"
#define UNNAMED "5 columns without names: expected 2 to 4, or --format "
#define OF_FOUR(format)                                                                            \
    "of 4 columns, column 3 is read as the weight, and column 4 is not read (--format " format     \
    ",weight=N says otherwise; N: the number of a column, or none)\n"
    CHECK_READ(READING("otc.csv", "6,2,4,1289241911.72836\n6,5,-2,1289241941.53378\n", NULL,
                       "| | 0 1", "@:1: " OF_FOUR("csv")), 4, -2);
    CHECK_READ(READING("k.txt", "1 2 1 1082040961\n2 3 -1 1082155839\n", NULL, "1 | 2 |",
                       "@:1: " OF_FOUR("txt")), 1, -1);
    CHECK_READ(READING("k.txt", "1 2 8 5\n2 3 9 6\n", "txt,weight=4", "1 | 2 |", ""), 5, 6);
    CHECK_READ(READING("k.txt", "9 1 2 5\n9 2 3 6\n", "txt,from=3,to=2,weight=4", "| 0 | 1", ""),
               5, 6);
    static const Reading readings[] = {
        {"k.txt", "1 2 8 5\n2 3 9 6\n", "txt,weight=none", "1 | 2 |", ""},
        {"k.txt", "1 2 a b c\n2 3 a b c\n", "txt,weight=none", "1 | 2 |", ""},
        {"k.txt", "9 1 2\n9 2 3\n", "txt,from=2,to=3", "1 | 2 |", ""},
        {"k.txt", "1 2\n2 3\n", "txt,to=1", "| 0 | 1", ""},
        {"k.txt", "1 2\n2 3\n", "txt,from=2", "| 0 | 1", ""},
        {"k.txt", "1 2 a b c\n", NULL, NULL,
         "@:1:1: " UNNAMED "txt" WEIGHT},
        {"k.txt", "1::1193::5\n1::661::3\n", NULL, NULL,
         "@:1:1: one column: '::' separates none: expected blanks, tabs, commas or semicolons "
         "(sed 's/::/,/g' makes commas)"},
        {"k.txt", "1 2\n2 3\n", "txt,weight=3", NULL,
         "@:2:1: 2 columns: expected at least 3, which --format names"},
        {"times.txt", "1 2 1082040961\n2 3 1082155839\n", NULL, "1 | 2 |",
         "@:1: column 3 is read as the weight, though its numbers look like times in seconds "
         "(--format txt,weight=none does not read it)\n"},
        {"times.txt", "1 2 1082040961\n2 3 1\n", NULL, "1 | 2 |", ""},
    };
    CHECK(readings);
}

// Lines that may be an adjacency matrix, too.
static void test_matrices(void **state)
{
    (void)state;
#define MATRIX(n, format)                                                                          \
    "@:1: " n " lines of " n " columns, which may be an adjacency matrix, are read as edges "      \
    "(--format " format ",first=edge says so)\n"
    static const Reading readings[] = {
        {"m.csv", "0,7\n7,0\n", NULL, "1 | 0", MATRIX("2", "csv")},
        {"m.txt", "1 0\n0 1\n", NULL, "1 | 0", MATRIX("2", "txt")},
        {"m.txt", "0 1 1\n1 0 0\n1 0 0\n", NULL, "1 | 0 0", MATRIX("3", "txt")},
        {"m.txt", "0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 1 0\n", NULL, "1 1 | 0 0",
         "@:1: " OF_FOUR("txt") MATRIX("4", "txt")},
        {"m.csv", "0,7\n7,0\n", "csv,first=edge", "1 | 0", ""},
        {"m.el", "0 1\n1 0\n", NULL, "1 | 0", ""},
        {"m.txt", "0 1\n1 2\n", NULL, "1 | 2 |", ""},
        {"m.txt", "0 1 1\n1 0 0\n", NULL, "1 | 0", ""},
        {"m.csv", "from,to\n0,1\n1,0\n", NULL, "1 | 0", ""},
        {"m.csv", "a,b\n0,1\n1,0\n", NULL, "1 | 0",
         "@:1: the columns 'a', 'b' are read as source and target\n"},
        {"m.edgelist", "0 1 {}\n1 2 {}\n2 0 {}\n", NULL, "1 | 2 | 0", ""},
    };
    CHECK(readings);
}

#define NO_MATRIX(n)                                                                               \
    "the lines look like an adjacency matrix of " n " vertices, which is not read: expected a "    \
    "list of edges, or Matrix Market, which SciPy writes by scipy.io.mmwrite; if the lines "       \
    "are edges, --format "
#define COLUMNS ",from=N,to=N,weight=N"
static void test_refused_matrices(void **state)
{
    (void)state;
    static const Reading refused[] = {
        {"m.csv", "# c\n0,1,0,0,1\n1,0,1,0,0\n0,1,0,1,0\n\n0,0,1,0,1\n1,0,0,1,0\n", NULL,
         NULL, "@:2:1: " NO_MATRIX("5") "csv" WEIGHT},
        {"m.txt", "0 .5 0 0 1\n.5 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n1 0 0 1 0", NULL, NULL,
         "@:1:1: " NO_MATRIX("5") "txt" WEIGHT},
        {"m.csv", "a,b,c\n0,1,0\n1,0,1\n0,1,0\n", NULL, NULL,
         "@:1:1: " NO_MATRIX("3") "csv" COLUMNS},
        {"m.csv", ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", NULL, NULL,
         "@:1:1: " NO_MATRIX("3") "csv" COLUMNS},
        // Words are no numbers, and what --format says counts.
        {"m.csv", "a,b,c\n0,1,0\n1,x,1\n0,1,0\n", NULL, NULL, "@:1:1: the columns 'a', 'b', 'c': "
         "expected names such as source, target and weight, or --format csv" COLUMNS},
        {"m.csv", "user,item,when\n0,1,0\n1,0,1\n0,1,0\n", "csv,to=1", NULL,
         "@:1:1: the columns 'user', 'item', 'when': expected names such as source, target and "
         "weight, or --format csv" COLUMNS},
        {"m.txt", "1 2 a b c\n1 2 a b c\n1 2 a b c\n1 2 a b c\n1 2 a b c\n", NULL, NULL,
         "@:1:1: " UNNAMED "txt" WEIGHT},
        {"m.txt", "1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n", "txt,first=edge", NULL,
         "@:1:1: " UNNAMED "txt,first=edge" WEIGHT},
        // One line more or less, or a longer one.
        {"m.txt", "0 1 0 0 1\n1 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n", NULL, NULL,
         "@:1:1: " UNNAMED "txt" WEIGHT},
        {"m.txt", "0 1 0 0 1\n1 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n1 0 0 1 0\n1 1 1 1 1\n", NULL,
         NULL, "@:1:1: " UNNAMED "txt" WEIGHT},
        {"m.csv", "a,b,c\n0,1,0\n1,0,1\n0,1,0,1\n", NULL, NULL,
         "@:1:1: the columns 'a', 'b', 'c': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N,weight=N"},
        {"m.txt", "0 1 0 0 1\n\x1b\n", NULL, NULL,
         "@:1:1: " UNNAMED "txt" WEIGHT},
    };
    CHECK(refused);
}

static void test_dictionaries(void **state)
{
    (void)state;
    CHECK_READ(READING("nx.edgelist", "0 1 {'weight': 5}\n1 2 {'a': {'weight': 9}, 'weight': -6}\n",
                       NULL, "1 | 2 |", ""), 5, -6);
    CHECK_READ(READING("nx.csv", "0,1,{\"x\": 'weight', \"weight\" : 5, 'y': 1}\n"
                                 "1,2,{'weight':6}\n", NULL, "1 | 2 |", ""), 5, 6);
    static const Reading readings[] = {
        {"nx.edgelist", "0 1 {}\n1 2 {} # c\n", NULL, "1 | 2 |", ""},
        {"nx.edgelist", "0 1 {'color': 'red, }'}\n1 2 {}\n", NULL, "1 | 2 |", ""},
        {"nx.edgelist", "0 1 {'weight': 5}\n1 2 {}\n", "edgelist,weight=none", "1 | 2 |", ""},
        {"nx.edgelist", "0 1 {'weight': 5}\n1 2 {}\n", NULL, NULL,
         "@:2:5: the dictionary has no 'weight': expected one, as line 1 has"},
        {"nx.edgelist", "0 1 {}\n1 2 {\n", NULL, NULL,
         "@:2:5: the dictionary has no end: expected '}'"},
        {"nx.edgelist", "0 1 {}\n1 2\n", NULL, NULL,
         "@:2:4: the line ends: expected a dictionary such as {'weight': 5}"},
        {"nx.edgelist", "0 1 {'weight': 'x'}\n", NULL, NULL,
         "@:1:16: ''x': expected a weight (a 32-bit integer or a finite 32-bit float)"},
        {"nx.edgelist", "0 1 {} 5\n", NULL, NULL,
         "@:1:8: extra field '5': expected 3 columns, as line 1 has"},
        {"nx.edgelist", "0 1 {\x1b}\n", NULL, NULL,
         "@:1:6: the control character \\x1b: expected text"},
    };
    CHECK(readings);
    HdGraph *g = check_reading(&(Reading){"nx.edgelist", "0 1 {'weight': 5}\n"
                                          "1 2 {'weight': 1e-1}\n", NULL, "1 | 2 |", ""});
    assert_memory_equal(g->real_weights, ((float[]){5, 0.1f}), 8);
    hd_graph_free(g);
}

static void test_comments_behind_edges(void **state)
{
    (void)state;
    static const Reading readings[] = {
        {"c.el", "0 1 # c\n1 2\n", NULL, "1 | 2 |", ""},
        {"c.txt", "0 1 % a, b\n1 2#\n", NULL, NULL,
         "@:2:3: '2#': expected the id of the edge's second vertex (a 64-bit number, not "
         "negative)"},
        {"c.csv", "0,1 # c; d\n1,2\n", NULL, "1 | 2 |", ""},
        {"c.txt", "0 1 # \x1b\n", NULL, NULL, "@:1:7: the control character \\x1b: expected text"},
    };
    CHECK(readings);
    CHECK_READ(READING("c.wel", "0 1 5 # c\n1 2 6\n", NULL, "1 | 2 |", ""), 5, 6);
}

// ---- the first line ----

static void test_sizes(void **state)
{
    (void)state;
#define CERTAIN(v, e)                                                                              \
    "read as the numbers of vertices (" v ") and edges (" e "), because they fit the lines that "  \
    "follow"
#define SIZES(v, e, format) CERTAIN(v, e) " (--format " format ",first=edge reads an edge)\n"
    static const Reading readings[] = {
        {"n.txt", "3 3\n0 1\n1 2\n2 0\n", NULL, "1 | 2 | 0", "@:1: " SIZES("3", "3", "txt")},
        // From 1; and vertices without an edge.
        {"n.txt", "# c\n3 2\n1 3\n3 1\n", NULL, "2 | | 0", "@:2: " SIZES("3", "2", "txt")},
        {"n.txt", "5 2\n1 3\n3 1\n", NULL, "| 3 | | 1 |", "@:1: " SIZES("5", "2", "txt")},
        {"n.csv", "3,3\n0,1\n1,2\n2,0\n", NULL, "1 | 2 | 0", "@:1: " SIZES("3", "3", "csv")},
        {"n.el", "4 1\n0 1\n", NULL, "1 | | |", "@:1: " SIZES("4", "1", "el")},
        // As the size line of a matrix.
        {"n.txt", "3 3 2\n1 2\n2 3\n", NULL, "1 | 2 |", "@:1: " CERTAIN("3", "2") "\n"},
        // They do not fit: too few edges, an id above, both 0 and N, rows and columns.
        {"n.txt", "3 3\n0 1\n1 2\n", NULL, "1 | 2 | | 3", ""},
        {"n.txt", "2 2\n0 1\n1 3\n", NULL, "1 | 3 | 2 |", ""},
        {"n.txt", "2 2\n0 1\n1 2\n", NULL, "1 | 2 | 2", ""},
        {"n.txt", "9999999999 1\n0 1\n", NULL, "1 | | 1", ""},
        {"n.txt", "20000000 1\n0 1\n", NULL, "1 | | 1", ""},
        {"n.txt", "from to\n3 1\n0 1\n", NULL, "1 | | 1", ""},
        {"n.txt", "% asym unweighted\n3 1\n0 1\n", NULL, "1 | | 1",
         "@:1: KONECT's header: directed edges\n"},
        {"n.txt", "# Nodes: 2 Edges: 2\n2 1\n2 2\n", NULL, "| 0 1", ""}, // SNAP's header
        {"n.txt", "3 1\n0 1\n", "txt,first=edge", "1 | | 1", ""},
        {"n.txt", "9 1\n0 1\n", "txt,first=sizes", "1 | | | | | | | |", ""},
        {"n.txt", "3 4 1\n1 2\n", NULL, NULL, "@:2:4: the line ends: expected a weight (a 32-bit "
                                              "integer or a finite 32-bit float)"},
        {"n.txt", "3 1\n0 1 5\n1 2 6\n", NULL, NULL,
         "@:2:1: 3 columns: expected as many as in line 1, unless line 1 has the numbers of "
         "vertices and edges (2 edges follow, with ids up to 2)"},
        {"n.txt", "3 3\n0 1 5\n1 2 6\n", "txt,first=edge", NULL,
         "@:2:5: extra field '5': expected 2 columns, as line 1 has"},
        {"n.txt", "3 3\n0 1\n1 2\n", "txt,first=sizes", NULL,
         "@:1:1: 3 vertices and 3 edges: expected 2 edges, as they follow, with ids up to 2"},
        {"n.txt", "2 2\n0 1\n1 2\n", "txt,first=sizes", NULL,
         "@:1:1: 2 vertices and 2 edges: expected 2 edges, as they follow, with ids up to 2"},
        {"n.txt", "3 4 1\n1 2\n", "txt,first=sizes", NULL,
         "@:1:1: '3': expected the numbers of vertices and edges, which --format says are here"},
        {"n.txt", "3 3\n", "txt,first=sizes", NULL, "@: the graph is empty: no edges"},
        {"n.txt", "4294967295 1\n0 1\n", "txt,first=sizes", NULL,
         "@:1:1: 4294967295 vertices, of which 1 edges join at most 2: expected at most 16777216 "
         "without an edge (--max-memory SIZE allows more)"},
        {"n.txt", "4294967296 1\n0 1\n", "txt,first=sizes", NULL,
         "@:1:1: 4294967296 vertices: expected at most 4294967295, which have 32-bit numbers"},
    };
    CHECK(readings);
}

static void test_sizes_and_weights(void **state)
{
    (void)state;
    CHECK_READ(READING("w.txt", "3 2\n0 1 5\n1 2 6\n", NULL, "1 | 2 |",
                       "@:1: " CERTAIN("3", "2") "\n"), 5, 6);
    CHECK_READ(READING("w.txt", "3 3 2\n0 1 5\n1 2 6\n", NULL, "1 | 2 |",
                       "@:1: " SIZES("3", "2", "txt")), 5, 6);
    CHECK_READ(READING("w.txt", "3 2\n0 1 5 7\n1 2 6 8\n", NULL, "1 | 2 |",
                       "@:2: " OF_FOUR("txt") "@:1: " CERTAIN("3", "2") "\n"), 5, 6);
    CHECK_READ(READING("w.txt", "3 2\n0 1 5\n1 2 6\n", "txt,weight=3", "1 | 2 |",
                       "@:1: " CERTAIN("3", "2") "\n"), 5, 6);
    HdGraph *g = check_reading(&(Reading){"w.txt", "2 2 2\n1 2 .5\n2 1 3\n", NULL, "1 | 0",
                                          "@:1: " SIZES("2", "2", "txt")});
    assert_memory_equal(g->real_weights, ((float[]){0.5f, 3}), 8);
    assert_memory_equal(g->ids, ((uint64_t[]){1, 2}), 16);
    hd_graph_free(g);
}

static void test_konect(void **state)
{
    (void)state;
    CHECK_READ(READING("out.flickr", "% sym weighted\n% 2 3 3\n1 2 5\n2 3 6\n", NULL, "1 | 0 2 | 1",
                       "@:1: KONECT's header: each edge goes both ways\n"), 5, 5, 6, 6);
    CHECK_READ(READING("a.txt", "% asym signed\n1 2 -1 1082040961\n2 3 1 1082155839\n", NULL,
                       "1 | 2 |", "@:1: KONECT's header: directed edges\n@:2: " OF_FOUR("txt")),
               -1, 1);
    static const Reading readings[] = {
        {"u.txt", "% sym unweighted\n1 2 1 9\n2 3 1 9\n", NULL, "1 | 0 2 | 1",
         "@:1: KONECT's header: each edge goes both ways\n"},
        {"b.txt", "% bip unweighted\n1 1\n1 2\n2 1\n", NULL, "2 3 | 2 | 0 1 | 0",
         "@:1: KONECT's header: each edge goes both ways; the vertices of the second column follow "
         "those of the first\n"},
        {"b.txt", "% bip unweighted\n4 2\n1 1\n2 2\n", "txt,first=sizes", "2 | 3 | 0 | 1",
         "@:1: KONECT's header: each edge goes both ways; the vertices of the second column follow "
         "those of the first\n"},
        {"b.txt", "% bip unweighted\n1 1\n1 2\n2 1\n", "txt,names", "2 3 | 2 | 0 1 | 0",
         "@:1: KONECT's header: each edge goes both ways; the vertices of the second column follow "
         "those of the first\n@:2: " NAMES("1")},
        {"b.txt", "% bip unweighted\na x\nb a\n", NULL, "2 | 3 | 0 | 1",
         "@:1: KONECT's header: each edge goes both ways; the vertices of the second column follow "
         "those of the first\n@:2: " NAMES("a")},
        {"b.csv", "% asym unweighted\nfrom,x\n", "csv,names", "1 |",
         "@:1: KONECT's header: directed edges\n@:2: " NAMES("from")},
        {"b.txt", "% asym unweighted\n1 2\n2 b\n", NULL, NULL,
         "@:3:3: 'b': expected the id of the edge's second vertex (a 64-bit number, not negative), "
         "or --format txt,names, which reads all ids as names"},
        {"b.txt", "% bip unweighted\n18446744073709551615 1\n", NULL, NULL,
         "@: ids up to 18446744073709551615 on the first side of a bipartite graph: expected less, "
         "because those of the second side follow"},
        {"c.txt", "% symmetric weighted\n1 2\n", NULL, "1 |", ""},
        {"c.txt", "% sym\n1 2\n", NULL, "1 |", ""},
    };
    CHECK(readings);
    HdGraph *g = check_reading(&(Reading){"out.ego.flickr", "1 2\n", NULL, "1 |", ""});
    assert_string_equal(g->name, "ego");
    hd_graph_free(g);
    g = open_ok(scratch_text("out.txt", "1 2\n"));
    assert_string_equal(g->name, "out");
    hd_graph_free(g);
}

// ---- ids ----

static void test_kept_ids(void **state)
{
    (void)state;
    static const Reading readings[] = {
        {"k.el", "1 4\n4 1\n", NULL, "| 4 | | | 1", ""},
        {"k.wel", "0 2 5\n2 0 6\n", NULL, "2 | | 0", ""},
        {"k.txt", "1 4\n4 1\n", "el", "| 4 | | | 1", ""},
        {"k.el", "1 4\n4 1\n", "txt", "1 | 0", ""},
        {"k.el", "0 16777217\n", NULL, NULL,
         "@: id 16777217: expected at most 16777216, because each number up to it is a vertex in "
         "this format (--format txt numbers the ids without gaps)"},
        {"k.el", "0 18446744073709551615\n", NULL, NULL,
         "@: id 18446744073709551615: expected at most 16777216, because each number up to it is a "
         "vertex in this format (--format txt numbers the ids without gaps)"},
    };
    CHECK(readings);
    HdGraph *g = check_reading(&readings[0]);
    assert_null(g->ids);
    hd_graph_free(g);
    // What the limit of memory allows.
    HdError err = {0};
    g = hd_graph_open(scratch_text("k.el", "0 16777217\n"),
                      &(HdGraphOptions){.max_memory = (uint64_t)1 << 30}, &err);
    assert_non_null(g);
    assert_int_equal(g->vertices, 16777218);
    hd_graph_free(g);
    const char *path = scratch_text("k.el", "0 4294967294\n");
    assert_null(hd_graph_open(path, &(HdGraphOptions){.max_memory = 1 << 20}, &err));
    check_with_path(err.text, "@: 4294967295 vertices need 48.1 GiB of memory: expected at most "
                              "1.0 MiB in all (--max-memory)", path);
}

// The ids of the file follow their vertices through all changes.
static void test_ids_after_changes(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"drop-loops", NULL}, {"symmetrize", NULL}, {"largest-component", NULL},
        {"relabel", "degree"},
    };
    HdError err = {0};
    HdGraphOptions options = {0};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        assert_true(hd_graph_option(&options, changes[i][0], changes[i][1], &err));
    // 10 and 20 are a component of their own; 50 has three neighbours.
    const char *path = scratch_text("i.txt", "10 20\n30 50\n40 50\n50 60\n40 40\n");
    HdGraph *g = hd_graph_open(path, &options, &err);
    assert_non_null(g);
    check_rows(g, "3 1 2 | 0 | 0 | 0");
    assert_memory_equal(g->ids, ((uint64_t[]){50, 30, 40, 60}), 32);
    hd_graph_free(g);
    options = (HdGraphOptions){.format = "txt", .list.bipartite = true};
    assert_true(hd_graph_option(&options, "relabel", "degree", &err));
    g = hd_graph_open(scratch_text("sides.txt", "1 1\n2 1\n2 2\n"), &options, &err);
    assert_non_null(g);
    check_rows(g, "2 3 | 2 | |");
    assert_memory_equal(g->ids, ((uint64_t[]){2, 1, 3, 4}), 32);
    assert_int_equal(g->second.from, 3);
    assert_int_equal(g->second.plus, 2);
    hd_graph_free(g);
    g = open_ok(scratch_text("same.txt", "1 0\n0 2\n"));
    assert_null(g->ids);
    hd_graph_free(g);
}

#define AS_NAMES(at, field, which, format)                                                         \
    "@:" at ": '" field "': expected " which " (a 64-bit number, not negative), or --format "      \
    format ",names, which reads all ids as names"
#define COLUMNS_OF(names, format)                                                                  \
    "@:1:1: the columns " names ": expected names such as source, target and weight, or "          \
    "--format " format
// What a message tells to pass has all that was passed, and works. N is any number that fits.
static const struct {
    Reading reading;
    const char *format, *rows; // pasted
} advices[] = {
    {{"a.txt", "9 1 2\n9 2 b\n", "txt,from=2,to=3", NULL,
      AS_NAMES("2:5", "b", "the id of the edge's second vertex", "txt,from=2,to=3")},
     "txt,from=2,to=3,names", "1 | 2 |"},
    {{"a.csv", "1,2,7,8\n2,b,7,8\n", "csv,first=edge,weight=4,bipartite", NULL,
      AS_NAMES("2:3", "b", "the id of the edge's second vertex",
               "csv,first=edge,weight=4,bipartite")},
     "csv,first=edge,weight=4,bipartite,names", "2 | 3 | |"},
    {{"a.txt", "p q\n1 2\n2 b\n", NULL, NULL, // the names of columns stay what they are
      AS_NAMES("3:3", "b", "the id of the edge's second vertex", "txt,from=1,to=2")},
     "txt,from=1,to=2,names", "1 | 2 |"},
    {{"a.txt", "2 2\n0 1\n1 b\n", "txt,first=sizes", NULL, // names have no sizes
      "@:3:3: 'b': expected the id of the edge's second vertex (a 64-bit number, not "
      "negative)"}, NULL, NULL},
    {{"a.txt", "2 1\n0 1\n", "txt,from=2,to=1", "| 0",
      "@:1: " SIZES("2", "1", "txt,from=2,to=1")},
     "txt,from=2,to=1,first=edge", "| 2 0 |"},
    {{"a.csv", "a,b,c\n0,1,9\n", "csv,to=1,names", NULL,
      COLUMNS_OF("'a', 'b', 'c'", "csv,names,from=N,to=N,weight=N")},
     "csv,names,from=1,to=2,weight=3", "1 |"},
    {{"a.csv", "a,b,c\n0,1,9\n", "csv,weight=none", NULL,
      COLUMNS_OF("'a', 'b', 'c'", "csv,weight=none,from=N,to=N")},
     "csv,weight=none,from=1,to=2", "1 |"},
    {{"a.csv", "a,b,c\n1,1\n0,1,9\n", "csv,first=sizes,weight=3", NULL,
      COLUMNS_OF("'a', 'b', 'c'", "csv,first=sizes,from=N,to=N,weight=N")}, NULL, NULL},
    {{"a.txt", "1 2 a b c\n", "txt,from=2,to=1,first=edge", NULL,
      "@:1:1: " UNNAMED "txt,first=edge,from=2,to=1" WEIGHT},
     "txt,first=edge,from=2,to=1,weight=none", "| 0"},
    {{"a.txt", "1 2 8 5\n", "txt,from=2,to=1", "| 0",
      "@:1: " OF_FOUR("txt,from=2,to=1")},
     "txt,from=2,to=1,weight=4", "| 0"},
    {{"a.txt", "1 2 1082040961\n", "txt,from=2,to=1", "| 0",
      "@:1: column 3 is read as the weight, though its numbers look like times in seconds "
      "(--format txt,from=2,to=1,weight=none does not read it)\n"},
     "txt,from=2,to=1,weight=none", "| 0"},
    {{"a.el", "0 16777217\n", "el,from=2,to=1,weight=none", NULL,
      "@: id 16777217: expected at most 16777216, because each number up to it is a vertex in "
      "this format (--format txt,from=2,to=1,weight=none numbers the ids without gaps)"},
     "txt,from=2,to=1,weight=none", "| 0"},
};

static void test_advice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++) {
        hd_graph_free(check_reading(&advices[i].reading));
        if (!advices[i].format) continue;
        char notes[HD_ERROR_TEXT];
        HdError err = {0};
        Reading pasted = {.format = advices[i].format};
        const char *path = scratch_text(advices[i].reading.name, advices[i].reading.text);
        HdGraph *g = open_reading(&pasted, path, notes, &err);
        assert_non_null(g);
        check_rows(g, advices[i].rows);
        hd_graph_free(g);
    }
}

static void test_options_text(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraphOptions o = {0};
    char text[HD_GRAPH_OPTIONS_TEXT];
    assert_true(hd_graph_option(&o, "format", "edgelist,weight=4294967295,to=4294967294,"
                                              "first=sizes,from=4294967293", &err));
    hd_graph_options_text(&o, text);
    assert_string_equal(text, "--format edgelist,first=sizes,from=4294967293,to=4294967294,"
                              "weight=4294967295");
    assert_true(hd_graph_option(&o, "format", "txt,bipartite,names,weight=none,first=edge",
                                &err));
    hd_graph_options_text(&o, text);
    assert_string_equal(text, "--format txt,first=edge,weight=none,names,bipartite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_columns),     cmocka_unit_test(test_refused_columns),
        cmocka_unit_test(test_many_names),        cmocka_unit_test(test_four_columns),
        cmocka_unit_test(test_matrices),          cmocka_unit_test(test_refused_matrices),
        cmocka_unit_test(test_dictionaries),      cmocka_unit_test(test_comments_behind_edges),
        cmocka_unit_test(test_sizes),             cmocka_unit_test(test_sizes_and_weights),
        cmocka_unit_test(test_konect),            cmocka_unit_test(test_kept_ids),
        cmocka_unit_test(test_ids_after_changes), cmocka_unit_test(test_options_text),
        cmocka_unit_test(test_advice),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
