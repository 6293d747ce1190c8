// Error codes, and device selection.
#include "stderr_capture.h"

#include "sample_module.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
    assert_string_equal(cudaGetErrorName(700), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(700), "an illegal memory access was encountered");
    assert_string_equal(cudaGetErrorString(209), "no kernel image is available for execution on "
                                                 "the device");
    assert_string_equal(cudaGetErrorString(2), "out of memory");
    assert_string_equal(cudaGetErrorName(-1), "unrecognized error code");
    assert_string_equal(cudaGetErrorString(12345), "unrecognized error code");
}

// Names and texts of all codes equal those of NVIDIA's library, if that is installed.
static void test_all_texts(void **state)
{
    (void)state;
    void *library = dlopen("/usr/local/cuda/lib64/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library) skip();
    const char *(*name)(int), *(*text)(int);
    *(void **)&name = dlsym(library, "cudaGetErrorName");
    *(void **)&text = dlsym(library, "cudaGetErrorString");
    assert_true(name && text);
    for (int code = -1; code < 11000; code++) {
        assert_string_equal(cudaGetErrorName((CudaError)code), name(code));
        assert_string_equal(cudaGetErrorString((CudaError)code), text(code));
    }
    dlclose(library);
}

static void test_device(void **state)
{
    (void)state;
    int number = -1;
    assert_int_equal(cudaGetDeviceCount(&number), cudaSuccess);
    assert_int_equal(number, 1);
    assert_int_equal(cudaGetDevice(&number), cudaSuccess);
    assert_int_equal(number, 0);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    EXPECT_MESSAGE(cudaErrorInvalidDevice, cudaSetDevice(1), "cudaSetDevice(1): expected 0");
    stderr_capture_begin(); // a mistake in a loop is reported once
    assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
    assert_string_equal(stderr_capture_end(), "");
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaRuntimeGetVersion(&number), cudaSuccess);
    assert_int_equal(number, 13000);
    assert_int_equal(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    cudaGetLastError();
}

// An unknown machine is reported once, and fails each call that needs it.
static void test_no_machine(void **state)
{
    (void)state;
    void *pointer;
    setenv("HEDDLE_MACHINE", "volta-v1000", 1);
    EXPECT_MESSAGE(cudaErrorInitializationError, cudaMalloc(&pointer, 4), "volta-v1000");
    stderr_capture_begin();
    CudaError code = cudaDeviceSynchronize();
    assert_string_equal(stderr_capture_end(), "");
    assert_int_equal(code, cudaErrorInitializationError);
    assert_int_equal(cudaGetLastError(), cudaErrorInitializationError);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_all_texts),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_no_machine),
    };
    return cmocka_run_group_tests(tests, small_gpu, NULL);
}
