// Help, manual pages and completion, which are generated from the tables of options; the versions.
#include "command.h"

#include "heddle/mechanism.h"
#include "report/host_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const commands[] = {
    "run", "compare", "annotate", "trace", "cuda", "cc", "demo", "diff", "graph", "advise",
    "machine", "mechanism", "workload",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

// Returns the output of a command, which must succeed. The caller frees it.
static char *printed(const char *line)
{
    const Command *c = heddle(line);
    if (c->status != 0 || *c->err) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
    char *text = strdup(c->out);
    assert_non_null(text);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%.2000s", part, text);
}

// Collects the long options of a help text: lines that begin with "  --name" or "  -l, --name".
static char *next_option(char **text)
{
    for (char *line = *text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "  -", 3) != 0) continue;
        char *name = strncmp(line + 2, "--", 2) == 0 ? line + 2 : strstr(line, ", --");
        if (!name || name > line + 6) continue;
        name += *name == ',' ? 2 : 0;
        *text = name;
        return strndup(name, strcspn(name, " \n"));
    }
    return NULL;
}

static void test_every_command(void **state)
{
    (void)state;
    char *completion = printed("help --completion bash"), *all = printed("help --man");
    for (int i = 0; i < COMMANDS; i++) {
        char line[64], part[64];
        snprintf(line, sizeof line, "%s --help", commands[i]);
        char *help = printed(line);
        snprintf(line, sizeof line, "help %s", commands[i]);
        char *same = printed(line);
        assert_string_equal(help, same);
        snprintf(part, sizeof part, "usage: heddle %s", commands[i]);
        assert_int_equal(strncmp(help, part, strlen(part)), 0);
        snprintf(line, sizeof line, "help %s --man", commands[i]);
        char *man = printed(line);
        snprintf(part, sizeof part, ".TH heddle-%s 1 ", commands[i]);
        assert_int_equal(strncmp(man, part, strlen(part)), 0);
        snprintf(part, sizeof part, "heddle\\-%s (1)", commands[i]);
        assert_has(all, part);
        snprintf(part, sizeof part, "        %s) options='--help", commands[i]);
        assert_has(completion, part);
        char *rest = help;
        for (char *name; (name = next_option(&rest)); free(name)) {
            const char *own = strstr(completion, part);
            const char *end = strchr(own, '\n'), *found = strstr(own, name);
            if (!found || found > end) fail_msg("%s of %s is not completed", name, commands[i]);
        }
        free(help);
        free(same);
        free(man);
    }
    free(completion);
    free(all);
}

// Lines have at most 80 characters, except verbatim ones.
static void test_text(void **state)
{
    (void)state;
    char *help = printed("run --help");
    assert_has(help, "\n\nmachine\n  --machine NAME|PATH");
    assert_has(help, "\n  --seed N               seed of all random choices of the machine");
    assert_has(help, "\n  --detail-kernels A..B  time only launches A to B");
    assert_has(help, "\n  --max-instructions N   stop after N warp instructions");
    for (const char *line = help; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\n");
        if (length > 80 && strncmp(line, "  heddle", 8) && strncmp(line, "       heddle", 13))
            fail_msg("%zu characters: %.*s", length, (int)length, line);
    }
    free(help);
    // Each command shows only its own options.
    help = printed("compare --help");
    assert_has(help, "--store FILE");
    assert_has(help, "--max-cycles N");
    assert_null(strstr(help, "--functional"));
    assert_null(strstr(help, "--out"));
    free(help);
    help = printed("machine --help");
    assert_has(help, "--set KEY=VALUE");
    assert_null(strstr(help, "--seed"));
    free(help);
}

