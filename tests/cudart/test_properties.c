// Properties of a V100 in the layout of each runtime version: programs of CUDA 11, 12 and 13 read
// at these offsets, and nothing is written after the structure.
#include "api_calls.h"

enum { GUARD = 0x5a, ROOM = 2048 };
static unsigned char at[ROOM];

static size_t word(size_t offset)
{
    size_t value;
    memcpy(&value, at + offset, sizeof value);
    return value;
}

static int number(size_t offset)
{
    int value;
    memcpy(&value, at + offset, sizeof value);
    return value;
}

static void check_end(size_t size)
{
    for (size_t i = size; i < ROOM; i++) assert_int_equal(at[i], GUARD);
    assert_int_not_equal(number(size - 4), GUARD * 0x01010101);
}

// Up to here the layouts are equal.
static void check_common(void)
{
    assert_string_equal((char *)at, "NVIDIA Tesla V100 SXM2 (Volta GV100)");
    assert_int_equal(word(288), 16ull << 30);
    assert_int_equal(word(296), 48 << 10);
    assert_int_equal(number(304), 65536);
    assert_int_equal(number(308), 32);
    assert_int_equal(number(320), 1024);
    assert_int_equal(number(324 + 8), 64);
    assert_int_equal(number(336), INT32_MAX);
    assert_int_equal(number(340), 65535);
}

static void check_old(void)
{
    check_common();
    assert_int_equal(number(348), 1530000); // clockRate
    assert_int_equal(number(360), 7);
    assert_int_equal(number(364), 0);
    assert_int_equal(number(388), 80);
    assert_int_equal(word(696), 96 << 10); // sharedMemPerBlockOptin
    assert_int_equal(word(720), 0);
}

static void test_layouts(void **state)
{
    (void)state;
    memset(at, GUARD, sizeof at);
    OK(cudaGetDeviceProperties(at, 0));
    if (cudart_version < 13000) {
        check_old();
        check_end(728);
    } else {
        check_common();
        assert_int_equal(number(360), 7);
        assert_int_equal(number(364), 0);
        assert_int_equal(number(384), 80);
        assert_int_equal(number(592), 4096);                // memoryBusWidth
        assert_int_equal(number(596), 6 << 20);             // l2CacheSize
        assert_int_equal(word(624), 96 << 10);              // sharedMemPerMultiprocessor
        assert_int_equal(word(672), 96 << 10);              // sharedMemPerBlockOptin
        check_end(1008);
    }
    memset(at, GUARD, sizeof at);
    OK(cudaGetDeviceProperties_v2(at, 0));
    check_old();
    check_end(1032);
    FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(at, 1));
    FAILS(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
}

static void test_attributes(void **state)
{
    (void)state;
    static const struct {
        int attribute, value;
    } known[] = {{1, 1024},   {4, 64},          {5, INT32_MAX},  {8, 48 << 10},   {10, 32},
                 {13, 1530000}, {16, 80},       {36, 877000},    {37, 4096},      {38, 6 << 20},
                 {39, 2048},  {41, 1},          {75, 7},         {76, 0},         {81, 96 << 10},
                 {82, 65536}, {83, 1},          {91, 0},         {97, 96 << 10},  {106, 32},
                 {92, 0},     {23, 65536},      {131, -1}};
    int value;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        OK(cudaDeviceGetAttribute(&value, known[i].attribute, 0));
        if (value != known[i].value) fail_msg("attribute %d: %d", known[i].attribute, value);
    }
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, 0, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, 148, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, 1, 1));
}

static void test_bus(void **state)
{
    (void)state;
    char text[32];
    int device = 7;
    OK(cudaDeviceGetPCIBusId(text, sizeof text, 0));
    assert_string_equal(text, "0000:01:00.0");
    FAILS(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(text, 12, 0));
    OK(cudaDeviceGetByPCIBusId(&device, "0000:01:00.0"));
    OK(cudaDeviceGetByPCIBusId(&device, "01:00.0"));
    assert_int_equal(device, 0);
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:02:00.0"));
    OK(cudaChooseDevice(&device, at));
}

static void test_settings(void **state)
{
    (void)state;
    size_t bytes;
    unsigned flags;
    int value, greatest;
    OK(cudaDeviceGetLimit(&bytes, 2));
    assert_int_equal(bytes, 8 << 20);
    OK(cudaDeviceSetLimit(0, 4096));
    OK(cudaDeviceGetLimit(&bytes, 0));
    assert_int_equal(bytes, 4096);
    OK(cudaDeviceSetLimit(2, 1 << 20));
    OK(cudaDeviceGetLimit(&bytes, 2));
    assert_int_equal(bytes, 1 << 20);
    FAILS(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(3, 1));
    FAILS(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&bytes, 7));
    OK(cudaSetDeviceFlags(4));
    OK(cudaGetDeviceFlags(&flags));
    assert_int_equal(flags, 4 | 8);
    FAILS(cudaErrorInvalidValue, cudaSetDeviceFlags(3)); // two ways to wait
    FAILS(cudaErrorInvalidValue, cudaSetDeviceFlags(0x100));
    OK(cudaDeviceSetCacheConfig(2));
    OK(cudaDeviceGetCacheConfig(&value));
    assert_int_equal(value, 2);
    FAILS(cudaErrorInvalidValue, cudaDeviceSetCacheConfig(4));
    OK(cudaDeviceCanAccessPeer(&value, 0, 0));
    assert_int_equal(value, 0);
    FAILS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&value, 0, 1));
    FAILS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    FAILS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    OK(cudaDeviceGetStreamPriorityRange(&value, &greatest));
    assert_int_equal(value, 0);
    assert_int_equal(greatest, -5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_bus),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests_name("cudart properties", tests, NULL, NULL);
}
