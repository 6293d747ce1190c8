// Lists of edges whose text leaves open how they are read: columns, first lines, ids. What was
// assumed is a note, and --format decides.
#include "graph_checks.h"

#include <stdio.h>
#include <string.h>

static void check_ints(HdGraph *graph, const int32_t *weights)
{
    assert_int_equal(graph->weight_kind, HD_WEIGHTS_INT);
    assert_memory_equal(graph->int_weights, weights, 4 * graph->edges);
    hd_graph_free(graph);
}
#define CHECK_INTS(reading, ...)                                                                   \
    check_ints(check_reading(&(Reading)reading), (const int32_t[]){__VA_ARGS__})
#define READING(...) {__VA_ARGS__}

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
        {"x.csv", "a,b,c\n0,1,2\n", NULL, NULL,
         "@:1:1: the columns 'a', 'b', 'c': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N,weight=N"},
        {"x.csv", "id,source\n0,1\n", NULL, NULL,
         "@:1:1: the columns 'id', 'source': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N,weight=N"},
        {"x.txt", "id source\n0 1\n", NULL, NULL,
         "@:1:1: the columns 'id', 'source': expected names such as source, target and weight, or "
         "--format txt,from=N,to=N,weight=N"},
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
    CHECK_INTS(READING("w.csv", "Wgt,id,SRC,DST\n7,9,0,1\n-8,9,1,0\n", NULL, "1 | 0",
                       "@:1: columns that are not read: 'id'\n"), 7, -8);
    CHECK_INTS(READING("w.csv", "weight,from,to,cost\n7,0,1,5\n", "csv,weight=4", "1 |",
                       "@:1: columns that are not read: 'weight'\n"), 5);
    hd_graph_free(check_reading(&(Reading){"n.csv", "from,to,weight\n0,1,x\n", "csv,weight=none",
                                           "1 |", "@:1: columns that are not read: 'weight'\n"}));
}

// Gephi's tables, and lists whose ids are names.
static void test_types(void **state)
{
    (void)state;
    CHECK_INTS(READING("gephi.csv", "Source,Target,Type,Id,Weight\n4,5,Undirected,0,7\n"
                                    "5,5,undirected,1,8\n", NULL, "1 | 0 1",
                       "@:1: columns that are not read: 'Id'\n"
                       "@:1: the column 'type': each edge goes both ways\n"), 7, 7, 8);
    static const Reading readings[] = {
        {"g.csv", "Source,Target,Type\n0,1,Directed\n1,2,Directed\n", NULL, "1 | 2 |",
         "@:1: the column 'type': edges are directed\n"},
        {"g.csv", "Source,Target,Type\n0,1,friend\n1,2,Undirected\n", NULL, "1 | 2 |",
         "@:1: columns that are not read: 'type'\n"},
        {"g.csv", "Source,Target,Type\n0,1,Undirected\n1,2,Directed\n", NULL, NULL,
         "@:3:5: 'Directed': expected 'undirected', as the first edge has"},
        {"g.csv", "Source,Target,Type\n0,1,Directed\n1,2,\n", NULL, NULL,
         "@:3:5: the line ends: expected 'directed', as the first edge has"},
    };
    CHECK(readings);
}

