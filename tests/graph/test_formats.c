// Which format a file has: by its first bytes, by its first lines, and messages about formats that
// are not read.
#include "graph_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEXF                                                                                       \
    "@: GEXF is not read: expected GraphML, which Gephi exports and networkx writes by "           \
    "write_graphml"
#define FLOWS                                                                                      \
    "@: DIMACS's format of flows and assignments is not read: expected .gr, whose problem line "   \
    "is \"p sp VERTICES ARCS\""
#define DOT "@: Graphviz's DOT is not read: expected GML, which Graphviz's gv2gml writes"

// Texts whose beginning tells their format.
static const char *const texts[] = {
    "AdjacencyGraph\n2 1 0 1 1", "*Vertices 2\n*arcs\n1 2", "p edge 2 1\ne 1 2",
    "c x\np sp 2 1\na 1 2 3", "graph [ directed 1 node [ id 1 ] node [ id 2 ] "
    "edge [ source 1 target 2 ] ]",
    "<?xml version=\"1.0\"?>\n<!-- c --><graphml><graph edgedefault=\"directed\">"
    "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>",
    "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
};

// A text whose beginning tells its format is read as that, if its ending says little.
static void test_detection(void **state)
{
    (void)state;
    static const char *const names[] = {"plain", "list.txt", "list.csv", "list.el", "odd.xyz"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            HdGraph *g = open_ok(scratch_text(names[k], texts[i]));
            check_rows(g, i == 2 ? "1 | 0" : "1 |");
            hd_graph_free(g);
        }
    // Behind lines of other kinds.
    hd_graph_free(open_ok(scratch_text("g.txt", "c\nc x\n\np col 2 1\ne 1 2\n")));
    hd_graph_free(open_ok(scratch_text("g.txt", "Creator \"x\"\nVersion 1\ngraph\n[\nnode [ id "
                                                "1 ]\n]\n")));
    // Names that begin as the formats do.
    static const char *const lists[] = {
        "c b\nb d\n", "p sp\nsp p\n", "p edge 5\nedge p 6\n", "AdjacencyGraph b\nb c\n",
        "HDGRAPH b\nb c\n", "creator \"a b\"\n\"a b\" c\n", "graph [x]\n[x] y\n",
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        HdGraph *list = open_ok(scratch_text("g.txt", lists[i]));
        assert_int_equal(list->edges, 2);
        hd_graph_free(list);
    }
    // --format decides.
    HdError err = {0};
    HdGraph *g = hd_graph_open(scratch_text("m.net", "%%MatrixMarket\n1 2\n"),
                               &(HdGraphOptions){.format = "txt"}, &err);
    assert_non_null(g);
    hd_graph_free(g);
    g = hd_graph_open(scratch_text("g.xyz", texts[1]), &(HdGraphOptions){.format = "net"}, &err);
    assert_non_null(g);
    hd_graph_free(g);
}

// The same behind blank lines, a byte order mark and comments.
static void test_blank_lines(void **state)
{
    (void)state;
    static const char declaration[] = "<?xml version=\"1.0\"?>";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[1024];
        size_t skip = *texts[i] == '\xef' ? 3 : 0;
        if (*texts[i] == '<') skip = sizeof declaration - 1; // no blanks may precede it
        snprintf(text, sizeof text, "\xef\xbb\xbf \r\n\n\t\n%s", texts[i] + skip);
        HdGraph *g = open_ok(scratch_text("blank.txt", text));
        check_rows(g, i == 2 ? "1 | 0" : "1 |");
        hd_graph_free(g);
    }
    open_fails(scratch_text("blank.txt", "\n<?xml version=\"1.0\"?><graphml/>"),
               "@:2:1: XML or text declaration not at start of entity: expected well-formed XML");
    static const char *const commented[] = {
        "% c\n\n% d\n*Vertices 2\n*arcs\n1 2",
        "# c\n\n# d\ngraph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
        ("# c\nCreator \"x\"\ngraph [ directed 1 node [ id 1 ] node [ id 2 ] "
         "edge [ source 1 target 2 ] ]"),
    };
    for (size_t i = 0; i < sizeof commented / sizeof *commented; i++) {
        HdGraph *g = open_ok(scratch_text("comment.txt", commented[i]));
        check_rows(g, "1 |");
        hd_graph_free(g);
    }
}

