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
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
