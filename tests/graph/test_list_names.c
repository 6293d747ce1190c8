// Lists of edges whose ids are names, or belong to two sides.
#include "graph_checks.h"

#include <stdio.h>
#include <string.h>

// Gephi's tables, and lists whose ids are names.
static void test_types(void **state)
{
    (void)state;
    CHECK_READ(READING("gephi.csv", "Source,Target,Type,Id,Weight\n4,5,Undirected,0,7\n"
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
    CHECK_READ(READING("w.txt", "b a 3\na b 4\n", NULL, "1 | 0", "@:1: " NAMES("b")), 3, 4);
}

// Readers of tables differ in what they make of text behind a field in quotation marks.
static void test_quotation_marks(void **state)
{
    (void)state;
#define BEHIND(word, separator)                                                                    \
    "'" word "' behind a field in quotation marks: expected a " separator " or the end of the "  \
    "line (marks within such a field are doubled)"
#define OPEN                                                                                       \
    "a quotation mark that begins a field: expected a second one, in the same line, that ends it"
    static const Reading readings[] = {
        {"q.tsv", "from\tto\n\"Foo\" Bar\tx\n", NULL, NULL, "@:2:7: " BEHIND("Bar", "tab")},
        {"q.tsv", "from\tto\nx\t\"Foo\" Bar\n", NULL, NULL, "@:2:9: " BEHIND("Bar", "tab")},
        {"q.tsv", "\"Foo\" Bar\tx\ny\tz\n", "tsv,first=edge", NULL,
         "@:1:7: " BEHIND("Bar", "tab")},
        {"q.tsv", "\"from\" x\tto\n1\t2\n", NULL, NULL, "@:1:8: " BEHIND("x", "tab")},
        {"q.csv", "from,to\n\"a\"b,c\n", NULL, NULL, "@:2:4: " BEHIND("b", "comma")},
        {"q.csv", "from;to\n\"a\" \"b;c\";d\n", NULL, NULL,
         "@:2:5: " BEHIND("\"b", "semicolon")},
        {"q.txt", "\"a\"b c\nd e\n", NULL, NULL, "@:1:4: " BEHIND("b", "blank")},
        // Columns that are not read.
        {"q.csv", "label,from,to\n\"a\" b,1,2\n", NULL, NULL, "@:2:5: " BEHIND("b", "comma")},
        {"q.csv", "\"a\" b,1,2\n", "csv,from=2,to=3", NULL, "@:1:5: " BEHIND("b", "comma")},
        {"q.csv", "from,to,label\n1,2,\"a\n3,4,b\"\n", NULL, NULL, "@:2:5: " OPEN},
        {"q.tsv", "from\tto\nx\t\"Foo\n", NULL, NULL, "@:2:3: " OPEN},
        {"q.tsv", "from\tto\nx\t\"\n", NULL, NULL, "@:2:3: " OPEN},
        {"q.csv", "1,2,\"a\"\"\n", "csv,weight=none", NULL, "@:1:5: " OPEN},
        // Blanks and comments may follow; marks that do not begin a field are letters.
        {"q.csv", "from,to\n \"a\" , \"b\" # c\n\"b\"\t,a\n", NULL, "1 | 0",
         "@:2: " NAMES("a")},
        {"q.csv", "from,label,to\n1,5\"\"x,2\n2,5\" y,1\n", NULL, "1 | 0",
         "@:1: columns that are not read: 'label'\n"},
        {"q.tsv", "from\tto\nFoo \"Bar\"\tx\n", NULL, "1 |", "@:2: " NAMES("Foo \"Bar\"")},
        // Separators within marks separate nothing, also in the first line.
        {"q.tsv", "\"Lee, Ann\"\tBo\nBo\t\"Lee, Ann\"\n", "tsv,first=edge", "1 | 0",
         "@:1: " NAMES("Lee, Ann")},
        {"q.txt", "\"a;b\" \"c, \"\"d\"\nc \"a;b\"\n", NULL, "1 | | 0",
         "@:1: read as an edge; " NAMES("a;b")},
    };
    CHECK(readings);
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

#define SIDES_OF(first, second)                                                                    \
    "bipartite: the vertices of column 1 are " first ", those of column 2 are " second
#define SIDES(first, second) SIDES_OF(first, second) "\n"

// The second column has ids of its own.
static void test_bipartite(void **state)
{
    (void)state;
    Reading reading = {"b.txt", "1 1 5\n2 1 3\n2 3 4\n", "txt,bipartite", "2 | 2 3 | |",
                       "@:1: " SIDES("0 to 1", "2 to 3")};
    HdGraph *g = check_reading(&reading);
    assert_memory_equal(g->ids, ((uint64_t[]){1, 2, 3, 5}), 32); // the last two are 1 and 3
    assert_int_equal(g->second.from, 3);
    assert_int_equal(g->second.plus, 2);
    CHECK_INTS(g, 5, 3, 4);
    hd_graph_free(g);
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
}

// MovieLens' columns, in any order.
static void test_columns_of_sides(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "userId,movieId,rating,timestamp\n1,1,5,9\n2,1,3,9\n",
        "timestamp,score,item_id,user_id\n9,5,1,1\n9,3,1,2\n",
    };
    for (int i = 0; i < 2; i++) {
        const char *sides = i ? "@:1: bipartite: the vertices of column 4 are 0 to 1, those of "
                                "column 3 are 2 to 2\n" : "@:1: " SIDES("0 to 1", "2 to 2");
        char notes[HD_ERROR_TEXT];
        snprintf(notes, sizeof notes, "@:1: columns that are not read: 'timestamp'\n%s", sides);
        Reading reading = {"b.csv", tables[i], "csv,bipartite", "2 | 2 |", notes};
        check_reading_ints(&reading, (int32_t[]){5, 3});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),      cmocka_unit_test(test_names_of_vertices),
        cmocka_unit_test(test_quotation_marks),
        cmocka_unit_test(test_kept_names), cmocka_unit_test(test_bipartite),
        cmocka_unit_test(test_columns_of_sides),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
