// Tests of heddle.yaml in the working directory: which keys it takes, and what it may not name.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void is_refused(const char *part) { assert_refused("cuda /bin/true", part); }
static void is_taken(const char *part)
{
    (void)part;
    assert_int_equal(heddle("cuda /bin/true")->status, 0);
}
static void is_overruled(const char *part)
{
    (void)part;
    assert_int_equal(heddle("cuda --machine volta-v100 /bin/true")->status, 0);
}

static void is_refused_in_folder_with_a_pipe(void)
{
    char path[256], before[4096];
    snprintf(path, sizeof path, "%s/heddle.yaml", command_folder());
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(chdir(command_folder()), 0);
    is_refused("heddle: heddle.yaml: is no regular file: expected one, or none\n");
    assert_int_equal(unlink("heddle.yaml"), 0);
    assert_int_equal(chdir(before), 0);
}

static void test_keys(void **state)
{
    (void)state;
    with_settings("machine: fermi-gtx480\nset:\n  gpu.sms: 4\n  l1d.size: 48KiB\nthreads: 1\n"
                  "functional: yes\nper_kernel: yes\nregisters: a=20,b=3\n",
                  is_taken, NULL);
    with_settings("", is_taken, NULL);
    with_settings("\xef\xbb\xbfmachine: fermi-gtx480\r\nset:\r\n  gpu.sms: 4\r\n", is_taken,
                  NULL);
    with_settings("machine: none-such\n", is_overruled, NULL);
    with_settings("machine: none-such\n", is_refused, "there is no machine 'none-such'");
    with_settings("seed: 1\nmachin: x\n", is_refused,
                  "heddle.yaml:2:1: unknown key 'machin'; did you mean 'machine'?");
    with_settings("seed: 1\nseed: 2\n", is_refused,
                  "heddle.yaml:2:1: 'seed' is given twice; the first is in line 1");
    with_settings("threads: 1.5\n", is_refused,
                  "heddle.yaml:1:10: threads '1.5': expected a whole number");
    with_settings("strict: si\n", is_refused,
                  "heddle.yaml:1:9: strict 'si': expected 1 or 0, yes or no");
    with_settings("set: gpu.sms=4\n", is_refused,
                  "heddle.yaml:1:6: set: expected `section.key: value` lines");
    with_settings("machine: [a]\n", is_refused, "heddle.yaml:1:10: expected a value");
    with_settings("machine:\n  - x\n", is_refused, "heddle.yaml:2:3: expected a value");
    with_settings("- machine\n", is_refused, "heddle.yaml:1:1: expected `key: value` lines");
    with_settings("a: 'b\n", is_refused, "heddle.yaml:1:1: unknown key 'a'");
    with_settings("detail_kernels: 0\n", is_refused,
                  "heddle.yaml:1:17: detail_kernels '0': expected A..B or A");
    with_settings("detail_kernels: 3..4\nskip_kernels: 2\n", is_refused,
                  "heddle.yaml:2:1: detail_kernels and skip_kernels both set which launches");
    with_settings("set:\n  gpu.sms: 4\n  l1d.sise: 1\n", is_refused,
                  "heddle.yaml:3:3: there is no parameter 'l1d.sise'; did you mean 'l1d.size'?\n");
    with_settings("set: {gpu.sms: many}\n", is_refused,
                  "heddle.yaml:1:7: gpu.sms = many: expected a whole number from 1 to ");
    with_settings("set: {gpu.sms: 4;gpu.sms=5}\n", is_refused,
                  "heddle.yaml:1:16: set: a value with ';': expected one value\n");
    with_settings("machine: 'b\n", is_refused, "heddle.yaml:2:1: not valid YAML");
}

// A file that lies in the working directory chooses what is simulated, and nothing else.
static void test_trust(void **state)
{
    (void)state;
    with_settings("mechanism: next-line\nreport: none\n", is_taken, NULL);
    with_settings("seed: 1\nmechanism: none+./evil.so:a=1\n", is_refused,
                  "heddle: heddle.yaml:2:12: mechanism 'none+./evil.so:a=1': heddle.yaml loads no "
                  "shared object: expected --mechanism or HEDDLE_MECHANISM with it\n");
    with_settings("out: run.json\n", is_refused,
                  "heddle: heddle.yaml:1:6: out 'run.json': heddle.yaml names no file to write: "
                  "expected --out or HEDDLE_OUT with it\n");
    is_refused_in_folder_with_a_pipe();
    with_settings("report: /dev/stdout\n", is_refused,
                  "heddle: heddle.yaml:1:9: report '/dev/stdout': heddle.yaml names no file to "
                  "write: expected --report or HEDDLE_REPORT with it\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_trust),
    };
    return cmocka_run_group_tests_name("heddle.yaml", tests, NULL, NULL);
}
