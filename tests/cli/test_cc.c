// Tests of `heddle cc`: output files, options, and errors.
#include "base/fatbin_layout.h"
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char program[] = "#include <cstdio>\n"
                              "__global__ void twice(float *x) { x[threadIdx.x] *= 2; }\n"
                              "int main() { twice<<<1, 32>>>(0); return 7; }\n";

static void test_bad_input(void **state)
{
    (void)state;
    write_text("a.cu", program);
    assert_refused("cc", "expected a .cu file");
    assert_refused("cc $T/none.cu", "none.cu: No such file");
    assert_refused("cc -arch=frog $T/a.cu", "-arch 'frog': expected an architecture such as sm_70");
    assert_refused("cc -gencode code=sm_70 $T/a.cu",
                   "-gencode 'code=sm_70': expected arch=compute_70,code=sm_70");
    assert_refused("cc $T/a.cu -o", "-o needs a value");
    assert_refused("cc -c -o $T/x.o $T/a.cu $T/a.cu", "each file has its own result");
    assert_refused("cc --ptx $T/a.c", "a.c: expected a .cu file");
    assert_refused("cc -rdc=yes $T/a.cu", "heddle: -rdc=yes: expected -rdc=true or -rdc=false\n");
    assert_refused("cc $T/a.cu $T/none.o -o $T/a.out",
                   "none.o: cannot be read: expected an object or a library\n");
    assert_refused("cc -dlink $T/none.a -o $T/link.o",
                   "none.a: cannot be read: expected an object or a library\n");
    assert_refused("cc $T/link.o -o $T/a.out", "link.o: cannot be read"); // it was not written
    setenv("HEDDLE_CLANG", "/no/clang/here", 1);
    assert_refused("cc $T/a.cu", "HEDDLE_CLANG=/no/clang/here does not run");
    unsetenv("HEDDLE_CLANG");
}

// Messages and exit status of clang are passed on unchanged.
static void test_errors_of_clang(void **state)
{
    (void)state;
    write_text("bad.cu", "__global__ void k() { undeclared = 1; }\n");
    const Command *command = heddle("cc -c $T/bad.cu -o $T/bad.o");
    assert_int_equal(command->status, 1);
    assert_non_null(strstr(command->err, "bad.cu:1:23: error: use of undeclared identifier"));
}

// What cuda/atomic and cuda/barrier need.
static void test_needs_of_headers(void **state)
{
    (void)state;
    write_text("atomic.cu", "#include <cuda/atomic>\n");
    const Command *command = heddle("cc --ptx -std=c++14 $T/atomic.cu -o $T/atomic.ptx");
    assert_int_equal(command->status, 1);
    assert_non_null(strstr(command->err,
                           "error: \"<cuda/atomic>, <cuda/barrier> and <cuda/std/...>: expected "
                           "-std=c++17 or newer\"\n"));
    write_text("barrier.cu", "#include <cuda/std/barrier>\n");
    command = heddle("cc --ptx -arch=sm_60 $T/barrier.cu -o $T/barrier.ptx");
    assert_int_equal(command->status, 1);
    assert_non_null(strstr(command->err,
                           "error: \"<cuda/barrier>, <cuda/latch> and <cuda/semaphore>: expected "
                           "-arch=sm_70 or newer\"\n"));
    assert_int_equal(heddle("cc --ptx -arch=sm_60 $T/atomic.cu -o $T/atomic.ptx")->status, 0);
}

