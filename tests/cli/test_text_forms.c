// Text files from other systems: a byte-order mark in front, and CR LF at the ends of lines, change
// nothing.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] =
    ".version 6.0\n"
    ".target sm_35 // the target\n"
    ".address_size 64\n"
    ".visible .entry k(.param .u64 data)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    .loc 1 1 0\n"
    "    ld.param.u64 %rd1,\n"
    "        [data];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    ret;\n"
    "}\n"
    ".file 1 \"k.cu\"\n";
static const char machine[] =
    "# a machine\n"
    "base: fermi-gtx480\n"
    "name: small\n"
    "gpu:\n"
    "  sms: 2\n";
static const char measured[] =
    "# measured\n"
    "kind;graph;vertices;edges;diameter;topology;warp;data\n"
    "grid;a;100;400;20;3.5;2;1.25\n"
    "random;b;100;800;4;1;2;3\n";

// Writes NAME, and other-NAME as another system writes it.
static void write_both(const char *name, const char *text)
{
    char other[64], *copy = malloc(2 * strlen(text) + 4), *to = copy;
    assert_non_null(copy);
    to += sprintf(to, "\xef\xbb\xbf");
    for (const char *c = text; *c; c++) {
        if (*c == '\n') *to++ = '\r';
        *to++ = *c;
    }
    *to = 0;
    snprintf(other, sizeof other, "other-%s", name);
    write_text(name, text);
    write_text(other, copy);
    free(copy);
}

// Runs the command on FILE, and on other-FILE; `behind` begins what both must print. The text ends
// before `until`.
static void expect_same(const char *command, const char *file, const char *behind,
                        const char *until)
{
    static char outputs[2][OUTPUT_TEXT];
    for (int other = 0; other < 2; other++) {
        char line[256];
        snprintf(line, sizeof line, command, other ? "other-" : "", file);
        const Command *c = heddle(line);
        const char *from = strstr(c->out, behind), *end = from ? strstr(from, until) : NULL;
        if (c->status != 0 || !end)
            fail_msg("%s: status %d\n%s%s", line, c->status, c->out, c->err);
        snprintf(outputs[other], OUTPUT_TEXT, "%.*s", (int)(end - from), from);
    }
    assert_string_equal(outputs[0], outputs[1]);
}

static void marks_and_line_ends_change_nothing(void **state)
{
    (void)state;
    write_both("k.ptx", ptx);
    write_both("m.yaml", machine);
    write_both("measured.csv", measured);
    expect_same("machine show $T/%s%s", "m.yaml", "small: ", "  SMs ");
    expect_same("trace $T/%s%s --entry k --grid 1 --block 32 --arg buf:256:words --machine "
                "fermi-gtx480", "k.ptx", "launch 1, k", "ret\n");
    const Command *c = heddle("run $T/k.ptx --entry k --grid 1 --block 32 --arg buf:256:words "
                              "--machine fermi-gtx480 --quiet --out $T/run.json");
    assert_int_equal(c->status, 0);
    char *result = read_text("run.json");
    write_both("run.json", result);
    free(result);
    expect_same("diff $T/run.json $T/%s%s", "run.json", "the same result", "\n");
    expect_same("annotate $T/run.json $T/%s%s", "k.ptx", "requests lanes", "ret;\n");
    expect_same("advise --graph rmat:6,4 --measured $T/%s%s", "measured.csv", "graph", "learned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks_and_line_ends_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
