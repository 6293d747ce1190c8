// Input that asks for more than its bytes support, never ends, or is no text: one message, in
// bounded memory. And input that is unusual but right: byte order marks, CRLF, pipes.
#include "graph_checks.h"

#include "base/hash.h"
#include "graph/graph_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define MTX "%%MatrixMarket matrix coordinate pattern general\n"
#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define WEIGHT "a weight (a 32-bit integer or a finite 32-bit float)"

// Opens bytes in memory, which must fail with this message; "@" at its start means the name.
static void bytes_fail(const char *name, const void *bytes, size_t size, uint64_t max_memory,
                       const char *message)
{
    HdError err = {0};
    HdGraphOptions options = {.max_memory = max_memory};
    char expected[HD_ERROR_TEXT];
    bool with_name = *message == '@';
    snprintf(expected, sizeof expected, "%s%s", with_name ? name : "", message + with_name);
    assert_null(graph_open_bytes(name, bytes, size, &options, &err));
    assert_string_equal(err.text, expected);
}

// ---- announced sizes ----

static void test_announced_text(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t max_memory;
        const char *message;
    } cases[] = {
        {"a.mtx", MTX "2000000000 2000000000 1\n1 2\n", 0,
         "@:2:1: 2000000000 vertices, of which 1 edges join at most 2: expected at most 16777216 "
         "without an edge (--max-memory SIZE allows more)"},
        {"a.gr", "p sp 4294967295 2000000000\n", 0,
         "@:1:1: 4294967295 vertices, of which 2000000000 edges join at most 4000000000: expected "
         "at most 16777216 without an edge (--max-memory SIZE allows more)"},
        {"a.mtx", MTX "2000000000 2000000000 1\n1 2\n", MIB,
         "@:2:1: 2000000000 vertices need 22.4 GiB of memory: expected at most 1.0 MiB in all "
         "(--max-memory)"},
        {"a.gr", "c\np sp 100000 1\na 1 2 3\n", MIB,
         "@:2:1: 100000 vertices need 1.2 MiB of memory: expected at most 1.0 MiB in all "
         "(--max-memory)"},
        {"a.mtx", MTX "2 2 18446744073709551615\n1 2\n", MIB,
         "@:3: the file ends after 1 entries: expected 18446744073709551615 (size line, line 2)"},
        {"a.mtx", MTX "2 2 18446744073709551616\n1 2\n", MIB,
         "@:2:5: '18446744073709551616': expected the number of entries"},
        {"a.mtx", MTX "-2 -2 1\n1 2\n", MIB, "@:2:1: '-2': expected the number of rows"},
        {"a.gr", "p sp 2 18446744073709551615\n", MIB,
         "@:1: the file ends after 0 arcs: expected 18446744073709551615 (problem line, line 1)"},
        {"a.graph", "4294967295 1\n2\n1\n", MIB,
         "@:3: the file ends after the lines of 2 vertices: expected 4294967295 (header, line 1)"},
        {"a.graph", "1 18446744073709551615\n\n", MIB,
         "@:1:1: 18446744073709551615 edges: expected at most 4611686018427387903"},
        {"a.graph", "1 0 10 18446744073709551615\n1 1\n", MIB,
         "@:2:4: the line ends: expected the vertex's size or weight"},
        {"a.txt", "1 99999999999999999999\n", MIB,
         "@:1:3: '99999999999999999999': expected the id of the edge's second vertex (a 64-bit "
         "number, not negative)"},
        {"a.txt", "1 2 nan\n", MIB, "@:1:5: 'nan': expected " WEIGHT},
        {"a.txt", "1 2 1e39\n", MIB, "@:1:5: '1e39': expected " WEIGHT},
        {"a.txt", "1 2 1.5\n1 2 -inf\n", MIB, "@:2:5: '-inf': expected " WEIGHT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        bytes_fail(cases[i].name, cases[i].text, strlen(cases[i].text), cases[i].max_memory,
                   cases[i].message);
    // A high id takes no more memory than a low one.
    HdError err = {0};
    HdGraphOptions options = {.max_memory = 64 * KIB};
    static const char high[] = "1 4294967295\n18446744073709551615 1\n";
    HdGraph *graph = graph_open_bytes("a.edges", high, sizeof high - 1, &options, &err);
    assert_non_null(graph);
    check_rows(graph, "1 | | 0");
    hd_graph_free(graph);
}

typedef struct Numbers {
    const char *name;
    size_t count;
    uint64_t words[8];
    uint64_t max_memory;
    const char *message;
} Numbers;

// The same bytes packed say nothing about their size: arrays grow with what arrives.
static void test_announced_binary(void **state)
{
    (void)state;
    static const Numbers cases[] = {
        {"a.gr", 4, {1, 0, 4294967295, 0}, 0, "@: incomplete: 32 bytes, expected 34359738392 for "
                                              "4294967295 vertices and 0 edges"},
        {"a.gr", 4, {1, 0, 1, UINT64_MAX / 4}, 0, "@: invalid header: 1 vertices (byte 16) and "
                                                  "4611686018427387903 edges (byte 24)"},
        {"a.gr", 7, {1, 0, 2, 1, 1, 0, 0}, 0, "@: damaged: row offset 2 is 0: expected 1 to 1"},
        {"a.gr", 7, {1, 0, 2, 1, 2, 1, 0}, 0, "@: damaged: row offset 1 is 2: expected 0 to 1"},
        {"a.gr", 6, {1, 0, 1, 1, 1, 1}, 0, "@: damaged: edge 0 leads to vertex 1: expected 0 to 0"},
        {"a.gr", 6, {2, 0, 1, 1, 1, (uint64_t)1 << 32}, 0,
         "@: damaged: edge 0 leads to vertex 4294967296: expected 0 to 0"},
        {"a.gr.zst", 4, {1, 0, 4000000000, 0}, 1024 * MIB,
         "@: 4000000000 vertices and 0 edges need 44.8 GiB of memory: expected at most 1.0 GiB in "
         "all (--max-memory)"},
        {"a.gr.zst", 4, {1, 0, 50000000, 0}, 1024 * MIB,
         "@: incomplete: the file ends at byte 32, in its row ends"},
        {"a.gr.zst", 5, {1, 0, 1, 100000000, 100000000}, 1024 * MIB,
         "@: incomplete: the file ends at byte 40, in its columns"},
        {"a.gr.zst", 6, {2, 8, 1, 20000000, 20000000, 0}, 1024 * MIB,
         "@: incomplete: the file ends at byte 48, in its columns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Numbers *c = &cases[i];
        bool packed = strstr(c->name, ".zst");
        char bytes[1024];
        size_t size = c->count * sizeof *c->words;
        memcpy(bytes, c->words, size);
        if (packed) size = ZSTD_compress(bytes, sizeof bytes, c->words, size, 3);
        bytes_fail(c->name, bytes, size, c->max_memory, c->message);
    }
}

// A cache whose header is right by its own hash is not trusted either.
static void test_hostile_cache(void **state)
{
    (void)state;
    enum { EDGES = 24, GRAPH_HASH = 32, HEADER_HASH = 104, ROWS = 112, VERTICES = 3 };
    static const struct {
        size_t at;
        uint64_t value;
        size_t size;
        const char *message;
    } cases[] = {
        {EDGES, 1 << 20, 8, "@: incomplete: 152 bytes, expected 4194448 for 3 vertices and 1048576 "
                            "edges"},
        {EDGES, UINT64_MAX, 8, "@: invalid header: 3 vertices, 18446744073709551615 edges, flags "
                               "0x1"},
        {GRAPH_HASH, 0, 8, "@: damaged: the graph's hash is %016llx, the header says "
                           "0000000000000000"},
        {ROWS, 1, 8, "@: damaged: row offset 0 is 1: expected 0"},
        {ROWS + 8, UINT64_MAX, 8, "@: damaged: row offset 1 is 18446744073709551615: expected 0 to "
                                  "2"},
        {ROWS + 24, 1, 8, "@: damaged: row offset 3 is 1: expected 2 to 2"},
        {ROWS + 32, 3, 4, "@: damaged: edge 0 leads to vertex 3: expected 0 to 2"},
    };
    HdError err = {0};
    HdGraph *graph = hd_graph_build("g", VERTICES, (HdEdge[]){{0, 1}, {0, 2}}, 2, &err);
    assert_non_null(graph);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        char *bytes = cache_bytes(graph, &size), message[256];
        memcpy(bytes + cases[i].at, &cases[i].value, cases[i].size);
        uint64_t hash = hash_bytes(HASH_START, bytes, HEADER_HASH);
        memcpy(bytes + HEADER_HASH, &hash, sizeof hash);
        snprintf(message, sizeof message, "%s", cases[i].message);
        char *hole = strstr(message, "%016llx");
        if (hole) {
            char text[HASH_TEXT];
            hash_text(graph->hash, text);
            snprintf(message, sizeof message, "@: damaged: the graph's hash is %s, the header says "
                                              "0000000000000000", text);
        }
        bytes_fail("a.hdg", bytes, size, 0, message);
        free(bytes);
    }
    hd_graph_free(graph);
}

// ---- memory ----

// Generators say what they need before they take it, and before they count for minutes.
static void test_generators(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint64_t vertices, edges;
        const char *need;
    } cases[] = {
        {"rmat:31,67108864", 2147483648, 144115188075855872, "512.1 PiB"},
        {"uniform:100000,100000", 100000, 10000000000, "37.3 GiB"},
        {"grid:60000x60000", 3600000000, 7200000000, "53.7 GiB"},
        {"er:4294967295,p=1", 4294967295, 18446744060824649728u, "64.0 EiB"},
        {"er:100000,1000000", 100000, 2000000, "8.8 MiB"},
        {"kout:1000000,1..67108864", 1000000, 67108865000000, "244.2 TiB"},
        {"rgg:1000000,radius=2", 1000000, 250000000000, "931.4 GiB"},
        {"delaunay:2147483647", 2147483647, 12884901882, "64.0 GiB"},
        {"ba:4294967295,1024", 4294967295, 8796091970560, "32.1 TiB"},
        {"ws:4294967295,2048", 4294967295, 8796093020160, "32.1 TiB"},
        {"mesh:1000x1000x1000,stencil=26", 1000000000, 25946035992, "104.2 GiB"},
        {"road:4294967295", 4294967295, 10737418236, "72.0 GiB"},
        {"groups:4294967295,2^61", 4294967295, 4611686018427387904, "16.1 EiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[256];
        HdError err = {0};
        snprintf(expected, sizeof expected, "%s: %llu vertices and %llu edges need %s of memory: "
                 "expected at most 1.0 MiB in all (--max-memory)", cases[i].spec,
                 (unsigned long long)cases[i].vertices, (unsigned long long)cases[i].edges,
                 cases[i].need);
        assert_null(hd_graph_open(cases[i].spec, &(HdGraphOptions){.max_memory = MIB}, &err));
        assert_string_equal(err.text, expected);
    }
}

// Each step of opening counts its memory: at every limit there is a graph, or a message with it.
static void test_every_limit(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "rmat:6,8,undirected=1", "delaunay:99", "groups:99,300", "road:99", "ba:99,3",
        "rgg:99,degree=5",       "g.hdg",       "g.wsg",         "g.graph", "g.txt", "g.csv.zst",
    };
    HdError err = {0};
    HdGraph *graph = hd_graph_open("er:99,300", &(HdGraphOptions){.draw_weights = true}, &err);
    assert_non_null(graph);
    for (size_t i = 6; i < sizeof specs / sizeof *specs; i++)
        assert_true(hd_graph_write(graph, scratch_path(specs[i]), &err));
    hd_graph_free(graph);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        char path[512];
        int refused = 0, opened = 0;
        snprintf(path, sizeof path, "%s", i < 6 ? specs[i] : scratch_path(specs[i]));
        for (uint64_t limit = 64; !opened; limit += limit / 16) {
            HdGraphOptions options = {
                .drop_loops = true, .drop_duplicates = true, .draw_weights = true, .weight_high = 9,
                .symmetrize = true, .largest_component = true, .relabel = HD_RELABEL_DEGREE,
                .max_memory = limit,
            };
            err = (HdError){0};
            graph = hd_graph_open(path, &options, &err);
            opened += graph != NULL;
            refused += graph == NULL;
            if (!graph && !strstr(err.text, "(--max-memory)") && !strstr(err.text, "window"))
                fail_msg("%s", err.text);
            hd_graph_free(graph);
        }
        assert_in_range(refused, 10, 400);
    }
}

