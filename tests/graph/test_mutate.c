// Damaged files of each format: whatever the bytes, the readers return a valid graph or a message
// that names the file. The sanitizer build checks the memory.
#include "graph_checks.h"

#include "base/file.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { ROUNDS = 1500, LARGEST = 4096 };

// A few random changes: bytes overwritten, a piece doubled, removed, or the end cut off.
static size_t mutate(char *bytes, size_t size, uint32_t file, uint32_t round)
{
    static const char likely[] = "0123456789 \n\t\r-+.eE%#\0\xffxk";
    uint64_t draw = 0;
    uint64_t changes = 1 + random_draw(1, file, round, draw++) % 4;
    while (changes-- && size > 1) {
        uint64_t bits = random_draw(1, file, round, draw++);
        size_t at = random_draw(1, file, round, draw++) % size;
        size_t piece = 1 + (bits >> 8) % 8;
        if (piece > size - at) piece = size - at;
        switch (bits % 6) {
        case 0: bytes[at] = (char)(bits >> 16); break;
        case 1: bytes[at] ^= (char)(1 << (bits >> 16) % 8); break;
        case 2:
            if (size + piece > LARGEST) break;
            memmove(bytes + at + piece, bytes + at, size - at);
            size += piece;
            break;
        case 3:
            memmove(bytes + at, bytes + at + piece, size - at - piece);
            size -= piece;
            break;
        case 4:
            if ((bits >> 16) % 4 == 0) size = at + 1;
            break;
        default: bytes[at] = likely[(bits >> 16) % (sizeof likely - 1)]; break;
        }
    }
    return size;
}

static void check_sound(const HdGraph *graph)
{
    assert_true(graph->vertices > 0);
    assert_int_equal(graph->row[0], 0);
    assert_int_equal(graph->row[graph->vertices], graph->edges);
    for (uint64_t i = 0; i < graph->edges; i++) assert_true(graph->column[i] < graph->vertices);
}

// Does not wait for the disk, as file_write would, and some file systems if a file is truncated and
// written again.
static void write_raw(const char *name, const void *bytes, size_t size)
{
    unlink(scratch_path(name));
    FILE *out = fopen(scratch_path(name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

// Returns how many of the damaged files could still be opened.
static int mutate_file(const char *name, uint32_t file, const char *original, size_t size)
{
    int opened = 0;
    assert_true(size <= LARGEST);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char bytes[LARGEST];
        memcpy(bytes, original, size);
        write_raw(name, bytes, mutate(bytes, size, file, round));
        HdError err = {0};
        HdGraph *graph = hd_graph_open(scratch_path(name), NULL, &err);
        if (graph) {
            check_sound(graph);
            opened++;
        } else {
            assert_true(err.set);
            if (!strstr(err.text, name) && !strstr(err.text, "out of memory"))
                fail_msg("no file in: %s", err.text);
        }
        hd_graph_free(graph);
    }
    return opened;
}

static void test_text(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n5 5 4\n2 1\n3 3\n5 1\n"
                  "4 2\n"},
        {"i.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 -7\n2 3 8\n"
                  "3 1 9\n"},
        {"r.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.25\n2 1 1e3\n"},
        {"e.txt", "# comment\n1 2\n2 3\n900 4\n"},
        {"w.txt", "1 2 5\n2 3 -6\n3 18446744073709551615 7\n"},
        {"d.gr", "c x\np sp 4 4\na 1 2 7\na 2 1 -7\na 4 1 9\na 3 3 1\n"},
        {"m.graph", "% c\n4 4\n2 3\n1 3 4\n1 2\n2\n"},
        {"f.graph", "3 2 111 2\n9 1 1 2 5\n9 1 1 1 5 3 6\n9 1 1 2 6\n"},
        {"c.csv", "from,to,weight\n1,2,5\n2,3,6\n3,1,7\n"},
        {"p.csv", "1,2\n2,3\n3,1\n"},
    };
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int opened = mutate_file(texts[i][0], i, texts[i][1], strlen(texts[i][1]));
        assert_in_range(opened, 1, ROUNDS - 1); // both outcomes were seen
    }
}

static void mutate_written(const char *name, uint32_t file)
{
    HdError err = {0};
    size_t size;
    HdGraph *graph = open_ok("rmat:4,4");
    assert_true(hd_graph_write(graph, scratch_path("whole.hdg.zst"), &err));
    assert_true(hd_graph_write(graph, scratch_path("whole.hdg"), &err));
    char whole[32];
    snprintf(whole, sizeof whole, "whole%s", strchr(name, '.'));
    char *bytes = scratch_bytes(scratch_path(whole), &size);
    assert_in_range(mutate_file(name, file, bytes, size), 0, ROUNDS / 2);
    free(bytes);
    hd_graph_free(graph);
}

