// `heddle`: passes the command line to a command, or prints help.
#include "cli/common/messages.h"
#include "cli/options/command_help.h"
#include "cli/options/command_line.h"
#include "heddle/mechanism.h"
#include "report/host_json.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const Command *const commands[] = {
    &command_run, &command_compare, &command_annotate, &command_trace, &command_cuda, &command_cc,
    &command_demo, &command_diff, &command_graph, &command_advise, &command_machine,
    &command_mechanism, &command_workload, &command_query, &command_study,
    NULL,
};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static void print_help(FILE *out)
{
    fputs("Heddle simulates GPUs running programs whose warps diverge, cycle by cycle.\n\n"
          "usage: heddle COMMAND [arguments]\n"
          "       heddle --version\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`heddle COMMAND --help` describes a command. To start: heddle demo, or\n"
          "  heddle run bfs --impl topology --graph rmat:14,8 --machine fermi-gtx480\n",
          out);
}

// NULL and err, which names the nearest one: there is no such command.
static const Command *find_command(const char *name, HdError *err)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i]->name) == 0) return commands[i];
        names[i] = commands[i]->name;
    }
    const char *near = hd_nearest(name, names, COMMANDS);
    hd_fail(err, "there is no command '%s': expected one that heddle help lists%s%s%s", name,
            HD_DID_YOU_MEAN(near));
    return NULL;
}

// ---- heddle help ----

typedef struct HelpOptions {
    bool man;
    unsigned completion;
} HelpOptions;

static const char *const shells[] = {"bash", NULL};
static const Option help_options[] = {
    {.name = "man", .type = OPTION_FLAG, .target = offsetof(HelpOptions, man),
     .help = "print the manual page, as troff"},
    {.name = "completion", .type = OPTION_CHOICE, .target = offsetof(HelpOptions, completion),
     .value = "SHELL", .choices = shells, .help = "print completion for a shell: bash"},
    {0},
};
static const Command command_help_itself = {
    .name = "help",
    .summary = "describe a command",
    .synopsis = "help [COMMAND] [--man]\n"
                "help --completion bash",
    .description = "Prints what `heddle COMMAND --help` prints, or all commands.",
    .tables = {help_options},
};

static int help(const CommandLine *line, void *values)
{
    HdError err;
    const HelpOptions *options = values;
    const char *name = line->argument_count ? line->arguments[0] : NULL;
    const Command *command = name ? find_command(name, &err) : NULL;
    if (name && !command) return cli_fail(&err);
    if (command_line_has(line, "completion")) program_completion(commands, stdout);
    else if (options->man && !command) program_manual(commands, stdout);
    else if (options->man) command_manual(command, stdout);
    else if (command) command_help(command, stdout);
    else print_help(stdout);
    return cli_flush();
}

int main(int argc, char **argv)
{
    HdError err;
    if (argc < 2) {
        print_help(stderr);
        return EXIT_INPUT;
    }
    const char *word = argv[1];
    // Output beyond `ulimit -f` is an error with a message, as a full disk is. A CUDA program gets
    // the signal as it would without Heddle.
    if (strcmp(word, command_cuda.name) != 0) signal(SIGXFSZ, SIG_IGN);
    if (strcmp(word, "help") == 0) {
        HelpOptions options = {0};
        return command_line_run(&command_help_itself, help, &options, (void *[]){&options},
                                argc - 1, argv + 1);
    }
    bool asks_help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    bool asks_version = strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
    if ((asks_help || asks_version) && argc > 2)
        return cli_fail_with("%s: expected nothing else (see heddle --help)", word);
    if (asks_help) {
        print_help(stdout);
        return cli_flush();
    }
    if (asks_version) {
        printf("heddle %s\nsources %s\nresult schema %d\nmechanism interface %d\n", HEDDLE_VERSION,
               sources_version(), RESULT_SCHEMA, HD_MECHANISM_VERSION);
        return cli_flush();
    }
    const Command *command = find_command(word, &err);
    return command ? command->run(argc - 1, argv + 1) : cli_fail(&err);
}