// Comments may be long: what follows them tells the format.
static void test_long_comments(void **state)
{
    (void)state;
    static const struct {
        const char *before, *line, *after, *rows;
    } files[] = {
        {"", "c a comment\n", "p sp 2 1\na 1 2 3\n", "1 |"},
        {"", "c\n\n", "p edge 2 1\ne 1 2\n", "1 | 0"},
        {"", "% a comment\n", "*Vertices 2\n*Arcs\n1 2\n", "1 |"},
        {"", "# a comment\n", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 "
                              "target 2 ] ]\n", "1 |"},
        {"Creator \"x\"\n", "comment \"a b\"\n", "graph [ directed 1 node [ id 1 ] node [ id 2 ] "
                                                "edge [ source 1 target 2 ] ]\n", "1 |"},
        {"%%MatrixMarket matrix coordinate pattern general\n", "% a comment\n", "2 2 1\n1 2\n",
         "1 |"},
        {"<?xml version='1.0'?>\n", "<!-- a > b -->\n", "<graphml><graph edgedefault='directed'>"
         "<node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>", "1 |"},
        {"", "# a comment\n", "5 6\n6 5\n", "1 | 0"},
        {"", "c a comment\n", "p max 2 1\n", NULL},
        {"/*", " a comment\n", "*/ digraph G {\n1 -> 2\n}\n", NULL},
        {"", "// a comment\n", "digraph G {\n1 -> 2\n}\n", NULL},
        {"<?xml version='1.0'?>\n", "<!-- a > b -->\n", "<gexf>", NULL},
    };
    static const char *const refused[] = {FLOWS, DOT, DOT, GEXF};
    static const size_t lengths[] = {4050, 9000, 900000};
    char *text = malloc(1 << 20);
    size_t count = sizeof files / sizeof *files, ok = count - sizeof refused / sizeof *refused;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            char *p = stpcpy(text, files[i].before);
            while (p < text + lengths[k]) p = stpcpy(p, files[i].line);
            strcpy(p, files[i].after);
            if (i >= ok) {
                open_fails(scratch_text("long.txt", text), refused[i - ok]);
                continue;
            }
            HdGraph *g = open_ok(scratch_text("long.txt", text));
            check_rows(g, files[i].rows);
            hd_graph_free(g);
            hd_graph_free(open_ok(scratch_text("long", text)));
        }
    free(text);
}