static void test_names_of_vertices(void **state)
{
    (void)state;
#define NAMES(first)                                                                               \
    "the ids are names: vertices are numbered in the order of their first mention, from 0 for '"   \
    first "'\n"
    static const Reading readings[] = {
        {"n.csv", "from,to\n\"Lee, Ann\",Bo\nBo,7\n7,\"Lee, Ann\"\n", NULL, "1 | 2 | 0",
         "@:2: " NAMES("Lee, Ann")},
        {"n.txt", "b a\na c\n", NULL, "1 | 2 |", "@:1: read as an edge; " NAMES("b")},
        {"n.txt", "b a\n0 1\n", NULL, "1 |",
         "@:1: the columns 'b', 'a' are read as source and target\n"},
        {"n.csv", "b,a\nx,y\n", "csv,first=edge", "1 | | 3 |", "@:1: " NAMES("b")},
        {"n.csv", "9,\xc3\x84,b\n9,b,\xc3\x84\n", "csv,from=2,to=3", "1 | 0",
         "@:1: " NAMES("\xc3\x84")},
        {"n.edgelist", "a b {}\nb c {}\n", NULL, "1 | 2 |", "@:1: " NAMES("a")},
        {"n.txt", "a b\nb\n", NULL, NULL, "@:2:2: the line ends: expected the name of the edge's "
         "second vertex"},
        {"n.csv", "from,to\na,\"\"\n", NULL, NULL,
         "@:2:5: the field is empty: expected the name of the edge's second vertex"},
        {"n.csv", "from,to\n1,2\na,b\n", NULL, NULL,
         "@:3:1: 'a': expected a vertex id (a 64-bit number, not negative), or --format csv,names, "
         "which reads all ids as names"},
        {"n.csv", "from,to\n1,\"b\"\n", NULL, NULL,
         "@:2:4: 'b': expected the id of the edge's second vertex (a 64-bit number, not negative), "
         "or --format csv,names, which reads all ids as names"},
        {"n.txt", "0xab 0xcd\n", NULL, NULL,
         "@:1:1: '0xab': expected a vertex id (a 64-bit number, not negative), or --format "
         "txt,names, which reads all ids as names"},
        {"n.csv", "1,\"2K\"\n", NULL, NULL,
         "@:1:4: '2K': expected the id of the edge's second vertex (a 64-bit number, not "
         "negative), or --format csv,names, which reads all ids as names"},
        {"n.txt", "1.5e3 2e3\n", NULL, NULL,
         "@:1:1: '1.5e3': expected a vertex id (a 64-bit number, not negative)"},
        {"n.el", "1 b\n", NULL, NULL, "@:1:3: 'b': expected the id of the edge's second vertex (a "
         "64-bit number, not negative)"},
        // Quotation marks within quoted names are doubled.
        {"n.csv", "from,to\n\"a\"\"b\",\"c\"\"\"\n\"c\"\"\",\"\"\"\"\n", NULL, "1 | 2 |",
         "@:2: " NAMES("a\"b")},
        {"n.csv", "\"\"\"a\"\"\",5\"\n5\",b\"\"c\n", "csv,first=edge", "1 | 2 |",
         "@:1: " NAMES("\"a\"")},
        {"n.txt", "u b\nb c\n", NULL, "1 | 2 |", "@:1: read as an edge; " NAMES("u")},
        {"n.txt", "b97 35\n35 1033\n", NULL, "1 | 2 |", "@:1: " NAMES("b97")},
        {"cite.txt", "10\tb97\n3\t10\nb97\t3\n", "txt,names", "1 | 2 | 0",
         "@:1: " NAMES("10")},
        {"n.txt", "a b\n0 1\n", "txt,names", "1 | | 3 |", "@:1: " NAMES("a")},
        {"n.txt", "from to\n0 1\n", "txt,names", "1 |", "@:2: " NAMES("0")},
        {"n.txt", "2 1\n1 2\n", "txt,names", "1 | 0", "@:1: " NAMES("2")}, // no sizes
        {"n.txt", "1 1\n1 2\n", "txt,names,bipartite", "1 2 | |",
         "@:1: " NAMES("1") "@:1: bipartite: the vertices of column 1 are 0 to 0, those of column "
         "2 are 1 to 2\n"},
    };
    CHECK(readings);
    CHECK_INTS(READING("w.txt", "b a 3\na b 4\n", NULL, "1 | 0", "@:1: " NAMES("b")), 3, 4);
}