// ---- bombs ----

// The text of `lines` equal lines, packed by gzip.
static size_t gzip_lines(char *packed, size_t room, const char *line, size_t lines)
{
    z_stream z = {.next_out = (unsigned char *)packed, .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    for (size_t i = 0; i < lines; i++) {
        z.next_in = (unsigned char *)(uintptr_t)line;
        z.avail_in = (unsigned)strlen(line);
        assert_true(deflate(&z, i + 1 < lines ? Z_NO_FLUSH : Z_FINISH) >= 0);
    }
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

// In a child whose address space is small, which a bomb would exceed.
static void refused_in_little_memory(const char *name, const char *packed, size_t size,
                                     uint64_t max_memory, const char *message)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        HdError err = {0};
        struct rlimit little = {192 * MIB, 192 * MIB};
#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
        setrlimit(RLIMIT_AS, &little);
#endif
        (void)little;
        HdGraphOptions options = {.max_memory = max_memory};
        HdGraph *graph = graph_open_bytes(name, packed, size, &options, &err);
        if (graph) snprintf(err.text, sizeof err.text, "opened");
        _exit(write(ends[1], err.text, strlen(err.text) + 1) < 0);
    }
    char text[HD_ERROR_TEXT] = "";
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(text, message);
}

static void test_bombs(void **state)
{
    (void)state;
    enum { ROOM = 4 << 20, LINES = 16 << 20 };
    char *packed = malloc(ROOM);
    assert_non_null(packed);
    // 16 Mi edges of 4 bytes each, which take 16 in memory.
    size_t size = gzip_lines(packed, ROOM, "1 2\n", LINES);
    refused_in_little_memory("bomb.txt.gz", packed, size, 32 * MIB,
                             "bomb.txt.gz: the edges need 32.1 MiB of memory: expected at most "
                             "32.0 MiB in all (--max-memory)");
    // Comments take no memory, but they count.
    size = gzip_lines(packed, ROOM, "# comment\n", 4 << 20);
    refused_in_little_memory("bomb.txt.gz", packed, size, 32 * MIB,
                             "bomb.txt.gz: more than 32.0 MiB of decompressed data: expected at "
                             "most that (--max-memory)");
    size = gzip_lines(packed, ROOM, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ", 1 << 20);
    refused_in_little_memory("bomb.txt.gz", packed, size, 32 * MIB,
                             "bomb.txt.gz:1:1: the line is longer than 1.0 MiB: expected a "
                             "shorter one");
    char *zeros = calloc(1, 64 * MIB);
    assert_non_null(zeros);
    size = ZSTD_compress(packed, ROOM, zeros, 64 * MIB, 3);
    refused_in_little_memory("bomb.mtx.zst", packed, size, 32 * MIB,
                             "bomb.mtx.zst:1:1: the line is longer than 1.0 MiB: expected a "
                             "shorter one");
    // The arrays grow with the data, and not with what the header announces.
    const uint64_t galois[] = {1, 0, 50000000, 0};
    size = ZSTD_compress(packed, ROOM, galois, sizeof galois, 3);
    refused_in_little_memory("bomb.gr.zst", packed, size, 1024 * MIB,
                             "bomb.gr.zst: incomplete: the file ends at byte 32, in its row ends");
    free(zeros);
    free(packed);
}

// ---- what never ends, or can be read only once ----

static void test_endless(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"z.mtx", "@:1:1: the line is longer than 1.0 MiB: expected a shorter one"},
        {"z.txt", "@:1:1: the line is longer than 1.0 MiB: expected a shorter one"},
        {"z.graph", "@: the bytes of a line need 8.0 MiB of memory: expected at most 4.0 MiB in "
                    "all (--max-memory)"},
        {"z.gr", "@: is neither DIMACS text nor a Galois graph of version 1 or 2: bytes 0 to 7 are "
                 "the number 0"},
        {"z.sg", "@: not a serialised GAP graph: byte 0 (directed) is 0, edges are 0, its vertices "
                 "0"},
        {"z.hdg", "@: not a graph cache: expected HDGRAPH at byte 0"},
        {"z.col", "@:1:1: the line is longer than 1.0 MiB: expected a shorter one"},
        {"z.egr", "@: not an ECL graph: 0 vertices (byte 0) and 0 edges (byte 4): expected at "
                  "least 1 and 0"},
        {"z.adj", "@: the bytes of a line need 8.0 MiB of memory: expected at most 4.0 MiB in all "
                  "(--max-memory)"},
        {"z.net", "@: the bytes of a line need 8.0 MiB of memory: expected at most 4.0 MiB in all "
                  "(--max-memory)"},
        {"z.gml", "@: the bytes of a line need 8.0 MiB of memory: expected at most 4.0 MiB in all "
                  "(--max-memory)"},
        {"z.graphml", "@:1:1: not well-formed (invalid token): expected well-formed XML"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdError err = {0};
        char path[512], expected[1024];
        HdGraphOptions options = {.max_memory = 4 * MIB};
        snprintf(path, sizeof path, "%s", scratch_path(cases[i][0]));
        snprintf(expected, sizeof expected, "%s%s", path, cases[i][1] + 1);
        assert_int_equal(symlink("/dev/zero", path), 0);
        assert_null(hd_graph_open(path, &options, &err));
        assert_string_equal(err.text, expected);
    }
}

