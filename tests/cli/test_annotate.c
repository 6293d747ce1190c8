// Tests of `heddle annotate`: the numbers of each line, and errors.
#include "command.h"
#include "report/host_json.h"
#include "results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A load (line 2 of k.cu) whose value line 3 uses.
static const char ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry k(.param .u64 data)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    .loc 1 1 0\n"
    "    ld.param.u64 %rd1, [data];\n"
    "    .loc 1 2 0\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    .loc 1 3 0\n"
    "    add.u32 %r2, %r1, 1;\n"
    "    st.global.u32 [%rd1], %r2;\n"
    "    ret;\n"
    "}\n"
    ".file 1 \"source/k.cu\"\n";
static const char source[] = "first\nsecond\nthird\nnothing";

static int make_run(void **state)
{
    (void)state;
    write_text("k.ptx", ptx);
    write_text("k.cu", source);
    write_text("short.cu", "one line\n");
    write_text("other.ptx", ".version 6.0\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
    const Command *c = heddle("run $T/k.ptx --entry k --grid 1 --block 32 --arg buf:256:words "
                              "--machine fermi-gtx480 --out $T/run.json --quiet");
    assert_int_equal(c->status, 0);
    return 0;
}

// Returns the line of the output that ends in `end`.
static const char *row(const char *command, const char *end)
{
    static char text[512];
    const Command *c = heddle(command);
    assert_int_equal(c->status, 0);
    for (const char *line = c->out; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n");
        if (length < strlen(end) || length >= sizeof text) continue;
        if (strncmp(line + length - strlen(end), end, strlen(end)) != 0) continue;
        memcpy(text, line, length);
        text[length] = 0;
        return text;
    }
    fail_msg("no line of heddle %s ends in '%s':\n%s", command, end, c->out);
    return NULL;
}

// The wait for the load is shown at the load, under the allocation "words". A line without
// instructions has no numbers.
static void test_source(void **state)
{
    (void)state;
    const char *second = row("annotate $T/run.json $T/k.cu", "2  second");
    assert_non_null(strstr(second, "words "));
    double share = 0;
    char cycles[64];
    assert_int_equal(sscanf(second, "%63s %lf", cycles, &share), 2);
    assert_true(share > 10);
    assert_null(strstr(row("annotate $T/run.json $T/k.cu", "3  third"), "words"));
    assert_string_equal(row("annotate $T/run.json $T/k.cu", "nothing") +
                            strspn(row("annotate $T/run.json $T/k.cu", "nothing"), " "),
                        "4  nothing");
}

// By PTX lines: the load is on line 11.
static void test_ptx(void **state)
{
    (void)state;
    assert_non_null(strstr(
        row("annotate $T/run.json $T/k.ptx", "11      ld.global.u32 %r1, [%rd1];"), "words"));
}

// The sum over all lines is the cycles of all warps.
static void test_sum(void **state)
{
    (void)state;
    json_t *run = result_value("run.json"), *result = json_object_get(run, "result"), *pc;
    json_int_t sum = 0;
    size_t i;
    static const char *const waits[] = {"wait_end",        "wait_ready", "wait_memory",
                                        "wait_dependency", "wait_fetch", "wait_barrier"};
    json_array_foreach(json_object_get(result, "pcs"), i, pc) for (unsigned k = 0; k < 6; k++)
        sum += json_integer_value(json_object_get(pc, waits[k]));
    assert_int_equal(
        sum, json_integer_value(json_object_get(json_object_get(result, "sm"), "warp_cycles")));
    char first[64];
    assert_true(sum > 1000 && sum < 1000000); // a number with one thousands separator
    snprintf(first, sizeof first, "%lld,%03lld cycles of warps", (long long)sum / 1000,
             (long long)sum % 1000);
    assert_ptr_equal(strstr(heddle("annotate $T/run.json $T/k.cu")->out, first),
                     heddle("annotate $T/run.json $T/k.cu")->out);
    json_decref(run);
}

// Writes the result without `pcs`, without a member of its first instruction, or (NULL) without any
// instruction.
static void change_run(const char *name, const char *key)
{
    json_t *run = result_value("run.json"), *result = json_object_get(run, "result");
    json_t *pcs = json_object_get(result, "pcs");
    if (key) {
        json_object_del(strcmp(key, "pcs") == 0 ? result : json_array_get(pcs, 0), key);
    } else {
        json_array_clear(pcs);
    }
    write_result(name, run);
    json_decref(run);
}

static void test_refused(void **state)
{
    (void)state;
    change_run("lanes.json", "lanes");
    change_run("none.json", "pcs");
    change_run("bare.json", NULL);
    write_text("list.json", "[1]");
    write_of_schema("numbers.json", RESULT_SCHEMA,
                    "\"result\": {\"kernels\": [1], \"pcs\": []}}");
    write_text("broken.json", "{\"result\": \n");
    assert_refused("annotate", "no result: expected a file of heddle run --out");
    assert_refused("annotate $T/absent.json", "absent.json");
    assert_refused("annotate $T/broken.json", "broken.json:2:");
    assert_refused("annotate $T/list.json", "expected a result of heddle run");
    assert_refused("annotate $T/numbers.json", "/numbers.json: /: has no member 'host'\n");
    assert_refused("annotate $T/none.json", "/none.json: /result: has no member 'pcs'\n");
    assert_refused("annotate $T/bare.json", "has no instructions");
    assert_refused("annotate $T/lanes.json $T/k.cu",
                   "/lanes.json: /result/pcs/0: has no member 'lanes'\n");
    assert_refused("annotate $T/run.json", "source/k.cu: cannot be read");
    assert_refused("annotate $T/run.json", "run.json names it; if it is elsewhere, give its");
    assert_refused("annotate $T/run.json $T/absent.cu", "absent.cu: cannot be read");
    assert_refused("annotate $T/run.json $T/run.json", "no instruction of");
    write_bytes("k.cu", "first\0second\nthird\n", 19); // the file exists, but is not text
    assert_refused("annotate $T/run.json $T/k.cu", "k.cu: expected text");
    write_text("k.cu", source);
    assert_refused("annotate $T", "is a directory");
    assert_refused("annotate $T/run.json $T", "is a directory");
    assert_refused("annotate $T/run.json --launch 2", "--launch 2: expected at most 1");
    assert_refused("annotate $T/run.json --launch x", "--launch");
    assert_refused("annotate $T/run.json --launch 1", "--per-kernel");
    assert_refused("annotate $T/run.json $T/other.ptx", "is it the file that was run?");
    assert_refused("annotate $T/run.json --launch 0",
                   "--launch '0': expected a whole number from 1");
    heddle("run $T/k.ptx --entry k --grid 1 --block 32 --arg buf:256:words --functional "
           "--per-kernel --out $T/quick.json --quiet");
    assert_refused("annotate $T/quick.json $T/k.cu", "has no instructions");
    assert_refused("annotate $T/quick.json --launch 1 $T/k.cu", "took no cycles");
    write_text("k.cu", "first\nsecond\n");
    assert_refused("annotate $T/run.json $T/k.cu", "has an instruction of line 3");
    write_text("k.cu", source);
}

static void test_edited(void **state)
{
    (void)state;
    char message[HASH_MESSAGE + 16];
    json_t *run = result_value("run.json"), *result = json_object_get(run, "result");
    json_object_set_new(json_array_get(json_object_get(result, "pcs"), 0), "issued",
                        json_integer(12345));
    strcpy(message, "heddle: ");
    write_edited("edited.json", run, "hash", message + strlen(message));
    strcat(message, "\n");
    assert_refused("annotate $T/edited.json $T/k.cu", message);
    json_decref(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_ptx),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_edited),
    };
    return cmocka_run_group_tests_name("annotate", tests, make_run, NULL);
}
