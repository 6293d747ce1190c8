// The commands of `heddle`. A command's help, manual page and completion are made from its row here
// and its tables of options.
#ifndef HEDDLE_CLI_COMMON_COMMANDS_H
#define HEDDLE_CLI_COMMON_COMMANDS_H

#include "base/option.h"

#include <stdbool.h>

enum { MAX_TABLES = 4 };

// Texts are paragraphs between empty lines, without line breaks of their own; lines that begin with
// a blank are kept as they are.
typedef struct Command {
    const char *name, *summary;
    const char *synopsis;    // its forms, one a line, without "heddle "
    const char *description;
    const Option *tables[MAX_TABLES + 1]; // NULL-terminated
    unsigned bit;            // its bit in Option.commands; 0: takes every row of its tables
    bool words_last;         // the first word that is no option ends the options
    const char *notes;       // after the options in help: exit status, examples
    // Returns the exit status: 0 success; 2 bad input, bad usage or output that cannot be written,
    // after one message on stderr; 1 a wrong answer, or results that differ. argv[0] is the
    // command's name.
    int (*run)(int argc, char **argv);
} Command;

extern const Command command_run, command_compare, command_annotate, command_trace, command_cuda,
    command_cc, command_demo, command_diff, command_graph, command_advise, command_machine,
    command_mechanism, command_workload, command_query,
    command_study;

// Does the command take the option?
static inline bool command_takes(const Command *command, const Option *option)
{
    return !command->bit || !option->commands || option->commands & command->bit;
}

#endif