// Members of cudaDeviceProp that CUDA 13 removed, in a C file. The launch with attributes and the
// calls with a device's number instead of its place are functions of C++.
static void test_older_names(void **state)
{
    (void)state;
    if (sanitized()) skip();
    write_text("c.c", "#include <cuda_runtime.h>\n"
                      "int clock_rate(void) {\n"
                      "  struct cudaDeviceProp p;\n"
                      "  return cudaGetDeviceProperties(&p, 0) ? -1 : p.clockRate;\n"
                      "}\n");
    write_text("older.cu",
               "extern \"C\" int clock_rate();\n"
               "__global__ void add(int *to, float a, short b) { *to += (int)a + b; }\n"
               "int main() {\n"
               "  int *sum;\n"
               "  if (clock_rate() != 1530000 || cudaMallocManaged(&sum, 4)) return 1;\n"
               "  if (cudaMemAdvise(sum, 4, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId) ||\n"
               "      cudaMemPrefetchAsync(sum, 4, 0)) return 2;\n"
               "  cudaLaunchAttribute attribute = {};\n"
               "  attribute.id = cudaLaunchAttributePriority;\n"
               "  cudaLaunchConfig_t config = {};\n"
               "  config.gridDim = config.blockDim = 1;\n"
               "  config.attrs = &attribute;\n"
               "  config.numAttrs = 1;\n"
               "  if (cudaLaunchKernelEx(&config, add, sum, 3, 4L) || cudaDeviceSynchronize())\n"
               "    return 3;\n"
               "  return *sum;\n"
               "}\n");
    assert_string_equal(heddle("cc -Wall -Wextra $T/older.cu $T/c.c -o $T/older")->err, "");
    assert_int_equal(heddle("cuda --report none $T/older")->status, 7);
}

static void test_ptx(void **state)
{
    (void)state;
    write_text("a.cu", program);
    const Command *command = heddle("cc --ptx -arch=compute_75 -lineinfo $T/a.cu -o $T/a.ptx");
    assert_string_equal(command->err, "");
    assert_int_equal(command->status, 0);
    char *ptx = read_text("a.ptx");
    assert_non_null(strstr(ptx, ".target sm_75"));
    assert_non_null(strstr(ptx, ".visible .entry _Z5twicePf("));
    assert_non_null(strstr(ptx, ".loc\t1 2 ")); // lines of the user's file, without -g too
    assert_null(strstr(ptx, ".file\t2"));
    free(ptx);
    // The minimum architecture, and the highest of several.
    command = heddle("cc --ptx -arch=sm_35 $T/a.cu -o $T/a.ptx");
    assert_string_equal(command->err,
                        "heddle: note: sm_35: compiled for sm_60, the least supported one\n");
    command = heddle("cc --ptx -gencode arch=compute_70,code=sm_70 "
                     "-gencode=arch=compute_80,code=compute_80 $T/a.cu -o $T/a.ptx");
    assert_int_equal(command->status, 0);
    ptx = read_text("a.ptx");
    assert_non_null(strstr(ptx, ".target sm_80"));
    free(ptx);
}

static void test_fat_binary(void **state)
{
    (void)state;
    write_text("a.cu", program);
    assert_int_equal(heddle("cc -c --keep-dir $T $T/a.cu -o $T/a.o")->status, 0);
    char path[512], *ptx = read_text("a.ptx");
    size_t text = strlen(ptx), padded = (text + 8) / 8 * 8; // including the terminating zero
    snprintf(path, sizeof path, "%s/a.fatbin", command_folder());
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    FatbinHeader header;
    FatbinEntry entry;
    FatbinOptions options;
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    assert_int_equal(fread(&entry, sizeof entry, 1, file), 1);
    assert_int_equal(fread(&options, sizeof options, 1, file), 1);
    assert_int_equal(header.magic, FATBIN_MAGIC);
    assert_int_equal(header.header_size, 16);
    assert_int_equal(header.size, 80 + padded);
    assert_int_equal(entry.kind, FATBIN_PTX);
    assert_int_equal(entry.header_size, 80);
    assert_int_equal(entry.padded_size, padded);
    assert_int_equal(entry.architecture, 70);
    assert_int_equal(entry.compressed_size, 0);
    assert_int_equal(entry.flags, FATBIN_64_BIT | FATBIN_LINUX);
    assert_int_equal(entry.options_offset, 64); // nvlink requires options, as empty ones
    assert_int_equal(options.offset, 72);
    assert_int_equal(options.size, 0);
    char *payload = calloc(1, padded + 1);
    assert_non_null(payload);
    assert_int_equal(fread(payload, 1, padded + 1, file), padded);
    assert_string_equal(payload, ptx);
    free(payload);
    fclose(file);
    free(ptx);
}

