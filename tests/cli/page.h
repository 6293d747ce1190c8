// Follows a page of docs/ that writes a mechanism: its files are written to a folder beside a copy
// of the checkout's layout, and its commands are run there.
#ifndef HEDDLE_TESTS_CLI_PAGE_H
#define HEDDLE_TESTS_CLI_PAGE_H

#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *page;

// Reads a file from the checkout.
static inline char *read_source(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("HEDDLE_SOURCE"), name);
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    if (!file || !fread(text, 1, (1 << 20) - 1, file)) fail_msg("%s cannot be read", path);
    fclose(file);
    return text;
}

// Returns the first block of the page in this language. The caller frees it.
static inline char *block_of(const char *language)
{
    char fence[32];
    snprintf(fence, sizeof fence, "\n```%s\n", language);
    const char *start = strstr(page, fence), *end = NULL;
    if (start) end = strstr(start += strlen(fence), "\n```\n");
    if (!end) fail_msg("the page has no block of %s", language);
    return strndup(start, (size_t)(end + 1 - start));
}

// Runs a shell command in the folder.
static inline void shell(const char *line)
{
    if (system(line) != 0) fail_msg("%s: failed", line);
}

// Reads the page, and saves its first C file and its script under these names; its kernel, if it
// has one, as walk.ptx.
static inline int page_open(const char *name, const char *code_name, const char *script_name)
{
    page = read_source(name);
    if (chdir(command_folder()) != 0 || symlink(getenv("HEDDLE_SOURCE"), "heddle") != 0) return -1;
    char *code = block_of("c"), *script = block_of("text");
    write_text(code_name, code);
    write_text(script_name, script);
    free(script);
    free(code);
    if (!strstr(page, "\n```ptx\n")) return 0;
    char *kernel = block_of("ptx");
    write_text("walk.ptx", kernel);
    free(kernel);
    return 0;
}

static inline int page_close(void **state)
{
    (void)state;
    free(page);
    return 0;
}

// The built-in mechanism equals the one on the page. Returns its lines.
static inline unsigned page_same_file(const char *name)
{
    char *code = block_of("c"), *built_in = read_source(name);
    assert_string_equal(code, built_in);
    unsigned lines = 0;
    for (const char *at = code; *at; at++) lines += *at == '\n';
    free(built_in);
    free(code);
    return lines;
}

// Both compilers accept file and header without warnings.
static inline void page_check_warnings(const char *file)
{
    const char *const compilers[] = {getenv("HEDDLE_CC"), getenv("HEDDLE_CLANG")};
    for (size_t i = 0; i < 2; i++) {
        char line[512];
        if (!compilers[i] || !*compilers[i]) continue;
        snprintf(line, sizeof line,
                 "%s -std=gnu17 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only "
                 "-I heddle/include %s",
                 compilers[i], file);
        shell(line);
    }
}

// Runs a command of the page, with `cc` replaced by the compiler that built Heddle.
static inline void run_command(char *line)
{
    if (strncmp(line, "cc ", 3) == 0) {
        char command[512];
        snprintf(command, sizeof command, "%s %s", getenv("HEDDLE_CC"), line + 3);
        shell(command);
    } else {
        assert_int_equal(strncmp(line, "heddle ", 7), 0);
        const Command *c = heddle(line + 7);
        if (c->status) fail_msg("%s: %d, %s", line, c->status, c->err);
        char *shown = block_of("output");
        if (strncmp(line, "heddle mechanism test", 21) == 0 && !strstr(c->out, shown))
            fail_msg("%s: prints not what the page shows:\n%s", line, c->out);
        free(shown);
    }
}

// Runs the commands of the page: indented lines that start with a program's name. Returns their
// number.
static inline unsigned page_run_commands(void)
{
    char *text = strdup(page), *save = NULL;
    unsigned commands = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "    cc ", 7) != 0 && strncmp(line, "    heddle ", 11) != 0) continue;
        run_command(line + 4);
        commands++;
    }
    free(text);
    return commands;
}

#endif
