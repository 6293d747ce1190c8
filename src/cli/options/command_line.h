// Reads a command line by the tables of its command.
#ifndef HEDDLE_CLI_OPTIONS_COMMAND_LINE_H
#define HEDDLE_CLI_OPTIONS_COMMAND_LINE_H

#include "cli/common/commands.h"

// An option as it was given.
typedef struct GivenOption {
    const Option *option;
    const char *text; // NULL for a flag
    unsigned table;   // of Command.tables
} GivenOption;

typedef struct CommandLine {
    const Command *command;
    GivenOption *given; // in order
    size_t given_count, given_capacity;
    char **arguments;   // the words that are no options, in order
    int argument_count;
    HdArena arena;      // owns the texts and lists of the targets
} CommandLine;

// Reads the options into `values`, one struct for each of the command's tables. false: the command
// ends with *status, because --help was given, or a mistake was made and reported. Free in any
// case.
bool command_line_start(CommandLine *line, const Command *command, void *const *values, int argc,
                        char **argv, int *status);

void command_line_free(CommandLine *line);

// The same for a command without more to set up: `body` gets the command line and `options`, and
// returns the exit status, which is returned.
typedef int CommandBody(const CommandLine *line, void *options);
int command_line_run(const Command *command, CommandBody *body, void *options,
                     void *const *values, int argc, char **argv);

// Was the option given?
bool command_line_has(const CommandLine *line, const char *name);

#endif