// Opens `name` through a pipe, into which a child writes the bytes, `times` times.
static HdGraph *open_pipe(const char *name, const char *bytes, size_t size, int times,
                          uint64_t max_memory, HdError *err)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(name));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_WRONLY);
        for (int i = 0; times < 0 || i < times; i++)
            for (size_t done = 0; done < size;) {
                ssize_t n = write(fd, bytes + done, size - done);
                if (n < 0) _exit(1);
                done += (size_t)n;
            }
        _exit(0);
    }
    HdGraph *graph = hd_graph_open(path, &(HdGraphOptions){.max_memory = max_memory}, err);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return graph;
}

static void test_pipes(void **state)
{
    (void)state;
    static const char *const names[] = {"p.mtx", "p.txt", "p.csv", "p.graph", "p.sg",  "p.wsg",
                                        "p.hdg", "p.gr",  "p.gr.zst", "p.wsg.zst"};
    HdError err = {0};
    HdGraphOptions options = {.draw_weights = true, .weight_high = 99};
    HdGraph *graph = hd_graph_open("er:3000,60000", &options, &err); // texts of several pieces
    assert_non_null(graph);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        assert_true(hd_graph_write(graph, scratch_path(names[i]), &err));
        HdGraph *file = open_ok(scratch_path(names[i]));
        char *bytes = scratch_bytes(scratch_path(names[i]), &size);
        HdGraph *piped = open_pipe(names[i], bytes, size, 1, 0, &err);
        if (!piped) fail_msg("%s", err.text);
        check_same(file, piped);
        free(bytes);
    }
    hd_graph_free(graph);
    // One that never ends.
    assert_null(open_pipe("never.txt", "# x\n", 4, -1, 3 * MIB, &err));
    assert_contains(err.text, "never.txt: more than 3.0 MiB of data: expected at most that "
                              "(--max-memory)");
    assert_null(open_pipe("never.txt", "1 2\n", 4, -1, 3 * MIB, &err));
    assert_contains(err.text, "never.txt: the edges need ");
}

