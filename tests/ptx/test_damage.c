// Damaged files: for any bytes, the result is a module or a message. The sanitizer build checks
// memory accesses.
#include "parse_text.h"

#include "base/file.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 600 };

static char *sample(size_t *size)
{
    HdError err = {0};
    char *text = file_read(TEST_DATA "/opcodes.ptx", size, &err);
    if (!text) fail_msg("%s", err.text);
    return text;
}

static bool parses(const char *text)
{
    HdError err = {0};
    PtxModule *m = ptx_parse(text, "damaged.ptx", &err);
    if (!m) {
        assert_true(err.set);
        assert_memory_equal(err.text, "damaged.ptx:", 12);
    }
    ptx_free(m);
    return m != NULL;
}

// Overwrites, removes or repeats a few pieces.
static void damage(char *text, uint32_t round)
{
    static const char likely[] = "{}()[],;.%-0!@|\"/*";
    for (uint64_t draw = 0; draw < 3; draw++) {
        size_t size = strlen(text);
        uint64_t bits = random_draw(1, 0, round, draw);
        size_t at = bits % size, piece = (bits >> 48) % 16;
        if (at + piece >= size) continue;
        if (bits >> 40 & 1) text[at] = likely[(bits >> 32) % (sizeof likely - 1)];
        else if (bits >> 41 & 1) memmove(text + at, text + at + piece, size - at - piece + 1);
        else memmove(text + at, text + (bits >> 16) % (size - piece), piece);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    size_t size;
    char *text = sample(&size), *copy = malloc(size + 1);
    assert_non_null(copy);
    assert_true(parses(text));
    int refused = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        memcpy(copy, text, size + 1);
        damage(copy, round);
        refused += !parses(copy);
    }
    assert_in_range(refused, ROUNDS / 2, ROUNDS);
    free(copy);
    free(text);
}

// Two texts of relocatable code, of which one or both are damaged.
static void test_damaged_links(void **state)
{
    (void)state;
    static const char sound[] =
        ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"a.cu\"\n"
        ".extern .func (.param .b32 r) f(.param .b32 a);\n"
        ".weak .func (.param .b32 r) g(.param .b32 a) { .loc 1 2 3 st.param.b32 [r], 1; ret; }\n"
        ".weak .func (.param .b32 r) h(.param .b32 a);\n.alias h, g;\n"
        ".weak .global .u32 v[2];\n.weak .global .u64 w[2] = {f, v+4};\n"
        ".common .global .u32 c[3];\n.weak .const .u32 k[2] = {1, 2};\n"
        ".extern .shared .b8 raw[];\n.weak .shared .b8 tile[64];\n.global .u64 own = w;\n"
        ".weak .entry e(.param .u64 p) { .reg .b64 %r<3>; .reg .b32 %s<3>;\n"
        "ld.global.u64 %r1, [w]; ld.const.u32 %s1, [k+4]; ld.shared.u32 %s2, [tile];\n"
        "st.shared.u32 [raw], %s1; mov.u64 %r2, h; st.global.u64 [own], %r2; ret; }\n";
    char first[sizeof sound], second[sizeof sound];
    PtxText texts[] = {{first, "a.ptx"}, {second, "b.ptx"}};
    int refused = 0;
    for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
        HdError err = {0};
        memcpy(first, sound, sizeof sound);
        memcpy(second, sound, sizeof sound);
        if (round) damage(second, round);
        if (round % 2) damage(first, 4 * ROUNDS + round);
        PtxModule *m = ptx_link(texts, 2, "linked.ptx", (PtxOptions){.lenient = true}, &err);
        if (!round) assert_non_null(m);
        assert_true(m || err.set);
        refused += !m;
        ptx_free(m);
    }
    assert_in_range(refused, ROUNDS, 4 * ROUNDS);
}

// A file that is truncated before the last "}" is rejected.
static void test_cut(void **state)
{
    (void)state;
    size_t size;
    char *text = sample(&size);
    const char *start = strstr(text, ".version");
    for (char *end = text + size; *--end != '}';) *end = 0;
    for (size_t length = strlen(text) - 1; text + length > start; length -= 37) {
        text[length] = 0;
        if (strstr(text, ".visible")) assert_false(parses(text));
        if (length < 37) break;
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_damaged_links),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
