// Names and texts of input that would control a terminal: no command shows them as they are.
#include "command.h"
#include "kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    write_text("script", "# " ESC "\nkernel begin k" ESC "\nload 0\n");
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
        {"graph gen rmat:4,4 $T/o" ESC ".hdg", 0, "", "/o\\x1b[2J.hdg: 16 vertices, 64 edges"},
        {"graph convert $T/g" ESC ".el $T/o" ESC ".mtx", 0, "", "/o\\x1b[2J.mtx: 3 vertices"},
        {"graph gen rmat:4,4 $T/o" ESC ".no", 2, "", "o\\x1b[2J.no"},
        {"graph gen " ESC " $T/o.hdg", 2, "", "gen '\\x1b[2J'"},
        {"graph info " ESC ":3,4", 2, "", "\\x1b[2J"},
        {"run bfs --graph rmat:4,4 --max-cycles 10 --quiet --out $T/o" ESC ".json", 2, "",
         "/o\\x1b[2J.json: the launches before it, marked partial"},
        {"compare vecadd --param elements=99 --mechanism none --mechanism next-line --store "
         "$T/kept" ESC ".db --machine $T/m" ESC ".yaml", 0, "/kept\\x1b[2J.db.\n", ""},
        {"compare vecadd --mechanism none --mechanism $T/m" ESC ".so", 2, "", "\\x1b[2J.so"},
        {"compare kernel" ESC " --mechanism none --mechanism next-line", 2, "", "\\x1b[2J"},
        {"mechanism test none $T/script", 0, "2: kernel begin k\\x1b[2J\n", ""},
        {"mechanism test none $T/no" ESC, 2, "", "no\\x1b[2J"},
        {"mechanism describe ./" ESC ".so", 2, "", "\\x1b[2J"},
        {"advise --graph $T/g" ESC ".el", 0, "", ""},
        {"diff $T/o" ESC ".json $T/no" ESC, 2, "", "\\x1b[2J"},
        {"cuda ./" ESC, 2, "", "\\x1b[2J"},
        {"help " ESC, 2, "", "\\x1b[2J"},
        {"workload " ESC, 2, "", "\\x1b[2J"},
        {"run vecadd --param " ESC "=1", 2, "", "\\x1b[2J"},
        {"run vecadd --" ESC, 2, "", "\\x1b[2J"},
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

// The folders of machine files and their names.
static void no_list_controls_the_terminal(void **state)
{
    (void)state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s/d" ESC, command_folder());
    assert_int_equal(mkdir(folder, 0777), 0);
    write_text("d" ESC "/n" ESC ".yaml", "base: fermi-gtx480\n");
    setenv("HEDDLE_MACHINES", folder, 1);
    const Command *c = heddle("machine list");
    expect_harmless("machine list", c->out);
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "/d\\x1b[2J:\nn\\x1b[2J "));
    c = heddle("machine show no");
    expect_harmless("machine show no", c->err);
    assert_non_null(strstr(c->err, "/d\\x1b[2J"));
    unsetenv("HEDDLE_MACHINES");
}

// `run` and `compare` take a name of any bytes but zero, and write it as UTF-8.
static void names_need_not_be_utf8(void **state)
{
    (void)state;
    static const char run[] = "bfs --graph $T/g\xff" ESC ".el --machine $T/m\xff.yaml ";
    static const char kernel[] = "$T/k\xff.ptx --entry k --grid 1 --block 32 "
                                 "--arg buf:256=file:$T/b\xff --machine fermi-gtx480 ";
    char line[512];
    write_text("g\xff" ESC ".el", "0 1\n1 2\n");
    write_text("m\xff.yaml", "base: fermi-gtx480\n");
    write_text("k\xff.ptx", ptx);
    write_text("b\xff", "words");
    for (int k = 0; k < 2; k++) {
        const char *words = k ? kernel : run;
        snprintf(line, sizeof line, "run %s --quiet --out $T/any.json", words);
        assert_int_equal(heddle(line)->status, 0);
        char *text = read_text("any.json");
        assert_non_null(strstr(text, k ? "/k\\\\xff.ptx\"" : "/g\\\\xff\\\\x1b[2J.el\""));
        free(text);
        for (int again = 0; again < 2; again++) { // the second time, results are reused
            snprintf(line, sizeof line, "compare %s --mechanism none --mechanism next-line --store "
                     "$T/any%d.db", words, k);
            const Command *c = heddle(line);
            bool ran = strstr(c->err, "heddle: note: 2 of 2 runs done: ");
            if (c->status || ran == again || (again && *c->err))
                fail_msg("%d: %s", c->status, c->err);
        }
        snprintf(line, sizeof line, "SELECT count(*) FROM requests WHERE computed_from LIKE "
                 "'%%/%s'",
                 k ? "k\\\\xff.ptx\":\"%" : "m\\\\xff.yaml\":\"%");
        assert_int_equal(kept_query(k ? "any1.db" : "any0.db", line), 2);
    }
    // What has changed is named.
    write_text("m\xff.yaml", "base: fermi-gtx480\n# changed\n");
    snprintf(line, sizeof line, "compare %s --mechanism none --mechanism next-line "
             "--store $T/any0.db", run);
    assert_non_null(strstr(heddle(line)->err, "/m\\xff.yaml has changed: none is run again\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_controls_the_terminal),
                                       cmocka_unit_test(no_list_controls_the_terminal),
                                       cmocka_unit_test(names_need_not_be_utf8)};
    return cmocka_run_group_tests(tests, write_inputs, NULL);
}