// ---- characters ----

// Each text as it is, with a byte order mark, and with CRLF.
static void test_marks_and_line_ends(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"t.mtx", "%%MatrixMarket matrix coordinate integer general\n% c\n3 3 2\n1 2 5\n2 3 6\n"},
        {"t.txt", "# c\n0 1 5\n1 2 6\n\n"},
        {"t.csv", "from,to,weight\n0,1,5\n1,2,6"},
        {"t.gr", "c c\np sp 3 2\na 1 2 5\na 2 3 6\n"},
        {"t.graph", "% c\n3 2 1\n2 5\n1 5 3 6\n2 6\n"},
        {"t.col", "c c\np edge 3 2\ne 1 2\ne 2 3\n"},
        {"t.adj", "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n"},
        {"t.net", "*Vertices 3\n*Edges\n1 2 5\n2 3 6\n"},
        {"t.gml", "graph [\nnode [\nid 1\n]\nedge [ source 1\ntarget 1 ]\n]\n"},
        {"t.graphml", "<graphml>\n<graph edgedefault='directed'>\n<node id='a'/>\n"
                      "</graph></graphml>"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char marked[256], crlf[512], *to = crlf;
        HdError err = {0};
        snprintf(marked, sizeof marked, "\xef\xbb\xbf%s", texts[i][1]);
        for (const char *from = marked; *from; from++) {
            if (*from == '\n') *to++ = '\r';
            *to++ = *from;
        }
        *to = 0;
        const char *name = texts[i][0], *both[] = {marked, crlf};
        for (int k = 0; k < 2; k++) {
            HdGraph *plain = graph_open_bytes(name, texts[i][1], strlen(texts[i][1]), NULL, &err);
            HdGraph *other = graph_open_bytes(name, both[k], strlen(both[k]), NULL, &err);
            if (!plain || !other) fail_msg("%s", err.text);
            check_same(plain, other);
        }
    }
}