// The names of an option in the environment and in heddle.yaml.
static void test_variables(void **state)
{
    (void)state;
    char *help = printed("cuda --help");
    assert_has(help,
               "\n\n"
               "--mechanism and --set may be repeated. Each option has an environment variable\n"
               "and a key in the file heddle.yaml of the working directory: --max-cycles is\n"
               "HEDDLE_MAX_CYCLES and max_cycles. A flag has a value such as 1 or yes;\n"
               "HEDDLE_SET is KEY=VALUE;KEY=VALUE, and set: has lines KEY: VALUE below it. The\n"
               "command line overrides the environment, and the environment the file. The file\n"
               "may not name files: no out, no store, no report but none, no shared object as\n"
               "mechanism.\n");
    free(help);
}

static void test_manual(void **state)
{
    (void)state;
    char *man = printed("help cuda --man");
    assert_has(man,
               "\n.SH SYNOPSIS\n.nf\nheddle cuda [options] [\\-\\-] PROGRAM [arguments]\n.fi\n");
    assert_has(man, "\n.SS machine\n.TP\n.B \\-\\-machine NAME|PATH\n");
    free(man);
    assert_refused("help rnu", "there is no command 'rnu': expected one that heddle help lists; "
                               "did you mean 'run'?");
    assert_refused("help --completion tcsh", "--completion 'tcsh': expected bash");
}

// Completion by bash itself.
static void test_completion(void **state)
{
    (void)state;
    if (system("command -v bash >/dev/null 2>&1") != 0) skip();
    static const struct {
        const char *words, *reply;
    } cases[] = {
        {"heddle mac", "machine"},
        {"heddle --v", "--version"},
        {"heddle run --max-c", "--max-cycles"},
        {"heddle run --backend c", "cuda"},
        {"heddle cuda opt", ""}, // the usage has the word [options]
        {"heddle compare --sto", "--store"},
        {"heddle machine sh", "show"},
        {"heddle machine show fermi-mac", "fermi-macsim"},
        {"heddle mechanism des", "describe"},
        {"heddle run sco --mechanism streaming-by", "streaming-bypass"},
        {"heddle run scalarp", "scalarprod"},
        {"heddle help ann", "annotate"},
    };
    char *script = printed("help --completion bash");
    write_text("completion", script);
    free(script);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "bash -c 'heddle() { \"$HEDDLE\" \"$@\"; }; . %s/completion; "
                 "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); "
                 "_heddle; test \"${COMPREPLY[*]}\" = \"%s\"'",
                 command_folder(), cases[i].words, cases[i].reply);
        if (system(line) != 0) fail_msg("'%s' is not completed to %s", cases[i].words,
                                        cases[i].reply);
    }
}

// The versions are those of the constants that results and mechanisms are checked against.
static void test_version(void **state)
{
    (void)state;
    char expected[160], sources[17] = "";
    static const char *const spellings[] = {"--version", "-V"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        char *text = printed(spellings[i]);
        const char *line = strstr(text, "\nsources ");
        assert_non_null(line);
        // The results of this build have the same hash (test_query.c).
        assert_int_equal(sscanf(line, "\nsources %16[0-9a-f]", sources), 1);
        assert_int_equal(strlen(sources), 16);
        snprintf(expected, sizeof expected,
                 "heddle %s\nsources %s\nresult schema %d\nmechanism interface %d\n",
                 getenv("HEDDLE_VERSION"), sources, RESULT_SCHEMA, HD_MECHANISM_VERSION);
        assert_string_equal(text, expected);
        free(text);
    }
    assert_refused("--version x", "--version: expected nothing else (see heddle --help)");
    assert_refused("-h --version", "-h: expected nothing else (see heddle --help)");
    char *help = printed("help");
    assert_has(help, "\nusage: heddle COMMAND [arguments]\n       heddle --version\n");
    free(help);
    char *man = printed("help --man");
    assert_has(man, "\n.B heddle\n.I COMMAND\n[arguments]\n.br\n.B heddle \\-\\-version\n.SH");
    assert_has(man, "\n.SH OPTIONS\n.TP\n.B \\-V, \\-\\-version\nprint the versions of heddle, of "
                    "the layout of results, and of heddle/mechanism.h\n");
    free(man);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_manual),
        cmocka_unit_test(test_completion),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