// Options of nvcc without meaning here are accepted. The commands are printed.
static void test_options(void **state)
{
    (void)state;
    write_text("a.cu", program);
    const Command *command =
        heddle("cc --dryrun -O3 -use_fast_math -Xcompiler -Wall,-fPIC -lineinfo -cudart=shared "
               "-DSIZE=4 -I $T -lm -lcudart $T/a.cu -o $T/a -Xptxas -v");
    assert_int_equal(command->status, 0);
    assert_non_null(strstr(command->err, "note: -Xptxas -v has no effect here\n"));
    assert_non_null(strstr(command->err, "-fcuda-approx-transcendentals"));
    assert_non_null(strstr(command->err, " -D SIZE=4 "));
    assert_non_null(strstr(command->err, " -Wall -fPIC -c "));
    assert_non_null(strstr(command->err, " -lm "));
    assert_null(strstr(command->err, "-lcudart"));
    assert_non_null(strstr(command->err, "-Wl,-rpath,"));
    command = heddle("cc --dryrun --no-rpath $T/a.cu -o $T/a");
    assert_null(strstr(command->err, "-rpath"));
    // A toolkit's headers are searched after Heddle's own. clang accepts some options only once.
    char behind[512], toolkit[512];
    snprintf(behind, sizeof behind, " -std=gnu++17 -isystem %s ", command_folder());
    snprintf(toolkit, sizeof toolkit, "%s/cuda_runtime_api.h", command_folder());
    write_text("cuda_runtime_api.h", "");
    command = heddle("cc --dryrun -I $T -use_fast_math --use_fast_math -restrict -ptxas-options=-v "
                     "--default-stream per-thread $T/a.cu -o $T/a");
    remove(toolkit);
    assert_int_equal(command->status, 0);
    assert_non_null(strstr(command->err, behind));
    const char *once = strstr(command->err, "-nvptx-prec-sqrtf32=0");
    assert_non_null(once);
    assert_null(strstr(once + 1, "-nvptx-prec-sqrtf32=0"));
}

// Object files, C++ files, and programs of several files.
static void test_link(void **state)
{
    (void)state;
    if (sanitized()) skip();
    write_text("a.cu", "int more();\n__global__ void k() {}\nint main() { return more(); }\n");
    write_text("b.cpp", "#include <cuda_runtime.h>\nint more() { return cudaSuccess + 9; }\n");
    assert_string_equal(heddle("cc -c $T/a.cu -o $T/a.o")->err, "");
    assert_string_equal(heddle("cc $T/a.o $T/b.cpp -o $T/ab")->err, "");
    char line[600];
    snprintf(line, sizeof line, "%s/ab", command_folder());
    int status = system(line);
    assert_int_equal(status, 9 << 8);
}

// Relocatable device code. The same file twice, compiled with other options, with static names: two
// modules. Each way of linking gives the same program.
static void test_device_link(void **state)
{
    (void)state;
    if (sanitized()) skip();
    write_text("part.cu", "extern __device__ int sum;\n"
                          "static __device__ int own = PART;\n"
                          "static __global__ void add(int n) { atomicAdd(&sum, own * n); }\n"
                          "void NAME() {\n"
                          "    int three = 3, seen;\n"
                          "    add<<<1, 1>>>(1);\n"
                          "    cudaMemcpyFromSymbol(&seen, own, sizeof seen);\n"
                          "    cudaMemcpyToSymbol(own, &three, sizeof three);\n"
                          "    if (seen == PART) add<<<1, 2>>>(1);\n"
                          "}\n");
    write_text("main.cu", "__device__ int sum;\nvoid one();\nvoid two();\n"
                          "int main() {\n"
                          "    int result = 0;\n"
                          "    one();\n"
                          "    two();\n"
                          "    cudaMemcpyFromSymbol(&result, sum, sizeof result);\n"
                          "    return result;\n"
                          "}\n");
    assert_string_equal(heddle("cc -dc -DNAME=one -DPART=10 $T/part.cu -o $T/one.o")->err, "");
    assert_string_equal(heddle("cc -rdc=true -c -DNAME=two -DPART=20 $T/part.cu -o $T/two.o")->err,
                        "");
    assert_string_equal(heddle("cc -dc $T/main.cu -o $T/main.o")->err, "");
    // 10 + 2 * 3 and 20 + 2 * 3
    assert_string_equal(heddle("cc $T/main.o $T/one.o $T/two.o -o $T/linked")->err, "");
    assert_int_equal(heddle("cuda --report none $T/linked")->status, 42);
    // A device link of its own, as build systems make it; the final link adds no other one.
    assert_string_equal(heddle("cc -dlink $T/main.o $T/one.o $T/two.o -o $T/link.o")->err, "");
    assert_string_equal(heddle("cc $T/main.o $T/one.o $T/two.o $T/link.o -o $T/two-steps")->err,
                        "");
    assert_int_equal(heddle("cuda --report none $T/two-steps")->status, 42);
    // From an archive, by name and by -l.
    char line[600];
    snprintf(line, sizeof line, "cd %s && ar rcs libparts.a one.o two.o", command_folder());
    if (system(line) != 0) return; // no binutils
    assert_string_equal(heddle("cc $T/main.o $T/libparts.a -o $T/by-name")->err, "");
    assert_int_equal(heddle("cuda --report none $T/by-name")->status, 42);
    assert_string_equal(heddle("cc $T/main.o -L$T -lparts -o $T/by-l")->err, "");
    assert_int_equal(heddle("cuda --report none $T/by-l")->status, 42);
}

