// Options by getopt_long, whose tables are made from the rows.
#include "cli/options/command_line.h"

#include "base/file.h"
#include "cli/common/messages.h"
#include "cli/options/command_help.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 96, FIRST_VALUE = 256 };

// The options of a command for getopt_long. The value of a long option is FIRST_VALUE + its index;
// a letter is its own value.
typedef struct GetoptTable {
    const Option *rows[MAX_OPTIONS];
    unsigned tables[MAX_OPTIONS];
    struct option options[MAX_OPTIONS + 2];
    char letters[2 * MAX_OPTIONS + 4];
    int count;
} GetoptTable;

static void getopt_table(const Command *command, GetoptTable *table)
{
    char *letter = table->letters;
    *table = (GetoptTable){0};
    if (command->words_last) *letter++ = '+';
    *letter++ = ':';
    *letter++ = 'h';
    for (unsigned t = 0; command->tables[t]; t++)
        for (const Option *row = command->tables[t]; row->name; row++) {
            if (!command_takes(command, row) || row->spelling || table->count == MAX_OPTIONS)
                continue;
            bool flag = row->type == OPTION_FLAG || (row->type == OPTION_PARSED && !row->value);
            table->rows[table->count] = row;
            table->tables[table->count] = t;
            table->options[table->count] =
                (struct option){row->name, flag ? no_argument : required_argument, NULL,
                                FIRST_VALUE + table->count};
            table->count++;
            if (row->letter) *letter++ = row->letter;
            if (row->letter && !flag) *letter++ = ':';
        }
    table->options[table->count] = (struct option){"help", no_argument, NULL, 'h'};
}

// The index of an option by getopt's value.
static int index_of(const GetoptTable *table, int value)
{
    if (value >= FIRST_VALUE) return value - FIRST_VALUE;
    int i = 0;
    while (i < table->count && table->rows[i]->letter != value) i++;
    return i;
}

// ---- mistakes ----

// The message for getopt_long's '?' and ':'.
static bool fail_option(const CommandLine *line, const GetoptTable *table, int c, char **argv,
                        HdError *err)
{
    const char *word = argv[optind - 1], *command = line->command->name;
    if (c == ':') return hd_fail(err, "%s needs a value (see heddle %s --help)", word, command);
    if (optopt && optopt < FIRST_VALUE && optopt != 'h')
        return hd_fail(err, "unknown option -%c (see heddle %s --help)", optopt, command);
    if (optopt) {
        int i = index_of(table, optopt);
        return hd_fail(err, "--%s takes no value (see heddle %s --help)",
                       table->options[i].name, command);
    }
    const char *name = word + strspn(word, "-"), *names[MAX_OPTIONS];
    for (unsigned t = 0; word[1] == '-' && line->command->tables[t]; t++) {
        const Option *row = option_find(line->command->tables[t], name);
        if (row)
            return hd_fail(err, "heddle %s takes no --%s (see heddle %s --help)", command, name,
                           command);
    }
    int begin = 0;
    for (int i = 0; i < table->count; i++)
        if (strncmp(table->rows[i]->name, name, strcspn(name, "=")) == 0)
            names[begin++] = table->rows[i]->name;
    if (begin > 1 && word[1] == '-') {
        char all[HD_ERROR_TEXT / 2];
        hd_list_names(all, sizeof all, names, begin);
        return hd_fail(err, "%s is short for several options: %s (see heddle %s --help)", word, all,
                       command);
    }
    for (int i = 0; i < table->count; i++) names[i] = table->rows[i]->name;
    const char *near = hd_nearest(name, names, table->count);
    return hd_fail(err, "unknown option %s%s%s%s (see heddle %s --help)", word,
                   near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "", command);
}

// ---- reading ----

static bool take_option(CommandLine *line, const Option *option, unsigned table, void *values,
                        const char *text, HdError *err)
{
    char where[OPTION_NAME_TEXT + 2], other[sizeof where];
    OptionInput input = {.where = where, .text = text, .arena = &line->arena, .err = err};
    snprintf(where, sizeof where, "--%s", option->name);
    for (size_t i = 0; i < line->given_count; i++) {
        const Option *before = line->given[i].option;
        input.again |= before == option;
        if (before == option || !option_excludes(before, option)) continue;
        snprintf(other, sizeof other, "--%s", before->name);
        return option_fail_both(other, where, option, err);
    }
    if (!HD_PUSH(line->given, line->given_count, line->given_capacity,
                 (GivenOption){option, text, table}))
        return hd_fail_memory(err, "reading options");
    if (!option_assign(option, values, &input)) return false;
    bool file = option->type == OPTION_OUTPUT &&
                !(option->choices && hd_is_among(text, option->choices));
    HdError why = {0};
    return !file || file_check_writable(text, &why) ||
           hd_fail(err, "%s %.2048s", where, why.text);
}

// *help: --help was given, and nothing after it was read.
static bool read_words(CommandLine *line, void *const *values, int argc, char **argv, bool *help,
                       HdError *err)
{
    GetoptTable table;
    getopt_table(line->command, &table);
    optind = 0; // start over: another command line may have been read before
    opterr = 0;
    *help = false;
    for (int c; (c = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1;) {
        if (c == '?' || c == ':') return fail_option(line, &table, c, argv, err);
        if (c == 'h') return *help = true;
        int i = index_of(&table, c);
        if (!take_option(line, table.rows[i], table.tables[i], values[table.tables[i]], optarg,
                         err))
            return false;
    }
    line->arguments = argv + optind;
    line->argument_count = argc - optind;
    return true;
}

// Options that the environment gives and the command line does not.
static bool read_environment(CommandLine *line, void *const *values, HdError *err)
{
    for (unsigned t = 0; line->command->tables[t]; t++)
        for (const Option *row = line->command->tables[t]; row->name; row++) {
            char variable[OPTION_NAME_TEXT];
            option_variable(row, variable);
            OptionInput input = {.where = variable, .arena = &line->arena, .err = err};
            if (!row->environment || !command_takes(line->command, row) ||
                command_line_has(line, row->name))
                continue;
            input.text = getenv(variable);
            if (input.text && *input.text && !option_assign(row, values[t], &input)) return false;
        }
    return true;
}

void command_line_free(CommandLine *line)
{
    free(line->given);
    hd_arena_free(&line->arena);
    *line = (CommandLine){0};
}

bool command_line_start(CommandLine *line, const Command *command, void *const *values, int argc,
                        char **argv, int *status)
{
    HdError err = {0};
    bool help;
    *line = (CommandLine){.command = command};
    if (!read_words(line, values, argc, argv, &help, &err) ||
        (!help && !read_environment(line, values, &err))) {
        *status = cli_fail(&err);
        return false;
    }
    if (!help) return true;
    command_help(command, stdout);
    *status = cli_flush();
    return false;
}

int command_line_run(const Command *command, CommandBody *body, void *options,
                     void *const *values, int argc, char **argv)
{
    CommandLine line;
    int status;
    if (command_line_start(&line, command, values, argc, argv, &status))
        status = body(&line, options);
    command_line_free(&line);
    return status;
}

bool command_line_has(const CommandLine *line, const char *name)
{
    for (size_t i = 0; i < line->given_count; i++)
        if (strcmp(line->given[i].option->name, name) == 0) return true;
    return false;
}
