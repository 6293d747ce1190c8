// A command's help, as text, as a manual page, and as completion for bash: all from its tables.
#ifndef HEDDLE_CLI_OPTIONS_COMMAND_HELP_H
#define HEDDLE_CLI_OPTIONS_COMMAND_HELP_H

#include "cli/common/commands.h"

#include <stdio.h>

// What `heddle COMMAND --help` prints.
void command_help(const Command *command, FILE *out);

// Prints `length` bytes of words, the first at column `at`; further lines are indented, and end
// before column 80.
void help_words(const char *text, size_t length, int at, int indent, FILE *out);

// The manual page heddle-COMMAND(1), as troff.
void command_manual(const Command *command, FILE *out);
// The manual page heddle(1): the commands, a NULL-terminated list.
void program_manual(const Command *const *commands, FILE *out);

// Completion of `heddle` for bash.
void program_completion(const Command *const *commands, FILE *out);

// How help shows an option: "--name VALUE" or "-l, --name VALUE".
enum { SPELLING_TEXT = 128 };
void option_spelling(const Option *option, char text[SPELLING_TEXT]);

// Calls `show` with each group's heading (NULL: none) and each option, groups in the order of their
// first options. `user` is handed on.
typedef void ShowGroup(const char *group, void *user);
typedef void ShowOption(const Option *option, void *user);
void command_for_options(const Command *command, ShowGroup *show_group, ShowOption *show_option,
                         void *user);

#endif
