// The workloads of yilmazer2020gw whose blocks work on parts of an array: published results and
// results derived by hand, sizes that fit no block, and kernels that are wrong.
#include "cell.h"
#include "workloads/aes_cipher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void bytes_of(uint8_t *bytes, const char *hex)
{
    for (int i = 0; i < AES_BYTES; i++) {
        unsigned byte;
        assert_int_equal(sscanf(&hex[2 * i], "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
}

// FIPS 197, appendices B and C.1, and NIST SP 800-38A, section F.1.1.
static void test_aes_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *key, *plain, *cipher;
    } vectors[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
         "3925841d02dc09fbdc118597196a0b32"},
        {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
         "69c4e0d86a7b0430d8cdb78070b4c55a"},
        {"2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a",
         "3ad77bb40d7a3660a89ecaf32466ef97"},
        {"2b7e151628aed2a6abf7158809cf4f3c", "ae2d8a571e03ac9c9eb76fac45af8e51",
         "f5d3d58503b9699de785895a96fdbaaf"},
        {"2b7e151628aed2a6abf7158809cf4f3c", "30c81c46a35ce411e5fbc1191a0a52ef",
         "43b1cd7f598ece23881b00e3ed030688"},
        {"2b7e151628aed2a6abf7158809cf4f3c", "f69f2445df4f9b17ad2b417be66c3710",
         "7b0c785e27e8ad3f8223207104725dd4"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint8_t key[AES_BYTES], text[AES_BYTES], expected[AES_BYTES];
        bytes_of(key, vectors[i].key);
        bytes_of(text, vectors[i].plain);
        bytes_of(expected, vectors[i].cipher);
        AesCipher aes;
        aes_cipher_begin(&aes, key);
        aes_cipher_encrypt(&aes, text, text);
        assert_memory_equal(text, expected, AES_BYTES);
    }
}

// The second of these vectors, on the device.
static void test_aes(void **state)
{
    (void)state;
    const double words = 0x69c4e0d8p0 + 0x6a7b0430p0 + 0xd8cdb780p0 + 0x70b4c55ap0;
    cell_answers((Cell){.workload = "aes", .parameters = {"states=1", "seed=0"}},
                 (const CellAnswer[]){{"sum", words, 0}, {0}});
    cell_answers((Cell){.workload = "aes", .block = 20, .parameters = {"states=7", "seed=0"}},
                 (const CellAnswer[]){{"sum", 7 * words, 0}, {0}});
}

// Numbers 0, 1 and 2 put atoms at a half, the whole and 3/2 of the slice's edges, and 0.15, 0.2 and
// 0.25 above it. Their charges are 0, 1 and 2. An edge of n points is 0.1 n long.
static void test_coulomb(void **state)
{
    (void)state;
    const double one = 1 / sqrt(0.01 + 0.01 + 0.04) + 2 / sqrt(0.0225 + 0.0225 + 0.0625);
    static const char *const groups[] = {"group=1", "group=2", "group=3", "group=4000"};
    for (int g = 0; g < 8; g++)
        cell_answers((Cell){.workload = "coulomb", .implementation = g < 4 ? "tile" : "published",
                            .parameters = {"columns=1", "rows=1", "atoms=3", "seed=0",
                                           groups[g % 4]}},
                     (const CellAnswer[]){{"greatest", one, 1e-5}, {"sum", one, 1e-5}, {0}});
    // The second point of a thread; the charge is at (2, 0.1, 0.2). The nearest point is the last.
    double sum = 0;
    for (int x = 0; x < 20; x++) sum += 1 / sqrt(pow(2 - 0.1 * x, 2) + 0.01 + 0.04);
    cell_answers((Cell){.workload = "coulomb",
                        .parameters = {"columns=20", "rows=1", "atoms=2", "seed=0"}},
                 (const CellAnswer[]){{"sum", sum, 1e-4}, {"greatest", 1 / sqrt(0.06), 1e-5},
                                      {"greatest_at", 19, 0}, {0}});
}

// A launch for each group of atoms that fits.
static void test_coulomb_launches(void **state)
{
    (void)state;
    WorkloadResult r = cell_verified(&(Cell){
        .workload = "coulomb", .parameters = {"columns=20", "rows=3", "atoms=4001"}});
    assert_int_equal(r.launch_count, 2);
    workload_result_free(&r);
}

// The costs 0 1 2, 3 4 5 and 6 7 8: sums 0 1 2, then 3 4 6, then 9 10 12. With 12 columns, the rows
// are 0 to 9 0 1, and 2 to 9 0 to 3. The sums of the second are 2 3 5 7 9 11 13 15 7 1 2 3.
static void test_pathfinder(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {41, 48, 256};
    for (int b = 0; b < 3; b++)
        cell_answers((Cell){.workload = "pathfinder", .block = blocks[b],
                            .parameters = {"columns=3", "rows=3", "seed=0"}},
                     (const CellAnswer[]){{"least", 9, 0}, {"least_at", 0, 0}, {"sum", 31, 0},
                                          {0}});
    cell_answers((Cell){.workload = "pathfinder", .block = 5,
                        .parameters = {"columns=12", "rows=2", "steps_per_launch=2", "seed=0"}},
                 (const CellAnswer[]){{"least", 1, 0}, {"least_at", 9, 0}, {"sum", 78, 0}, {0}});
}

// As many rows as fit a launch, with a rest.
static void test_pathfinder_launches(void **state)
{
    (void)state;
    static const char *const most[] = {"steps_per_launch=1", "steps_per_launch=7",
                                       "steps_per_launch=29", "steps_per_launch=40"};
    static const size_t launches[] = {29, 5, 1, 1};
    uint64_t sums[4];
    for (int i = 0; i < 4; i++) {
        WorkloadResult r = cell_verified(&(Cell){
            .workload = "pathfinder", .parameters = {"columns=500", "rows=30", most[i]}});
        assert_int_equal(r.launch_count, launches[i]);
        sums[i] = workload_count(&r, "sum");
        workload_result_free(&r);
        assert_int_equal(sums[i], sums[0]);
    }
}

// Sizes that no block fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "aes", .block = 36, .parameters = {"states=100"}},
        {.workload = "aes", .block = 4, .parameters = {"states=3"}},
        {.workload = "aes", .block = 1024, .parameters = {"states=300"}},
        {.workload = "aes", .parameters = {"states=1"}},
        {.workload = "coulomb", .block = 48,
         .parameters = {"columns=45", "rows=7", "atoms=9", "group=4"}},
        {.workload = "coulomb", .block = 16, .parameters = {"columns=17", "rows=2", "atoms=30"}},
        {.workload = "coulomb", .block = 1024,
         .parameters = {"columns=33", "rows=65", "atoms=5", "group=1"}},
        {.workload = "coulomb", .parameters = {"columns=1", "rows=1", "atoms=1"}},
        {.workload = "pathfinder", .block = 35,
         .parameters = {"columns=1001", "rows=37", "steps_per_launch=5"}},
        {.workload = "pathfinder", .block = 3,
         .parameters = {"columns=7", "rows=4", "steps_per_launch=1"}},
        {.workload = "pathfinder", .block = 400,
         .parameters = {"columns=45", "rows=230", "steps_per_launch=199"}},
        {.workload = "pathfinder", .block = 1024, .parameters = {"columns=1500", "rows=4"}},
        {.workload = "pathfinder", .parameters = {"columns=1", "rows=2"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "aes", .block = 30},
         "blocks of 30 threads are not whole states: expected --block to be a multiple of 4 for "
         "this workload"},
        {{.workload = "coulomb", .block = 40},
         "blocks of 40 threads are not whole rows of 16: expected --block to be a multiple of 16 "
         "for this workload"},
        {{.workload = "coulomb", .parameters = {"rows=1048576", "columns=1048576"}},
         "the slice has 1048576 by 1048576 numbers: expected at most 2147483647"},
        {{.workload = "pathfinder", .block = 40},
         "blocks of 40 threads have no column that is right after 20 rows: expected --block to "
         "be at least 41"},
        {{.workload = "pathfinder", .parameters = {"rows=65536", "columns=65536"}},
         "the grid has 65536 by 65536 numbers: expected at most 2147483647"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong, one way each: rows that are shifted otherwise, a wrong bit in one of
// 1,024 products, keys that are not added, a last key without its upper bytes; another function of
// the distance, a thread's second point that is off by 2^-16 of its place, coordinates that do not
// count; neighbours that are not the nearest, blocks that leave columns out, no barriers.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "aes", .parameters = {"states=300"},
          .replace = "{0, 1, 2, 3, 1,", .with = "{0, 1, 3, 2, 1,"}, "byte 0 of cipher"},
        {{.workload = "aes", .parameters = {"states=300"},
          .replace = "198, 99, 99, 165", .with = "198, 99, 99, 164"}, "of cipher is 0x"},
        {{.workload = "aes", .parameters = {"states=300"},
          .replace = "xor.b32", .with = "or.b32"}, "byte 0 of cipher"},
        {{.workload = "aes", .parameters = {"states=300"},
          .replace = "shr.u32", .with = "shl.b32"}, "byte 2 of cipher"},
        {{.workload = "coulomb", .parameters = {"columns=40", "rows=10"},
          .replace = "rsqrt.approx", .with = "sqrt.approx"}, "potential[0]"},
        {{.workload = "coulomb", .parameters = {"columns=40", "rows=10"},
          .replace = "0f41800000", .with = "0f41800100"}, "potential[16]"},
        {{.workload = "coulomb", .parameters = {"columns=40", "rows=10"},
          .replace = "fma.rn.f32", .with = "// fma.rn.f32"}, "potential[0]"},
        {{.workload = "pathfinder", .parameters = {"columns=500", "rows=30"},
          .replace = "max.s32", .with = "min.s32"}, "sum["},
        {{.workload = "pathfinder", .parameters = {"columns=500", "rows=30"},
          .replace = ", -2, ", .with = ", -1, "}, "sum["},
        {{.workload = "pathfinder", .parameters = {"columns=500", "rows=30"},
          .set = {"core.width=4"}, .replace = "bar.sync", .with = "// bar.sync"}, "sum["},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aes_vectors),
        cmocka_unit_test(test_aes),
        cmocka_unit_test(test_coulomb),
        cmocka_unit_test(test_coulomb_launches),
        cmocka_unit_test(test_pathfinder),
        cmocka_unit_test(test_pathfinder_launches),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