// A graph keeps the names, whatever is done to it.
static void test_kept_names(void **state)
{
    (void)state;
    HdError err = {0};
    uint32_t vertex;
    HdGraphOptions options = {.format = "txt", .list.bipartite = true, .largest_component = true};
    assert_true(hd_graph_option(&options, "relabel", "degree", &err));
    // The component of x and y goes. Degrees: a 2, b 3 of the first side, none of the second.
    HdGraph *g = hd_graph_open(scratch_text("n.txt", "x y\na p\na b\nb p\nb q\nb b\n"), &options,
                               &err);
    assert_non_null(g);
    check_rows(g, "2 4 3 | 2 3 | | |");
    static const char *const names[] = {"b", "a", "p", "b", "q"};
    for (uint32_t v = 0; v < 5; v++) assert_string_equal(hd_graph_vertex_name(g, v), names[v]);
    assert_int_equal(g->ids[3], g->second.from + 2); // y, p, b
    assert_true(hd_graph_find_vertex(g, "q", &vertex));
    assert_int_equal(vertex, 4);
    assert_true(hd_graph_find_vertex(g, "b", &vertex)); // of the first side
    assert_int_equal(vertex, 0);
    assert_false(hd_graph_find_vertex(g, "x", &vertex));
    assert_false(hd_graph_find_vertex(g, "", &vertex));
    hd_graph_free(g);
    g = open_ok(scratch_text("n.txt", "5 6\n"));
    assert_null(hd_graph_vertex_name(g, 0));
    assert_false(hd_graph_find_vertex(g, "5", &vertex));
    hd_graph_free(g);
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
#define OF_FOUR(format)                                                                            \
    "of 4 columns, column 3 is read as the weight, and column 4 is not read (--format " format     \
    ",weight=N or weight=none says otherwise)\n"
    CHECK_INTS(READING("otc.csv", "6,2,4,1289241911.72836\n6,5,-2,1289241941.53378\n", NULL,
                       "| | 0 1", "@:1: " OF_FOUR("csv")), 4, -2);
    CHECK_INTS(READING("k.txt", "1 2 1 1082040961\n2 3 -1 1082155839\n", NULL, "1 | 2 |",
                       "@:1: " OF_FOUR("txt")), 1, -1);
    CHECK_INTS(READING("k.txt", "1 2 8 5\n2 3 9 6\n", "txt,weight=4", "1 | 2 |", ""), 5, 6);
    CHECK_INTS(READING("k.txt", "9 1 2 5\n9 2 3 6\n", "txt,from=3,to=2,weight=4", "| 0 | 1", ""),
               5, 6);
    static const Reading readings[] = {
        {"k.txt", "1 2 8 5\n2 3 9 6\n", "txt,weight=none", "1 | 2 |", ""},
        {"k.txt", "1 2 a b c\n2 3 a b c\n", "txt,weight=none", "1 | 2 |", ""},
        {"k.txt", "9 1 2\n9 2 3\n", "txt,from=2,to=3", "1 | 2 |", ""},
        {"k.txt", "1 2\n2 3\n", "txt,to=1", "| 0 | 1", ""},
        {"k.txt", "1 2\n2 3\n", "txt,from=2", "| 0 | 1", ""},
        {"k.txt", "1 2 a b c\n", NULL, NULL,
         "@:1:1: 5 columns without names: expected 2 to 4, or --format txt,weight=N or "
         "weight=none"},
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
#define NO_MATRIX(n)                                                                               \
    "the lines look like an adjacency matrix of " n " vertices, which is not read: expected a "    \
    "list of edges, or Matrix Market, which SciPy writes by scipy.io.mmwrite; if the lines "       \
    "are edges, --format "
#define WEIGHT ",weight=N or weight=none"
#define COLUMNS ",from=N,to=N,weight=N"
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
         "@:1:1: 5 columns without names: expected 2 to 4, or --format txt" WEIGHT},
        {"m.txt", "1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n", "txt,first=edge", NULL,
         "@:1:1: 5 columns without names: expected 2 to 4, or --format txt" WEIGHT},
        // One line more or less, or a longer one.
        {"m.txt", "0 1 0 0 1\n1 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n", NULL, NULL,
         "@:1:1: 5 columns without names: expected 2 to 4, or --format txt,weight=N or "
         "weight=none"},
        {"m.txt", "0 1 0 0 1\n1 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n1 0 0 1 0\n1 1 1 1 1\n", NULL,
         NULL, "@:1:1: 5 columns without names: expected 2 to 4, or --format txt,weight=N or "
               "weight=none"},
        {"m.csv", "a,b,c\n0,1,0\n1,0,1\n0,1,0,1\n", NULL, NULL,
         "@:1:1: the columns 'a', 'b', 'c': expected names such as source, target and weight, or "
         "--format csv,from=N,to=N,weight=N"},
        {"m.txt", "0 1 0 0 1\n\x1b\n", NULL, NULL,
         "@:1:1: 5 columns without names: expected 2 to 4, or --format txt,weight=N or "
         "weight=none"},
    };
    CHECK(refused);
}