static void test_cache(void **state)
{
    (void)state;
    mutate_written("m.hdg", 100);
    mutate_written("m.hdg.zst", 101);
}

static void test_gzip(void **state)
{
    (void)state;
    size_t size;
    char packed[LARGEST];
    FILE *in = fopen(scratch_gzip("whole.txt.gz", "1 2\n2 3\n3 4\n4 1\n1 1\n"), "rb");
    assert_non_null(in);
    size = fread(packed, 1, sizeof packed, in);
    fclose(in);
    assert_in_range(mutate_file("m.txt.gz", 102, packed, size), 0, ROUNDS / 2);
}

// A .gr of Galois and a .wsg, both of 0->1, 1->0, 1->2, 2->1: valid but for the change.
static void test_binary(void **state)
{
    (void)state;
    const uint64_t galois[] = {1, 4, 3, 4, 1, 3, 4, (uint64_t)0 << 32 | 1, (uint64_t)1 << 32 | 2,
                               (uint64_t)5 << 32 | 5, (uint64_t)6 << 32 | 6};
    const uint64_t wide[] = {2, 8, 3, 4, 1, 3, 4, 1, 0, 2, 1, 5, 5, 6, 6};
    const uint64_t gap[] = {4, 3, 0, 1, 3, 4, (uint64_t)5 << 32 | 1, (uint64_t)5 << 32,
                            (uint64_t)6 << 32 | 2, (uint64_t)6 << 32 | 1};
    char bytes[1 + sizeof gap] = {0}; // not directed
    memcpy(bytes + 1, gap, sizeof gap);
    assert_in_range(mutate_file("b.gr", 110, (const char *)galois, sizeof galois), 1, ROUNDS - 1);
    assert_in_range(mutate_file("w.gr", 111, (const char *)wide, sizeof wide), 1, ROUNDS - 1);
    assert_in_range(mutate_file("b.wsg", 112, bytes, sizeof bytes), 1, ROUNDS - 1);
}

// The same in compressed files, whose size says nothing about what is in them.
static void test_zstd(void **state)
{
    (void)state;
    static const char text[] = "1 2\n2 3\n3 4\n4 1\n1 1\n";
    const uint64_t galois[] = {1, 0, 2, 2, 1, 2, 1};
    size_t size;
    char *bytes = scratch_bytes(scratch_zstd("whole.txt.zst", text, sizeof text - 1), &size);
    assert_in_range(mutate_file("m.txt.zst", 103, bytes, size), 1, ROUNDS - 1);
    free(bytes);
    // Its sizes stay: larger ones would only take memory.
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char changed[LARGEST], packed[2 * LARGEST];
        memcpy(changed, galois, sizeof galois);
        size_t kept = 32, left = mutate(changed + kept, sizeof galois - kept, 104, round);
        size = ZSTD_compress(packed, sizeof packed, changed, kept + left, 1);
        assert_false(ZSTD_isError(size));
        write_raw("m.gr.zst", packed, size);
        HdError err = {0};
        HdGraph *graph = hd_graph_open(scratch_path("m.gr.zst"), NULL, &err);
        if (graph)
            check_sound(graph);
        else
            assert_non_null(strstr(err.text, "m.gr.zst: "));
        hd_graph_free(graph);
    }
}

static void test_specs(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:3,2,seed=4,a=.5,b=.2", "uniform:2^4,3,seed=1",
                                        "grid:4x3,delete=0.5"};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t round = 0; round < ROUNDS; round++) {
            char spec[64] = {0};
            strcpy(spec, specs[i]);
            // The sizes stay (a large one would only take long); what follows them is damaged.
            char *tail = strchr(spec, ',') + 2;
            uint64_t bits = random_draw(2, i, round, 0);
            tail[bits % strlen(tail)] = (char)(' ' + (bits >> 8) % 95);
            if (strchr(tail, 'i') || strchr(tail, '^')) continue;
            HdError err = {0};
            HdGraph *graph = hd_graph_open(spec, NULL, &err);
            if (graph)
                check_sound(graph);
            else
                assert_non_null(strstr(err.text, spec));
            hd_graph_free(graph);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text), cmocka_unit_test(test_cache), cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_binary), cmocka_unit_test(test_zstd),
        cmocka_unit_test(test_specs),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
