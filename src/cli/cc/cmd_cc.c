// `heddle cc`: compiles a CUDA program with the distribution's clang, without the CUDA toolkit.
#include "cli/cc/cc_build.h"
#include "cli/common/messages.h"
#include "cli/options/command_help.h"

#include <stdio.h>

// For help only: cc_options.c reads the words, as nvcc does and getopt_long cannot.
#define ROW(SPELLING, HELP) {.name = "", .spelling = SPELLING, .help = HELP}
static const Option cc_help[] = {
    ROW("-o FILE", "the result (default a.out; with -c and --ptx the input's name with .o or "
                   ".ptx)"),
    ROW("-c", "compile to objects only"),
    ROW("-rdc=true", "relocatable device code: it may use functions, variables and kernels of "
                     "other files; -dc is the same with -c"),
    ROW("-dlink", "make only the object that registers the relocatable device code of objects "
                  "(default a_dlink.o), for a link by another compiler"),
    ROW("--ptx", "compile to PTX only"),
    ROW("-arch=sm_XX", "the least compute capability that the program runs on (default sm_70, at "
                       "least sm_60); also compute_XX and -gencode"),
    ROW("-I DIR", "headers; also -D NAME[=VALUE], -U NAME, -include FILE, -std=STANDARD (default "
                  "gnu++17)"),
    ROW("-L DIR", "libraries; also -l NAME, -Wl,..., -shared"),
    ROW("-O0..-O3", "optimisation of host code (default -O2); device code has -O3, or -O0 with -G"),
    ROW("-g", "debug information for the host; the lines that Heddle's reports name are always "
              "included"),
    ROW("-use_fast_math", "approximate functions, quotients and roots of float; also -ftz, "
                          "-prec-div, -prec-sqrt and -fmad, as in nvcc"),
    ROW("-Xcompiler A,B", "options for host code; -Xlinker A,B for the linker"),
    ROW("--no-rpath", "do not write the runtime's folder into the program"),
    ROW("--keep", "leave the .ptx and .fatbin files in this folder"),
    ROW("--keep-dir DIR", "leave them in DIR"),
    ROW("-v", "print the commands"),
    ROW("--dryrun", "print the commands, and run none"),
    {0},
};

static int cmd_cc(int argc, char **argv)
{
    HdError err = {0};
    CcOptions options = {0};
    int status = EXIT_GOOD, compiler = 0;
    if (!cc_options_parse(&options, argc, argv, &err)) {
        status = cli_fail(&err);
    } else if (options.help) {
        command_help(&command_cc, stdout);
        status = cli_flush();
    } else if (!cc_build(&options, &compiler, &err)) {
        status = cli_fail(&err);
    } else {
        status = compiler;
    }
    cc_options_free(&options);
    return status;
}

const Command command_cc = {
    .name = "cc",
    .summary = "compile a CUDA program with clang, without the CUDA toolkit",
    .synopsis = "cc FILE.cu... [-o PROGRAM] [options]",
    .description =
        "Compiles CUDA C++ with the distribution's clang (14 or newer) and Heddle's own CUDA "
        "headers; no CUDA toolkit is needed. The result is an ordinary program of this host, "
        "linked to Heddle's libcudart.so.13: run it directly (./PROGRAM) or by heddle cuda. "
        "Inputs may also be C and C++ files, objects and libraries.",
    .tables = {cc_help},
    .notes =
        "Other options go to clang. Those of nvcc that have no meaning here (-lineinfo, -cudart "
        "shared, --ptxas-options, ...) are accepted.\n"
        "\n"
        "HEDDLE_CLANG names the compiler, HEDDLE_CUDA_INCLUDE the folder of the headers, and "
        "HEDDLE_CUDART the folder of the runtime; by default they are searched for.\n"
        "\n"
        "example:\n"
        "  heddle cc saxpy.cu -o saxpy && ./saxpy",
    .run = cmd_cc,
};