static void test_dictionaries(void **state)
{
    (void)state;
    CHECK_INTS(READING("nx.edgelist", "0 1 {'weight': 5}\n1 2 {'a': {'weight': 9}, 'weight': -6}\n",
                       NULL, "1 | 2 |", ""), 5, -6);
    CHECK_INTS(READING("nx.csv", "0,1,{\"x\": 'weight', \"weight\" : 5, 'y': 1}\n"
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
    CHECK_INTS(READING("c.wel", "0 1 5 # c\n1 2 6\n", NULL, "1 | 2 |", ""), 5, 6);
}

// ---- the first line ----

static void test_sizes(void **state)
{
    (void)state;
#define SIZES(v, e, format)                                                                        \
    "read as the numbers of vertices (" v ") and edges (" e "), because they fit the lines that "  \
    "follow (--format " format ",first=edge reads an edge)\n"
    static const Reading readings[] = {
        {"n.txt", "3 3\n0 1\n1 2\n2 0\n", NULL, "1 | 2 | 0", "@:1: " SIZES("3", "3", "txt")},
        // From 1; and vertices without an edge.
        {"n.txt", "# c\n3 2\n1 3\n3 1\n", NULL, "2 | | 0", "@:2: " SIZES("3", "2", "txt")},
        {"n.txt", "5 2\n1 3\n3 1\n", NULL, "| 3 | | 1 |", "@:1: " SIZES("5", "2", "txt")},
        {"n.csv", "3,3\n0,1\n1,2\n2,0\n", NULL, "1 | 2 | 0", "@:1: " SIZES("3", "3", "csv")},
        {"n.el", "4 1\n0 1\n", NULL, "1 | | |", "@:1: " SIZES("4", "1", "el")},
        // As the size line of a matrix.
        {"n.txt", "3 3 2\n1 2\n2 3\n", NULL, "1 | 2 |", "@:1: " SIZES("3", "2", "txt")},
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
    CHECK_INTS(READING("w.txt", "3 2\n0 1 5\n1 2 6\n", NULL, "1 | 2 |",
                       "@:1: " SIZES("3", "2", "txt")), 5, 6);
    CHECK_INTS(READING("w.txt", "3 3 2\n0 1 5\n1 2 6\n", NULL, "1 | 2 |",
                       "@:1: " SIZES("3", "2", "txt")), 5, 6);
    CHECK_INTS(READING("w.txt", "3 2\n0 1 5 7\n1 2 6 8\n", NULL, "1 | 2 |",
                       "@:2: " OF_FOUR("txt") "@:1: " SIZES("3", "2", "txt")), 5, 6);
    CHECK_INTS(READING("w.txt", "3 2\n0 1 5\n1 2 6\n", "txt,weight=3", "1 | 2 |",
                       "@:1: " SIZES("3", "2", "txt")), 5, 6);
    HdGraph *g = check_reading(&(Reading){"w.txt", "2 2 2\n1 2 .5\n2 1 3\n", NULL, "1 | 0",
                                          "@:1: " SIZES("2", "2", "txt")});
    assert_memory_equal(g->real_weights, ((float[]){0.5f, 3}), 8);
    assert_memory_equal(g->ids, ((uint64_t[]){1, 2}), 16);
    hd_graph_free(g);
}

static void test_konect(void **state)
{
    (void)state;
    CHECK_INTS(READING("out.flickr", "% sym weighted\n% 2 3 3\n1 2 5\n2 3 6\n", NULL, "1 | 0 2 | 1",
                       "@:1: KONECT's header: each edge goes both ways\n"), 5, 5, 6, 6);
    CHECK_INTS(READING("a.txt", "% asym signed\n1 2 -1 1082040961\n2 3 1 1082155839\n", NULL,
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

// The second column has ids of its own.
static void test_bipartite(void **state)
{
    (void)state;
#define SIDES_OF(first, second)                                                                    \
    "bipartite: the vertices of column 1 are " first ", those of column 2 are " second
#define SIDES(first, second) SIDES_OF(first, second) "\n"
    Reading reading = {"b.txt", "1 1 5\n2 1 3\n2 3 4\n", "txt,bipartite", "2 | 2 3 | |",
                       "@:1: " SIDES("0 to 1", "2 to 3")};
    HdGraph *g = check_reading(&reading);
    assert_memory_equal(g->ids, ((uint64_t[]){1, 2, 3, 5}), 32); // the last two are 1 and 3
    assert_int_equal(g->second.from, 3);
    assert_int_equal(g->second.plus, 2);
    check_ints(g, (int32_t[]){5, 3, 4});
    static const Reading readings[] = {
        {"b.txt", "0 0\n1 1\n0 1\n", "txt,bipartite", "2 3 | 3 | |",
         "@:1: " SIDES("0 to 1", "2 to 3")},
        {"b.txt", "ann a\nbob a\nann bob\n", "txt,bipartite", "2 3 | 2 | |",
         "@:1: read as an edge; " NAMES("ann") "@:1: " SIDES("0 to 1", "2 to 3")},
        {"b.csv", "7,x\n8,y\n7,y\n", "csv,bipartite", "2 3 | 3 | |",
         "@:1: " NAMES("7") "@:1: " SIDES("0 to 1", "2 to 3")},
        {"b.csv", "user,item\n0,0\n1,0\n", "csv,bipartite", "2 | 2 |",
         "@:1: " SIDES("0 to 1", "2 to 2")},
        {"b.csv", "0,0\n1,x\n", "csv,bipartite", NULL,
         "@:2:3: 'x': expected the id of the edge's second vertex (a 64-bit number, not negative), "
         "or --format csv,bipartite,names, which reads all ids as names"},
        {"b.csv", "who,item,rating\n0,0,5\n", "csv,bipartite", NULL,
         "@:1:1: the columns 'who', 'item', 'rating': expected names such as user, item and "
         "rating, or --format csv,bipartite,from=N,to=N,weight=N"},
        {"b.txt", "ann user\nbob user\n", "txt,bipartite", "2 | 2 |",
         "@:1: read as an edge; " NAMES("ann") "@:1: " SIDES("0 to 1", "2 to 2")},
        {"b.txt", "a b\n0 0\n1 0\n", "txt,bipartite", "2 | 2 |",
         "@:1: the columns 'a', 'b' are read as source and target\n"
         "@:1: " SIDES("0 to 1", "2 to 2")},
        // Sizes only if they are announced.
        {"b.txt", "2 1\n0 0\n", "txt,bipartite", "2 | 3 | |", "@:1: " SIDES("0 to 1", "2 to 3")},
        {"b.txt", "4 2\n1 1\n2 2\n", "txt,bipartite,first=sizes", "2 | 3 | |",
         "@:2: " SIDES("0 to 1", "2 to 3")},
        {"b.txt", "7 4\n0 0\n0 1\n1 2\n2 2\n", "txt,bipartite,first=sizes",
         "3 4 | 5 | 5 | | | |",
         "@:2: " SIDES_OF("0 to 2", "3 to 5") "; from 6 on, no edge says the column\n"},
        {"b.el", "0 0\n2 1\n", "el,bipartite", "3 | | 4 | |", "@:1: " SIDES("0 to 2", "3 to 4")},
        {"b.txt", "1 5\n2 5\n", "txt,bipartite,from=2,to=1", "1 2 | |",
         "@:1: bipartite: the vertices of column 2 are 0 to 0, those of column 1 are 1 to 2\n"},
        {"b.txt", "18446744073709551615 0\n", "txt,bipartite", NULL,
         "@: ids up to 18446744073709551615 on the first side of a bipartite graph: expected less, "
         "because those of the second side follow"},
        {"b.txt", "1 18446744073709551615\n", "txt,bipartite", NULL,
         "@: ids up to 1 on the first side of a bipartite graph: expected less, because those of "
         "the second side follow"},
    };
    CHECK(readings);
    // MovieLens' columns, in any order.
    static const char *const tables[] = {
        "userId,movieId,rating,timestamp\n1,1,5,9\n2,1,3,9\n",
        "timestamp,score,item_id,user_id\n9,5,1,1\n9,3,1,2\n",
    };
    for (int i = 0; i < 2; i++) {
        const char *sides = i ? "@:1: bipartite: the vertices of column 4 are 0 to 1, those of "
                                "column 3 are 2 to 2\n" : "@:1: " SIDES("0 to 1", "2 to 2");
        char notes[HD_ERROR_TEXT];
        snprintf(notes, sizeof notes, "@:1: columns that are not read: 'timestamp'\n%s", sides);
        reading = (Reading){"b.csv", tables[i], "csv,bipartite", "2 | 2 |", notes};
        check_ints(check_reading(&reading), (int32_t[]){5, 3});
    }
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
        cmocka_unit_test(test_named_columns), cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_names_of_vertices), cmocka_unit_test(test_kept_names),
        cmocka_unit_test(test_four_columns),
        cmocka_unit_test(test_matrices),      cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_comments_behind_edges), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sizes_and_weights),
        cmocka_unit_test(test_konect),        cmocka_unit_test(test_bipartite),
        cmocka_unit_test(test_kept_ids),
        cmocka_unit_test(test_ids_after_changes), cmocka_unit_test(test_options_text),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
