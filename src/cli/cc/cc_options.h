// The command line of `heddle cc`: the options of nvcc that have a meaning here, and clang's
// options.
#ifndef HEDDLE_CLI_CC_CC_OPTIONS_H
#define HEDDLE_CLI_CC_CC_OPTIONS_H

#include "base/fail.h"
#include "base/memory.h"
#include "cli/common/text_list.h"

typedef struct CcInput {
    const char *path;
    size_t link_at; // index in `link` of an empty entry for its object
} CcInput;

typedef struct CcOptions {
    CcInput *inputs; // files to compile; objects and libraries are in `link`
    size_t input_count, input_capacity;
    const char *output, *keep_folder;
    const char *language;     // -x: of the inputs after it; NULL: by their names
    TextList both;            // words for both passes of the compiler
    TextList device, host;    // words for one pass
    TextList link;            // words for the linker, in order
    const char *missing;      // the first object or library that cannot be read; NULL: none
    const char *optimization; // -O...; NULL: not given
    unsigned arch;            // 70 for sm_70
    bool compile_only, ptx_only, device_debug, verbose, dry_run, no_rpath, help;
    bool relocatable;    // -rdc=true: device code may refer to other files'
    bool device_link;    // -dlink: only make the object that registers relocatable device code
    bool standard_given; // -std= was given
    HdArena arena;       // owns texts made by cc_format
} CcOptions;

// false and err on a mistake. Notes ignored options on stderr.
bool cc_options_parse(CcOptions *options, int argc, char **argv, HdError *err);
void cc_options_free(CcOptions *options);

// A text of the arena; NULL: out of memory.
const char *cc_format(CcOptions *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Is the file CUDA C, by its name or by -x?
bool cc_is_cuda(const CcOptions *options, const char *path);

#endif
