// Calls of a program to the mechanism dsap, as include/heddle/dsap.h makes them.
#include "api_calls.h"
#include "stderr_capture.h"

CudaError heddle_call(const char *mechanism, const char *verb, const uint64_t *values,
                      size_t count);
bool heddle_has_mechanism(const char *name);

static CudaError mark_elements(uint64_t id, const void *pointer, uint64_t bytes, uint64_t element)
{
    return heddle_call("dsap", "mark",
                       (uint64_t[]){id, (uint64_t)(uintptr_t)pointer, bytes, element}, 4);
}

static CudaError mark(uint64_t id, const void *pointer, uint64_t bytes)
{
    return mark_elements(id, pointer, bytes, 4);
}

static CudaError update(uint64_t entries)
{
    return heddle_call("dsap", "size", &entries, 1);
}

static char *allocate(size_t bytes)
{
    void *pointer = NULL;
    OK(cudaMalloc(&pointer, bytes));
    return pointer;
}

// Each is one line, and the error code says that the argument was wrong.
static void test_refused(void **state)
{
    (void)state;
    char *list = allocate(400), *edges = allocate(4000), text[256];
    EXPECT_MESSAGE(cudaErrorInvalidValue, update(5),
                   "heddle: mechanism dsap: size(5): expected a work list: mark(0, address, bytes) "
                   "before it, and again after the list has been freed\n");
    snprintf(text, sizeof text,
             "heddle: mechanism dsap: mark(4, %p, 400, 4): expected the id 0 (work list), 1 "
             "(vertex list), 2 (edge list) or 3 (visited list)\n", (void *)list);
    EXPECT_MESSAGE(cudaErrorInvalidValue, mark(4, list, 400), text);
    OK(mark(0, list, 400));
    OK(update(100));
    EXPECT_MESSAGE(cudaErrorInvalidValue, update(101),
                   "heddle: mechanism dsap: size(101): expected at most as many entries as the "
                   "marked work list has\n");
    OK(mark_elements(0, list, 400, 8));
    OK(update(50));
    FAILS(cudaErrorInvalidValue, update(51));
    snprintf(text, sizeof text,
             "heddle: mechanism dsap: mark(0, %p, 400, 5): expected elements of 4 or 8 bytes\n",
             (void *)list);
    EXPECT_MESSAGE(cudaErrorInvalidValue, mark_elements(0, list, 400, 5), text);
    OK(mark(2, edges, 4000));
    snprintf(text, sizeof text,
             "heddle: mechanism dsap: mark(3, %p, 96, 4): expected an array that does not overlap "
             "the edge list\n", (void *)(edges + 3904));
    EXPECT_MESSAGE(cudaErrorInvalidValue, mark(3, edges + 3904, 96), text);
    OK(cudaFree(edges));
    snprintf(text, sizeof text,
             "heddle: mechanism dsap: mark(2, %p, 4000, 4): expected an array in one allocation, "
             "which has not been freed\n", (void *)edges);
    EXPECT_MESSAGE(cudaErrorInvalidValue, mark(2, edges, 4000), text);
    EXPECT_MESSAGE(cudaErrorInvalidValue, update(50),
                   "heddle: mechanism dsap: size(50): expected the edge list to be marked again "
                   "after it has been freed: mark(2, address, bytes), or 0 bytes for none\n");
    OK(mark(2, NULL, 0));
    OK(update(50));
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    // The freed list is one no more. 0 bytes are no array.
    OK(cudaFree(list));
    FAILS(cudaErrorInvalidValue, update(100));
    OK(mark(0, NULL, 0));
    FAILS(cudaErrorInvalidValue, update(0));
}

// Arguments that are no call, and a mechanism that is not in the run.
static void test_others(void **state)
{
    (void)state;
    const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    FAILS(cudaErrorInvalidValue, heddle_call(NULL, "mark", values, 3));
    FAILS(cudaErrorInvalidValue, heddle_call("dsap", NULL, values, 3));
    FAILS(cudaErrorInvalidValue, heddle_call("dsap", "mark", NULL, 3));
    OK(heddle_call("absent", "mark", values, 8));
    EXPECT_MESSAGE(cudaErrorInvalidValue, heddle_call("dsap", "mark", values, 9),
                   "heddle: mechanism dsap: mark has 9 values: expected at most 8\n");
}

// A name that is not in the run is no error.
static void test_has(void **state)
{
    (void)state;
    cudaGetLastError(); // of the calls before
    assert_true(heddle_has_mechanism("dsap"));
    assert_false(heddle_has_mechanism("iru"));
    assert_false(heddle_has_mechanism(""));
    assert_false(heddle_has_mechanism(NULL));
    OK(cudaGetLastError());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_has),
    };
    setenv("HEDDLE_MECHANISM", "dsap", 1);
    return cmocka_run_group_tests_name("calls of mechanisms", tests, small_gpu, NULL);
}
