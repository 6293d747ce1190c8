// `heddle`: hands the command line to a subcommand.
#include "cli/common/commands.h"
#include "cli/common/text.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"run", cmd_run, "simulate a workload or a kernel and report where the time went"},
    {"compare", cmd_compare, "run a workload with several mechanisms, side by side"},
    {"annotate", cmd_annotate,
     "show a kernel's source with what its warps waited for, line by line"},
    {"trace", cmd_trace, "show what one warp does, instruction by instruction"},
    {"cuda", cmd_cuda, "run a CUDA program as it is on a simulated GPU"},
    {"cc", cmd_cc, "compile a CUDA program with clang, without the CUDA toolkit"},
    {"demo", cmd_demo, "two ways to search a graph, compared: about a minute"},
    {"diff", cmd_diff, "compare two results: the first launch and counter that differ"},
    {"graph", cmd_graph, "look at, convert and generate graphs"},
    {"advise", cmd_advise, "say which breadth-first search suits a graph"},
    {"machine", cmd_machine, "list, show and check machine files"},
    {"mechanism", cmd_mechanism, "list the mechanisms and describe one"},
    {"workload", cmd_workload, "list the workloads and their implementations"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("Heddle simulates GPUs running programs whose warps diverge, cycle by cycle.\n\n"
          "usage: heddle COMMAND [arguments]\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].doc);
    fputs("\n`heddle COMMAND --help` tells more. To start: heddle demo, or\n"
          "  heddle run bfs --impl topology --graph rmat:14,8 --machine fermi-gtx480\n",
          out);
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_INPUT;
    }
    const char *word = argv[1];
    if (is_one_of(word, "help", "--help") || strcmp(word, "-h") == 0) {
        if (argc > 2) { // heddle help COMMAND
            char *swapped[] = {argv[2], "--help", NULL};
            for (int i = 0; i < COMMANDS; i++)
                if (strcmp(argv[2], commands[i].name) == 0) return commands[i].run(2, swapped);
        }
        print_help(stdout);
        return cli_flush();
    }
    if (is_one_of(word, "--version", "-V")) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return cli_flush();
    }
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(word, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
        names[i] = commands[i].name;
    }
    HdError err;
    const char *near = hd_nearest(word, names, COMMANDS);
    hd_fail(&err, "there is no command '%s'%s%s (heddle help lists them)", word,
            near ? ", perhaps " : "", near ? near : "");
    return cli_fail(&err);
}
