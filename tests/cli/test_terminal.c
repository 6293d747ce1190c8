// Names and texts of input that would control a terminal: no command shows them as they are.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define ESC "\x1b[2J"

// ESC in comments within an instruction, and in the path of a source file, there behind a byte that
// is not UTF-8.
static const char ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry k(.param .u64 data)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    .loc 1 1 0\n"
    "    ld.param.u64 %rd1, /*" ESC "*/ [data];\n"
    "    ld.global.u32 %r1, [%rd1]; // " ESC "\n"
    "    ret;\n"
    "}\n"
    ".file 1 \"folder\xff" ESC "/k.cu\"\n";

static int write_inputs(void **state)
{
    (void)state;
    write_text("k" ESC ".ptx", ptx);
    write_text("k.cu", "one " ESC "\xc2\x9b\x9b\n");
    write_text("bad.ptx", ".version 6.0\n.target sm_35\n.address_size 64\nwhat " ESC ";\n");
    write_text("m" ESC ".yaml", "base: fermi-gtx480\n");
    write_text("name.yaml", "base: fermi-gtx480\nname: \"m\\e[2J\"\n");
    write_text("g" ESC ".el", "0 1\n1 2\n");
    write_text("bad" ESC ".el", "0 1\n" ESC " 2\n");
    return 0;
}

static void expect_harmless(const char *line, const char *text)
{
    for (const char *c = text; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 0x7f || *c & 0x80)
            fail_msg("%s: byte 0x%02x in %s", line, (unsigned char)*c, text);
}

static void nothing_controls_the_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int status;
        const char *out, *err; // contained
    } rows[] = {
        {"what" ESC, 2, "", "'what\\x1b[2J'"},
        {"run $T/k" ESC ".ptx --entry k --grid 1 --block 32 --arg buf:256:words "
         "--machine $T/m" ESC ".yaml --out $T/run.json", 0, "machine m?[2J", ""},
        {"trace $T/k" ESC ".ptx --entry k --grid 1 --block 32 --arg buf:256:words "
         "--machine fermi-gtx480", 0, "ld.param.u64 %rd1, /*?[2J*/ [data]", ""},
        {"annotate $T/run.json $T/k.cu", 0, "one ?[2J???", ""},
        {"annotate $T/run.json", 2, "", "folder\\xff\\x1b[2J/k.cu"},
        {"annotate $T/run.json $T/k" ESC ".ptx", 0, "/k\\x1b[2J.ptx\n", ""},
        {"run $T/bad.ptx --entry k --grid 1 --block 32 --machine fermi-gtx480", 2, "",
         "bad.ptx:4:1: "},
        {"machine show $T/m" ESC ".yaml", 0, "m?[2J", ""},
        {"machine show $T/name.yaml", 2, "",
         "name.yaml:2:7: 'name' has a control character: expected one line of text\n"},
        {"graph info $T/g" ESC ".el", 0, "g_[2J", ""},
        {"graph info $T/bad" ESC ".el", 2, "",
         "bad\\x1b[2J.el:2:1: '\\x1b[2J': expected a vertex id"},
        {"run vecadd --set " ESC "=1 --machine fermi-gtx480", 2, "", "\\x1b[2J"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Command *c = heddle(rows[i].line);
        expect_harmless(rows[i].line, c->out);
        expect_harmless(rows[i].line, c->err);
        if (c->status != rows[i].status || !strstr(c->out, rows[i].out) ||
            !strstr(c->err, rows[i].err))
            fail_msg("%s: status %d\n%s\n%s", rows[i].line, c->status, c->out, c->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_controls_the_terminal)};
    return cmocka_run_group_tests(tests, write_inputs, NULL);
}
