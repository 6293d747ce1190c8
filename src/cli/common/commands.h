// The subcommands of `heddle`: one function per subcommand; returns the exit status.
//
// argv[0] is the subcommand's name and argc counts it, as main's do for the program. Status 0 is
// success, 2 bad input or usage (one message on stderr has said what would be right) or that the
// output could not be written, 1 that an answer was wrong or two results differ.
#ifndef HEDDLE_CLI_COMMON_COMMANDS_H
#define HEDDLE_CLI_COMMON_COMMANDS_H

int cmd_run(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_annotate(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_graph(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_machine(int argc, char **argv);
int cmd_mechanism(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_workload(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_cuda(int argc, char **argv);

#endif
