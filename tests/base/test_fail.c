// Error texts, and the nearest name.
#include "base/fail.h"
#include "support/scratch.h"

#include <string.h>

static void the_place_stands_in_front(void **state)
{
    (void)state;
    HdError err = {0};
    assert_false(hd_fail_at(&err, "a.yaml", 3, 7, "%d is too many", 12));
    assert_true(err.set);
    assert_string_equal(err.text, "a.yaml:3:7: 12 is too many");
    hd_fail_at(&err, "a.yaml", 3, 0, "x");
    assert_string_equal(err.text, "a.yaml:3: x");
    hd_fail_at(&err, "a.yaml", 0, 0, "x");
    assert_string_equal(err.text, "a.yaml: x");
    assert_false(hd_fail(&err, "no place"));
    assert_string_equal(err.text, "no place");
    assert_false(hd_fail_memory(&err, "reading"));
    assert_string_equal(err.text, "out of memory while reading");
}

static void input_cannot_control_the_terminal(void **state)
{
    (void)state;
    HdError err = {0};
    hd_fail_at(&err, "a\n\x1b", 1, 2, "no '%s'\n\there", "\x1b[2J");
    assert_string_equal(err.text, "a\\x0a\\x1b:1:2: no '\\x1b[2J'\n\there");
    hd_fail(&err, "a, then %s", err.text); // quotes itself, and escapes nothing twice
    assert_string_equal(err.text, "a, then a\\x0a\\x1b:1:2: no '\\x1b[2J'\n\there");
}

static void error_may_be_null(void **state)
{
    (void)state;
    assert_false(hd_fail(NULL, "lost"));
    assert_false(hd_fail_at(NULL, "f", 1, 1, "lost"));
    assert_false(hd_fail_memory(NULL, "anything"));
}

static void long_texts_are_cut_and_end(void **state)
{
    (void)state;
    static char path[2 * HD_ERROR_TEXT];
    memset(path, 'p', sizeof path - 1);
    HdError err = {0};
    hd_fail_at(&err, path, 1, 1, "behind a path that is too long");
    assert_string_equal(err.text + HD_ERROR_TEXT / 2 - 1, ":1:1: behind a path that is too long");
    hd_fail(&err, "%s", path);
    assert_int_equal(strlen(err.text), HD_ERROR_TEXT - 1);
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    const char *const names[] = {"size", "ways", "line", "mshr_entries", "mshr_merges"};
    assert_string_equal(hd_nearest("sise", names, 5), "size");          // one replaced
    assert_string_equal(hd_nearest("way", names, 5), "ways");           // one missing
    assert_string_equal(hd_nearest("lline", names, 5), "line");         // one too many
    assert_string_equal(hd_nearest("mshr_merge", names, 5), "mshr_merges");
    assert_string_equal(hd_nearest("size", names, 5), "size");
}

static void a_far_name_is_not_suggested(void **state)
{
    (void)state;
    const char *const names[] = {"size", "ways"};
    assert_null(hd_nearest("frequency", names, 2));
    // Five letters allow at most two changes.
    const char *const one[] = {"abcxy"}, *const none[] = {"abxyz"};
    assert_string_equal(hd_nearest("abcde", one, 1), "abcxy");
    assert_null(hd_nearest("abcde", none, 1));
    assert_null(hd_nearest("size", names, 0));
}

static void very_long_words_are_no_names(void **state)
{
    (void)state;
    char word[200];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = 0;
    const char *const names[] = {"size"}, *const longs[] = {word};
    assert_null(hd_nearest(word, names, 1));
    assert_null(hd_nearest("size", longs, 1));
}

static void a_list_is_cut_at_its_size(void **state)
{
    (void)state;
    static const char *const names[] = {"size", "ways", "line"};
    char text[17], small[9];
    hd_list_names(text, sizeof text, names, 3);
    assert_string_equal(text, "size, ways, line");
    hd_list_names(text, sizeof text, names, 0);
    assert_string_equal(text, "");
    hd_list_names(small, sizeof small, names, 3);
    assert_string_equal(small, "size, wa");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_stands_in_front),
        cmocka_unit_test(error_may_be_null),
        cmocka_unit_test(input_cannot_control_the_terminal),
        cmocka_unit_test(long_texts_are_cut_and_end),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(a_far_name_is_not_suggested),
        cmocka_unit_test(very_long_words_are_no_names),
        cmocka_unit_test(a_list_is_cut_at_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
