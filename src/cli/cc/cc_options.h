// The command line of `heddle cc`: nvcc's options as far as they mean something here, and clang's.
#ifndef HEDDLE_CLI_CC_CC_OPTIONS_H
#define HEDDLE_CLI_CC_CC_OPTIONS_H

#include "base/error.h"
#include "base/memory.h"
#include "cli/common/text_list.h"

typedef struct CcInput {
    const char *path;
    size_t link_at; // its object's place in the link line: an empty entry of `link`
} CcInput;

typedef struct CcOptions {
    CcInput *inputs; // what is compiled; objects and libraries stand in `link`
    size_t input_count, input_capacity;
    const char *output, *keep_folder;
    const char *language;     // -x: of the inputs behind it; NULL: by their names
    TextList both;            // for the compiler, device and host
    TextList device, host;    // for one of the two
    TextList link;            // for the linker, in order
    const char *optimization; // -O...; NULL: none given
    unsigned arch;            // 70 for sm_70
    bool compile_only, ptx_only, device_debug, verbose, dry_run, no_rpath, help;
    bool standard_given; // -std=
    HdArena arena;       // texts that are made
} CcOptions;

// False and err where it cannot be done. Options that change nothing here are said on stderr once.
bool cc_options_parse(CcOptions *options, int argc, char **argv, HdError *err);
void cc_options_free(CcOptions *options);

// A text of the arena; NULL where memory is out.
const char *cc_format(CcOptions *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Is the file CUDA C by its name or by -x?
bool cc_is_cuda(const CcOptions *options, const char *path);

#endif