// An unknown format: the message names the nearest.
static void test_nearest(void **state)
{
    (void)state;
#define EXPECTED                                                                                   \
    "@: unknown graph format: expected a file named .mtx, .txt, .el, .wel, .edges, .edgelist, "    \
    ".ncol, .csv, .tsv, .gr, .col, .clq, .graph, .sg, .wsg, .egr, .adj, .graphml, .gml, .net, "    \
    ".rodinia or .hdg, each also with .gz, .zst, .bz2 or .xz, or --format"
    static const char *const cases[][2] = {
        {"g.grapml.gz", EXPECTED "; the nearest format is .graphml"},
        {"g.PAJEK", EXPECTED "; the nearest format is .net"},
        {"g.tsvv", EXPECTED "; the nearest format is .tsv"},
        {"graph", EXPECTED},
        {"g.parquett", EXPECTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        open_fails(scratch_text(cases[i][0], "0 x y z w\n"), cases[i][1]);
}

#define NUMBERS "; --format txt reads lines of numbers, as this file has, as edges"
#define WORDS "; --format txt reads lines of words, as this file has, as edges between names"

// A file whose name tells no format, and whose first lines are those of a list of edges.
static void test_lists_by_lines(void **state)
{
    (void)state;
#define BY_LINES(columns)                                                                          \
    "read as a list of edges, as --format txt does, because the name tells no format and the "     \
    "first lines have " columns " columns\n"
    static const Reading readings[] = {
        {"cora.cites", "35\t1033\n35\t103482\n1033\t35\n", NULL, "1 2 | 0 |",
         "@:1: " BY_LINES("2")},
        {"plain", "# c\n\n0 1 7\n1 0 8", NULL, "1 | 0", "@:3: " BY_LINES("3")},
        {"g.links", "0,1\r\n1,2\r\n", NULL, "1 | 2 |", "@:1: " BY_LINES("2")},
        {"g.tsvv", "\xef\xbb\xbf" "0\t1\n", NULL, "1 |", "@:1: " BY_LINES("2")},
        {"g.dat", "\"5\" ; \"6\"\n\"6\" ; \"5\"\n", NULL, "1 | 0", "@:1: " BY_LINES("2")},
        {"g.dat", "3 2\n0 1 5\n1 2 6\n", NULL, "1 | 2 |", "@:1: " BY_LINES("3")
         "@:1: read as the numbers of vertices (3) and edges (2), because they fit the lines that "
         "follow\n"},
        {"g.dat", "from,to\n0,1\n", NULL, "1 |", "@:1: " BY_LINES("2")},
        {"g.cites", "35 1033\n35 b97\n", NULL, NULL,
         "@:2:4: 'b97': expected the id of the edge's second vertex (a 64-bit number, not "
         "negative), or --format txt,names, which reads all ids as names"},
        {"g.cites", "35 b97\nb97 5\n", NULL, NULL,
         "@:1:4: 'b97': expected the id of the edge's second vertex (a 64-bit number, not "
         "negative), or --format txt,names, which reads all ids as names"},
        {"out", "% sym unweighted\n1 2\n", NULL, "1 | 0", "@:2: " BY_LINES("2")
         "@:1: KONECT's header: each edge goes both ways\n"},
        {"g.dat", "0 1\n1 2\n", "txt", "1 | 2 |", ""},
        {"g.ncol", "a b\nb c\n", NULL, "1 | 2 |", "@:1: read as an edge; the ids are names: "
         "vertices are numbered in the order of their first mention, from 0 for 'a'\n"},
        {"g.cites", "0xab 0xcd\n0xcd 0xef\n", NULL, NULL,
         "@:1:1: '0xab': expected a vertex id (a 64-bit number, not negative), or --format "
         "txt,names, which reads all ids as names"},
        // No list: a line of words, rows of unequal length, coordinates, columns, bytes.
        {"g.unknown", "hello world\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0 1\n1 2\n2\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0 1\n1 2\n2 3 4\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0.5 1.5\n2.5 3.5\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0 1 2 3 4\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0 -1\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0,\n1,\n", NULL, NULL, EXPECTED},
        {"g.unknown", "0 1\n\x1b 2\n", NULL, NULL, EXPECTED},
        {"g.unknown", "# only a comment\n", NULL, NULL, EXPECTED},
        {"g.unknown", "", NULL, NULL, EXPECTED},
        // Words are edges only if --format says so.
        {"g.unknown", "a b {}\nb c {}\n", NULL, NULL, EXPECTED WORDS},
        {"g.unknown", "hello world\nthis is\n", NULL, NULL, EXPECTED WORDS},
        {"conf.yaml", "machine: fermi\nseed: 3\nfoo: bar\n", NULL, NULL, EXPECTED WORDS},
        {"g.cites", "b97 35\n35 1033\n", NULL, NULL, EXPECTED WORDS},
        {"g.cites", "source,target\nann,bob\n", NULL, NULL, EXPECTED WORDS},
        {"g.dat", "1::1193::5\n1::661::3\n", NULL, NULL,
         EXPECTED "; '::' between columns is not read (sed 's/::/,/g' makes commas)"},
    };
    CHECK(readings);
}

// Only lines that are whole within the first bytes count.
static void test_long_lists(void **state)
{
    (void)state;
    char text[8192] = "# ", notes[HD_ERROR_TEXT], path[4096];
    HdError err = {0};
    memset(text + 2, 'c', 80);
    text[82] = '\n';
    for (char *p = text + 83; p < text + 8000;) p = stpcpy(p, "1000 1001\n");
    snprintf(path, sizeof path, "%s", scratch_text("long.dat", text));
    HdGraph *g = open_reading(&(Reading){.format = NULL}, path, notes, &err);
    assert_non_null(g);
    assert_int_equal(g->edges, 792);
    check_with_path(notes, "@:2: " BY_LINES("2"), path);
    hd_graph_free(g);
    // Nothing is known about lines behind more than 1 MiB of comments.
    size_t size = (1 << 20) + 100;
    char *comments = malloc(size + 16);
    memset(comments, 'c', size);
    for (char *p = comments; p < comments + size - 3; p += 100) memcpy(p, "\n% ", 3);
    strcpy(comments + size, "\n0 1\n1 2\n");
    open_fails(scratch_text("long.cites", comments),
               EXPECTED "; --format txt reads a list of edges behind comments, as this file has");
    g = check_reading(&(Reading){"long.cites", comments, "txt", "1 | 2 |", ""});
    hd_graph_free(g);
    free(comments);
}

static void test_unread_endings(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"g.gexf", "@: GEXF is not read: expected GraphML, which Gephi exports and networkx writes "
                   "by write_graphml"},
        {"g.json.gz", "@: JSON is not read: expected GraphML or a list of edges, which networkx "
                      "writes by write_graphml or write_edgelist"},
        {"g.GV", "@: Graphviz's DOT is not read: expected GML, which Graphviz's gv2gml writes"},
        {"g.lgl", "@: LGL is not read: expected a list of edges, which igraph writes as its format "
                  "edgelist or ncol"},
        {"g.adjlist", "@: networkx's adjacency list is not read: expected a list of edges, which "
                      "networkx writes by write_edgelist"},
        {"g.multiline_adjlist", "@: networkx's adjacency list is not read: expected a list of "
                                "edges, which networkx writes by write_edgelist"},
        {"g.gpickle", "@: Python's pickle is not read: expected a list of edges, which networkx "
                      "writes by write_edgelist"},
        {"g.npz", "@: NumPy's array is not read: expected Matrix Market, which SciPy writes by "
                  "scipy.io.mmwrite"},
        {"g.mat", "@: MATLAB's MAT file is not read: expected Matrix Market, which SciPy writes by "
                  "scipy.io.mmwrite"},
        {"g.h5", "@: HDF5 is not read: expected Matrix Market, which SciPy writes by "
                 "scipy.io.mmwrite"},
        {"g.pt", "@: PyTorch's file is not read: expected a list of edges, which "
                 "numpy.savetxt(file, edge_index.T, '%d') writes"},
        {"g.parquet", "@: Apache Parquet is not read: expected CSV, which pandas writes by "
                      "to_csv(file, index=False)"},
        {"g.feather", "@: Apache Arrow is not read: expected CSV, which pandas writes by "
                      "to_csv(file, index=False)"},
        {"g.xlsx", "@: a spreadsheet is not read: expected CSV, which the spreadsheet exports"},
        {"g.s6", "@: nauty's graph6 is not read: expected a list of edges, which "
                 "networkx writes by write_edgelist"},
        {"g.rb", "@: Rutherford-Boeing is not read: expected Matrix Market, in which the "
                 "SuiteSparse collection has each matrix"},
        {"g.gdf", "@: GUESS's GDF is not read: expected GraphML, which Gephi exports"},
        {"g.sif", "@: Cytoscape's SIF or XGMML is not read: expected GraphML, which Cytoscape "
                  "exports"},
        {"g.dl", "@: UCINET's DL is not read: expected .net, which Pajek writes"},
        {"g.gt", "@: graph-tool's format is not read: expected GraphML, which graph-tool saves"},
        {"g.nodes", "@: a table of vertices is not read: expected the file with the edges"},
        {"flow.max", "@: DIMACS's format of flows and assignments is not read: expected .gr, whose "
                     "problem line is \"p sp VERTICES ARCS\""},
        {"sat.cnf", "@: DIMACS's format of formulas is not read: expected a graph, such as .gr or "
                    ".col of the DIMACS challenges"},
        {"g.tar.gz", "@: an archive of files is not read: expected a graph (unpack it first)"},
        {"g.mtx.ZIP", "@: an archive of files is not read: expected a graph (unpack it first)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        open_fails(scratch_text(cases[i][0], "0 1 x\ny\n"), cases[i][1]);
}

// Files with such an ending that could be read.
static void test_lists_of_unread_endings(void **state)
{
    (void)state;
    open_fails(scratch_text("g.gt", "0 1\n1 2\n"), "@: graph-tool's format is not read: expected "
                                                   "GraphML, which graph-tool saves" NUMBERS);
    open_fails(scratch_text("g.nodes", "a b\nb c\n"), "@: a table of vertices is not read: "
                                                     "expected the file with the edges");
    // --format decides, and the first bytes of a format that is read.
    HdGraph *g = check_reading(&(Reading){"g.nodes", "0 1\n", "txt", "1 |", ""});
    hd_graph_free(g);
    g = open_ok(scratch_text("g.json", "*Vertices 2\n*arcs\n1 2"));
    hd_graph_free(g);
    HdError err = {0};
    assert_false(hd_graph_option(&(HdGraphOptions){0}, "format", "gexf", &err));
    assert_string_equal(err.text, "--format gexf: GEXF is not read: expected GraphML, which Gephi "
                                  "exports and networkx writes by write_graphml");
}

// A list of edges whose first bytes are of another format.
static void test_unread_starts(void **state)
{
    (void)state;
#define JSON                                                                                       \
    "@: JSON is not read: expected GraphML or a list of edges, which networkx writes by "          \
    "write_graphml or write_edgelist"
    static const char *const cases[][2] = {
        {"{\"nodes\": []}", JSON},
        {"[[0, 1]]", JSON},
        {"<gexf>", GEXF},
        {"<?xml version='1.0' encoding='UTF-8'?>\n<!-- by > Gephi -->\n<gexf xmlns='x'>", GEXF},
        {"digraph G {\n 0 -> 1\n}", DOT},
        {"strict  graph\n{\n", DOT},
        {"graph \"a b\" { 0 -- 1 }", DOT},
        {"digraph{0->1}", DOT},
        {"// a graph\n/* of // two * */\ngraph G {", DOT},
        {" \n [[0, 1]]", JSON},
        {"<!DOCTYPE html>\n<html>", "@: a page of the web is not read: expected the file for which "
                                    "the page has a link"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
         "@: a pointer of Git LFS is not read: expected the file, which git lfs pull brings"},
        {"digraph {\"a\" -> \"b\"}", DOT},
        {"digraph G {\"a\":n -> \"b\"}", DOT},
        {"digraph G {\"a\":n:sw -> \"b\"}", DOT},
        {"digraph G { \"a, \\\"b\": \"n\":sw -> \"b\":1}\n", DOT},
        {"graph G {\"a\":1 -- \"b\"; \"b\":2 -- \"c\"}", DOT},
        {"digraph G {\"a\":north}", DOT},
        {"digraph G {a:n -> b:sw}", DOT},
        {"digraph G {\"a\":\n", DOT},
        {"# 1 \"a.gv\"\ndigraph G {a -> b}", DOT},
        {"c x\nc\np max 4 5\nn 1 s\nn 4 t\na 1 2 5\n", FLOWS},
        {"p min 4 5\na 1 2 0 5 1\n", FLOWS},
        {"p asn 4 2\na 1 3 5\n", FLOWS},
        {"c 1 2\np cnf 3 2\n1 2 3 0\n2 3 1 0\n",
         "@: DIMACS's format of formulas is not read: expected a graph, such as .gr or .col of the "
         "DIMACS challenges"},
        {"PAR1\x15\x04\x15", "@: Apache Parquet is not read: expected CSV, which pandas writes by "
                             "to_csv(file, index=False)"},
        {"\x89HDF\r\n\x1a\n", "@: HDF5 is not read: expected Matrix Market, which SciPy writes by "
                             "scipy.io.mmwrite"},
        {"PK\x03\x04", "@: an archive of files is not read: expected a graph (unpack it first)"},
        {"nodedef>name VARCHAR\n", "@: GUESS's GDF is not read: expected GraphML, which Gephi "
                                   "exports"},
        {"<?xml version='1.0'?><graph label='x'>", "@: Cytoscape's SIF or XGMML is not read: "
                                                   "expected GraphML, which Cytoscape exports"},
    };
    static const char *const names[] = {"g.txt", "g.csv", "g", "g.dat"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            open_fails(scratch_text(names[k], cases[i][0]), cases[i][1]);
}

// Lists of edges between words that begin formats.
static void test_lists_of_words(void **state)
{
    (void)state;
    static const Reading readings[] = {
        {"g.edgelist", "graph theory {}\ngraph set {}\n", NULL, "1 2 | |",
         "@:1: " NAMES("graph")},
        {"g.txt", "digraphs 1\ngraph 2\n", NULL, "1 | | 3 |", "@:1: " NAMES("digraphs")},
        {"g.edgelist", "graph theory {\"weight\": 3}\ngraph set { \"weight\" : 4 }\n", NULL,
         "1 2 | |", "@:1: " NAMES("graph")},
        {"g.edgelist", "graph theory {\"it's\": [1, {'a': \"]\"}], 'b': None, \"c\":-1e5 }\n",
         NULL, "1 |", "@:1: " NAMES("graph")},
        {"g.tsv", "PAR1\tF2R\nF2R\tTHBD\n", NULL, "1 |", "@:1: the columns 'PAR1', 'F2R' are read "
         "as source and target\n@:2: " NAMES("F2R")},
        {"g.txt", "PAR1 F2R\nF2R THBD\n", NULL, "1 | 2 |", "@:1: read as an edge; " NAMES("PAR1")},
        {"g.txt", "ARROW1 B\nB C\n", NULL, "1 | 2 |", "@:1: read as an edge; " NAMES("ARROW1")},
        {"g.txt", "MATLAB 5.0\n5.0 MATLAB\n", "txt,names", "1 | 0", "@:1: " NAMES("MATLAB")},
    };
    CHECK(readings);
}

// First bytes with zero bytes among them, or behind others.
static void test_magics(void **state)
{
    (void)state;
    static const struct {
        size_t at, size;
        const char *bytes, *message;
    } magics[] = {
        {0, 8, "ARROW1\0\0", "@: Apache Arrow is not read: expected CSV, which pandas writes by "
                             "to_csv(file, index=False)"},
        {124, 4, "\0\1IM", "@: MATLAB's MAT file is not read: expected Matrix Market, which SciPy "
                           "writes by scipy.io.mmwrite"},
        {256, 6, "\0ustar", "@: an archive of files is not read: expected a graph (unpack it "
                            "first)"},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        char bytes[512];
        memset(bytes, ' ', sizeof bytes);
        memcpy(bytes, "MATLAB 5.0", 10);
        memcpy(bytes + magics[i].at, magics[i].bytes, magics[i].size);
        open_fails(scratch_file("g.txt", bytes, sizeof bytes), magics[i].message);
        open_fails(scratch_zstd("g.zst", bytes, sizeof bytes), magics[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detection), cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_blank_lines), cmocka_unit_test(test_long_comments),
        cmocka_unit_test(test_lists_by_lines), cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_unread_endings), cmocka_unit_test(test_lists_of_unread_endings),
        cmocka_unit_test(test_unread_starts), cmocka_unit_test(test_lists_of_words),
        cmocka_unit_test(test_magics),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
