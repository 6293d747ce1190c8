// The inverted index: an answer derived by hand, sizes that fit no block, and kernels that are
// wrong. With seed 0 each record is, as long as it is,
//     to <a href="x">x</a> <a name="y"> <b href="z"> <<a href="yy">yy</a>
// and a blank, 68 characters with two links. The quote after the second link is character 60.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A link that a record cuts off does not count. In the index a zero follows each link.
static void test_known_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        double text, links, link_bytes;
    } runs[] = {{"bytes=68", 204, 6, 15}, {"bytes=59", 177, 3, 6}, {"bytes=60", 180, 6, 15},
                {"bytes=136", 408, 12, 30}, {"bytes=1", 3, 0, 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cell_answers((Cell){.workload = "invindex",
                            .parameters = {"records=3", runs[i].bytes, "seed=0"}},
                     (const CellAnswer[]){{"text", runs[i].text, 0}, {"links", runs[i].links, 0},
                                          {"link_bytes", runs[i].link_bytes, 0}, {0}});
}

// With blocks of 2, the totals of 77 records need seven levels.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "invindex", .block = 35, .parameters = {"records=333", "bytes=99"}},
        {.workload = "invindex", .block = 2, .parameters = {"records=77"}},
        {.workload = "invindex", .parameters = {"records=1", "bytes=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

// Records have from half to one and a half of the mean length, and links.
static void test_drawn_text(void **state)
{
    (void)state;
    WorkloadResult r = cell_verified(&(Cell){.workload = "invindex",
                                             .parameters = {"records=400", "bytes=200"}});
    uint64_t text = workload_count(&r, "text"), links = workload_count(&r, "links");
    assert_in_range(text, 400 * 190, 400 * 210);
    assert_in_range(links, 400, 4 * 400);
    // "http://", two words of 2 to 9 letters, ".org/", a zero
    assert_in_range(workload_count(&r, "link_bytes"), links * 17, links * 31);
    workload_result_free(&r);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "invindex", .block = 1},
         "a block of 1 thread has nothing to add up: expected --block to be 2 or more for this "
         "workload"},
        {{.workload = "invindex", .parameters = {"records=16777216"}},
         "16777216 records of 128 bytes in the mean can have 3238002688 bytes: expected at most "
         "2147483647, because kernels' indices have 31 bits"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong: a '<' that does not start a link anew, links counted as bytes, greatest
// numbers in place of sums, zeros that are others, and places in place of records.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *replace, *with, *message;
    } wrong[] = {
        {"%rs3, 60", "%rs3, 61", "links[1] is 1: expected 2"},
        {"st.global.u32 \t[%rd18], %r46", "st.global.u32 \t[%rd18], %r45", "bytes[1] is 2:"},
        {"add.s32 \t%r18, %r17, %r23", "max.s32 \t%r18, %r17, %r23", "links[1] is 0:"},
        {"st.global.u8 \t[%rd37], %rs7", "st.global.u8 \t[%rd37], 33", "link[1] is 33: expected 0"},
        {"st.global.u32 \t[%rd33], %r1", "st.global.u32 \t[%rd33], %r53", "link_record[1] is "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cell_wrong(&(Cell){.workload = "invindex", .every = true,
                           .replace = wrong[i].replace, .with = wrong[i].with,
                           .parameters = {"records=300", "bytes=68", "seed=0"}},
                   wrong[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_text), cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_drawn_text), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("invindex", tests, NULL, NULL);
}