// Launch brackets with blanks, as nvcc accepts them. Text that only looks like a launch is
// unchanged.
static void test_launches(void **state)
{
    (void)state;
    if (sanitized()) skip();
    write_text("l.cu", "template <class T> struct S { int n; };\n"
                       "template <class T> int operator<< (S<T> s, int n) { return s.n - n; }\n"
                       "__global__ void k(int) { /* << <1 *//* >> > */ }\n"
                       "int main() { const char *s = \"<< <>> >\"; // k<< <1, 2>> >(0)\n"
                       "  k<< <1'0, (4 >> 1)>> >(1);\n"
                       "  k<<\n <1, sizeof(S<S<int>>)>> > (1);\n"
                       "  return operator<< <int>({9}, s[2] == ' ' ? 4 : 5); }\n");
    const Command *command = heddle("cc $T/l.cu -o $T/l");
    assert_string_equal(command->err, "");
    assert_int_equal(heddle("cuda --report none $T/l")->status, 5);
    write_text("wrong.cu", "__global__ void k(int) {}\nint main() { k<< <1, 2>> >(wrong); }\n");
    command = heddle("cc -c $T/wrong.cu -o $T/wrong.o");
    assert_int_equal(command->status, 1);
    assert_non_null(strstr(command->err, "/wrong.cu:2:28: error: use of undeclared identifier"));
    assert_non_null(strstr(command->err, "int main() { k<<< 1, 2>>> (wrong); }"));
}

// Folders of killed compilations are removed; one of a running compilation, and what only looks
// similar, stay.
static void test_left_folders(void **state)
{
    (void)state;
    char make[1024], list[1024];
    const char *folder = command_folder();
    write_text("empty.cu", "int main() { return 0; }\n");
    snprintf(make, sizeof make,
             "mkdir %s/tmp && cd %s/tmp && mkdir heddle-cc-killed heddle-cc-runing heddle-cc-else "
             "&& touch heddle-cc-killed/a.o heddle-cc-runing/a.o heddle-cc-afile", folder, folder);
    assert_int_equal(system(make), 0);
    snprintf(make, sizeof make, "%s/tmp/heddle-cc-runing", folder);
    int lock = open(make, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    snprintf(make, sizeof make, "%s/tmp", folder);
    setenv("TMPDIR", make, 1);
    const Command *command = heddle("cc -c $T/empty.cu -o $T/empty.o");
    unsetenv("TMPDIR");
    close(lock);
    assert_string_equal(command->err, "");
    snprintf(list, sizeof list,
             "cd %s/tmp && test \"$(find . -name 'heddle*' -o -type f | sort | tr -d '\\n')\" = "
             "./heddle-cc-afile./heddle-cc-else./heddle-cc-runing./heddle-cc-runing/a.o", folder);
    assert_int_equal(system(list), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input), cmocka_unit_test(test_errors_of_clang),
        cmocka_unit_test(test_needs_of_headers), cmocka_unit_test(test_older_names),
        cmocka_unit_test(test_ptx),       cmocka_unit_test(test_fat_binary),
        cmocka_unit_test(test_options),   cmocka_unit_test(test_link),
        cmocka_unit_test(test_device_link), cmocka_unit_test(test_launches),
        cmocka_unit_test(test_left_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
