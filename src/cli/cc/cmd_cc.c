// `heddle cc`: compiles a CUDA program with the distribution's clang, without the CUDA toolkit.
#include "cli/cc/cc_build.h"
#include "cli/common/commands.h"

#include <stdio.h>

static const char usage[] =
    "usage: heddle cc FILE.cu... [-o PROGRAM] [options]\n"
    "\n"
    "Compiles CUDA C++ with the distribution's clang (14 or newer) and Heddle's own CUDA headers;\n"
    "no CUDA toolkit is needed. The program is an ordinary one of this host, linked to Heddle's\n"
    "libcudart.so.13: run it as it is (./PROGRAM) or by heddle cuda. Inputs may also be C and C++\n"
    "files, objects and libraries.\n"
    "\n"
    "  -o FILE         the result (default a.out; with -c and --ptx the input's name with .o, "
    ".ptx)\n"
    "  -c              objects only\n"
    "  --ptx           PTX only\n"
    "  -arch=sm_XX     the least GPU that it runs on (default sm_70, least sm_60); also "
    "compute_XX\n"
    "                  and -gencode\n"
    "  -I DIR  -D NAME[=VALUE]  -U NAME  -include FILE  -std=STANDARD (default gnu++17)\n"
    "  -L DIR  -l NAME  -Wl,...  -shared\n"
    "  -O0..-O3        for the host (default -O2); the device's code has -O3, or -O0 with -G\n"
    "  -g              for debuggers of the host; lines for Heddle's reports are always there\n"
    "  -use_fast_math  approximate functions, quotients and roots of float; also -ftz, -prec-div,\n"
    "                  -prec-sqrt and -fmad, as nvcc has them\n"
    "  -Xcompiler A,B  options of the host's side; -Xlinker A,B of the linker\n"
    "  --no-rpath      do not write the runtime's folder into the program\n"
    "  --keep          leave the .ptx and .fatbin files here; --keep-dir DIR there\n"
    "  -v, --dryrun    print the commands; print only\n"
    "\n"
    "Other options go to clang. Those of nvcc that have no meaning here (-lineinfo, -cudart "
    "shared,\n"
    "--ptxas-options, ...) are accepted. -rdc=true is not there.\n"
    "\n"
    "HEDDLE_CLANG names the compiler, HEDDLE_CUDA_INCLUDE the folder of the headers, "
    "HEDDLE_CUDART\n"
    "that of the runtime, where they are not to be looked for.\n"
    "\n"
    "example: heddle cc saxpy.cu -o saxpy && ./saxpy\n";

int cmd_cc(int argc, char **argv)
{
    HdError err = {0};
    CcOptions options = {0};
    int status = EXIT_GOOD, compiler = 0;
    if (!cc_options_parse(&options, argc, argv, &err)) {
        status = cli_fail(&err);
    } else if (options.help) {
        fputs(usage, stdout);
        status = cli_flush();
    } else if (!cc_build(&options, &compiler, &err)) {
        status = cli_fail(&err);
    } else {
        status = compiler;
    }
    cc_options_free(&options);
    return status;
}