static void test_control_characters(void **state)
{
    (void)state;
#define TEXT(text) text, sizeof text - 1
#define ALONE                                                                                      \
    "a carriage return alone: expected lines that end with LF or CRLF (tr '\\r' '\\n' converts "   \
    "them)"
    static const struct {
        const char *name, *text;
        size_t size;
        const char *message;
    } cases[] = {
        {"c.txt", TEXT("1 2\r3 4\r"), "@:1:3: '2\\x0d3': expected the id of the edge's second "
                                      "vertex (a 64-bit number, not negative)"},
        {"c.txt", TEXT("1 2\r"), "@:1:3: '2\\x0d': expected the id of the edge's second vertex (a "
                                 "64-bit number, not negative)"},
        {"c.txt", TEXT("# c\r1 2\r"), "@:1:4: " ALONE},
        {"c.txt", TEXT("# \x1b[2Jc\n1 2\n"), "@:1:3: the control character \\x1b: expected text"},
        {"c.txt", TEXT("# \0\n1 2\n"), "@:1:3: the control character \\x00: expected text"},
        {"c.txt", TEXT("1 \x1b[2J\n"), "@:1:3: '\\x1b[2J': expected the id of the edge's second "
                                       "vertex (a 64-bit number, not negative)"},
        {"c.txt", TEXT("1 2 \x7f\n"), "@:1:5: '\\x7f': expected " WEIGHT},
        {"c.csv", TEXT("from,to\r1,2\r"), "@:1:8: " ALONE},
        {"c.csv", TEXT("1,2\0\n"),
         "@:1:3: '2\\x00': expected the id of the edge's second vertex (a "
                                   "64-bit number, not negative)"},
        {"c.graph", TEXT("2 1\r2\r1\r"), "@:1:3: '1\\x0d2\\x0d1\\x0d': expected the number of "
                                         "edges"},
        {"c.mtx", TEXT(MTX "1 1 0\r"), "@:2:5: '0\\x0d': expected the number of entries"},
        {"c.gr", TEXT("p sp 1 0\r"), "@:1:8: '0\\x0d': expected the number of arcs"},
        {"c.txt", TEXT("1 \0\0\0\0\0\0\0\0\0\n"),
         "@:1:3: '\\x00\\x00\\x00\\x00\\x00\\x00\\x00...': expected the id of the edge's "
         "second vertex (a 64-bit number, not negative)"},
        {"c.txt", TEXT("1 12345678901234567890123456\n"),
         "@:1:3: '1234567890123456789012345...': expected the id of the edge's second vertex (a "
         "64-bit number, not negative)"},
        {"c.txt", TEXT("\xff\xfe" "1 2\n"),
         "@:1:1: '\\xff\\xfe1': expected a vertex id (a 64-bit number, not negative)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        bytes_fail(cases[i].name, cases[i].text, cases[i].size, MIB, cases[i].message);
}

// The longest line that is read, and one byte more.
static void test_long_lines(void **state)
{
    (void)state;
    size_t size = MIB + 8;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "1 2", 3);
    text[MIB] = '\n';
    memcpy(text + MIB + 1, "2 3", 3);
    HdError err = {0};
    HdGraph *graph = graph_open_bytes("long.txt", text, MIB + 4, NULL, &err);
    if (!graph) fail_msg("%s", err.text);
    check_rows(graph, "1 | 2 |");
    hd_graph_free(graph);
    text[MIB] = ' ';
    text[MIB + 1] = '\n';
    bytes_fail("long.txt", text, size, 0,
               "@:1:1: the line is longer than 1.0 MiB: expected a shorter one");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_announced_text),      cmocka_unit_test(test_announced_binary),
        cmocka_unit_test(test_hostile_cache),       cmocka_unit_test(test_generators),
        cmocka_unit_test(test_every_limit),         cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_endless),             cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_marks_and_line_ends), cmocka_unit_test(test_control_characters),
        cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
