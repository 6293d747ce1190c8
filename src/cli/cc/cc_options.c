// Reads the command line of `heddle cc`.
#include "cli/cc/cc_options.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Action {
    SET_OUTPUT,
    SET_COMPILE,
    SET_PTX,
    SET_KEEP,
    SET_KEEP_FOLDER,
    SET_VERBOSE,
    SET_DRY_RUN,
    SET_NO_RPATH,
    SET_LANGUAGE,
    SET_DEVICE_DEBUG,
    SET_DEVICE_COMPILE,
    SET_DEVICE_LINK,
    SET_HELP,
    FIRST_CODE, // from here on: options of code generation
    SET_ARCH = FIRST_CODE,
    SET_GENCODE,
    SET_RDC,
    SET_FAST_MATH,
    SET_FMAD,
    SET_FTZ,
    SET_PRECISE_DIV,
    SET_PRECISE_SQRT,
    SET_OPTIMIZATION,
    SET_STANDARD,
    SET_CUDART,
    FIRST_WORD, // from here on: words for a command
    TO_BOTH = FIRST_WORD,
    TO_HOST,
    TO_HOST_LIST, // -Xcompiler: a list with commas
    TO_LINK,
    TO_LINK_LIST,
    IGNORE_SILENTLY, // ignored without a note
    IGNORE_WITH_NOTE // ignored with a note
} Action;

// SEPARATE: "-a b" or "-a=b"; JOINED: "-ab" or "-a b".
typedef enum Value { NONE, SEPARATE, JOINED } Value;

static const struct {
    const char *name;
    Value value;
    Action action;
} known[] = {
    {"-o", JOINED, SET_OUTPUT},
    {"--output-file", SEPARATE, SET_OUTPUT},
    {"-c", NONE, SET_COMPILE},
    {"--compile", NONE, SET_COMPILE},
    {"-ptx", NONE, SET_PTX},
    {"--ptx", NONE, SET_PTX},
    {"-arch", SEPARATE, SET_ARCH},
    {"--gpu-architecture", SEPARATE, SET_ARCH},
    {"-gencode", SEPARATE, SET_GENCODE},
    {"--generate-code", SEPARATE, SET_GENCODE},
    {"-code", SEPARATE, IGNORE_SILENTLY},
    {"--gpu-code", SEPARATE, IGNORE_SILENTLY},
    {"-keep", NONE, SET_KEEP},
    {"--keep", NONE, SET_KEEP},
    {"-keep-dir", SEPARATE, SET_KEEP_FOLDER},
    {"--keep-dir", SEPARATE, SET_KEEP_FOLDER},
    {"-v", NONE, SET_VERBOSE},
    {"--verbose", NONE, SET_VERBOSE},
    {"-dryrun", NONE, SET_DRY_RUN},
    {"--dryrun", NONE, SET_DRY_RUN},
    {"--no-rpath", NONE, SET_NO_RPATH},
    {"-rdc", SEPARATE, SET_RDC},
    {"--relocatable-device-code", SEPARATE, SET_RDC},
    {"-dc", NONE, SET_DEVICE_COMPILE},
    {"--device-c", NONE, SET_DEVICE_COMPILE},
    {"-dlink", NONE, SET_DEVICE_LINK},
    {"--device-link", NONE, SET_DEVICE_LINK},
    {"-use_fast_math", NONE, SET_FAST_MATH},
    {"--use_fast_math", NONE, SET_FAST_MATH},
    {"-fmad", SEPARATE, SET_FMAD},
    {"--fmad", SEPARATE, SET_FMAD},
    {"-ftz", SEPARATE, SET_FTZ},
    {"--ftz", SEPARATE, SET_FTZ},
    {"-prec-div", SEPARATE, SET_PRECISE_DIV},
    {"--prec-div", SEPARATE, SET_PRECISE_DIV},
    {"-prec-sqrt", SEPARATE, SET_PRECISE_SQRT},
    {"--prec-sqrt", SEPARATE, SET_PRECISE_SQRT},
    {"-x", JOINED, SET_LANGUAGE},
    {"-G", NONE, SET_DEVICE_DEBUG},
    {"--device-debug", NONE, SET_DEVICE_DEBUG},
    {"--optimize", SEPARATE, SET_OPTIMIZATION},
    {"-std", SEPARATE, SET_STANDARD},
    {"--std", SEPARATE, SET_STANDARD},
    {"-cudart", SEPARATE, SET_CUDART},
    {"--cudart", SEPARATE, SET_CUDART},
    {"-h", NONE, SET_HELP},
    {"--help", NONE, SET_HELP},
    {"-I", JOINED, TO_BOTH},
    {"-D", JOINED, TO_BOTH},
    {"-U", JOINED, TO_BOTH},
    {"-include", SEPARATE, TO_BOTH},
    {"-isystem", SEPARATE, TO_BOTH},
    {"-MF", SEPARATE, TO_HOST},
    {"-MT", SEPARATE, TO_HOST},
    {"-MQ", SEPARATE, TO_HOST},
    {"-MD", NONE, TO_HOST},
    {"-MMD", NONE, TO_HOST},
    {"-MP", NONE, TO_HOST},
    {"-Xcompiler", SEPARATE, TO_HOST_LIST},
    {"--compiler-options", SEPARATE, TO_HOST_LIST},
    {"-Xlinker", SEPARATE, TO_LINK_LIST},
    {"--linker-options", SEPARATE, TO_LINK_LIST},
    {"-L", JOINED, TO_LINK},
    {"-l", JOINED, TO_LINK},
    {"-shared", NONE, TO_LINK},
    {"--shared", NONE, TO_LINK},
    {"-static", NONE, IGNORE_WITH_NOTE},
    {"-lineinfo", NONE, IGNORE_SILENTLY}, // lines are always there
    {"--generate-line-info", NONE, IGNORE_SILENTLY},
    {"-m64", NONE, IGNORE_SILENTLY},
    {"-expt-relaxed-constexpr", NONE, IGNORE_SILENTLY},
    {"--expt-relaxed-constexpr", NONE, IGNORE_SILENTLY},
    {"-extended-lambda", NONE, IGNORE_SILENTLY},
    {"--extended-lambda", NONE, IGNORE_SILENTLY},
    {"-expt-extended-lambda", NONE, IGNORE_SILENTLY},
    {"--expt-extended-lambda", NONE, IGNORE_SILENTLY},
    {"-Wno-deprecated-gpu-targets", NONE, IGNORE_SILENTLY},
    {"-t", SEPARATE, IGNORE_SILENTLY},
    {"--threads", SEPARATE, IGNORE_SILENTLY},
    {"-diag-suppress", SEPARATE, IGNORE_SILENTLY},
    {"--diag-suppress", SEPARATE, IGNORE_SILENTLY},
    {"-restrict", NONE, IGNORE_SILENTLY},
    {"--restrict", NONE, IGNORE_SILENTLY},
    {"-dopt", SEPARATE, IGNORE_SILENTLY},
    {"--dopt", SEPARATE, IGNORE_SILENTLY},
    {"-src-in-ptx", NONE, IGNORE_SILENTLY},
    {"--source-in-ptx", NONE, IGNORE_SILENTLY},
    {"-default-stream", SEPARATE,
     IGNORE_SILENTLY}, // kernels run in the order of the calls in either case
    {"--default-stream", SEPARATE, IGNORE_SILENTLY},
    {"-forward-unknown-to-host-compiler", NONE, IGNORE_SILENTLY},
    {"--forward-unknown-to-host-compiler", NONE, IGNORE_SILENTLY},
    {"-res-usage", NONE, IGNORE_WITH_NOTE},
    {"--resource-usage", NONE, IGNORE_WITH_NOTE},
    {"-ccbin", SEPARATE, IGNORE_WITH_NOTE},
    {"--compiler-bindir", SEPARATE, IGNORE_WITH_NOTE},
    {"-maxrregcount", SEPARATE, IGNORE_WITH_NOTE},
    {"--maxrregcount", SEPARATE, IGNORE_WITH_NOTE},
    {"-Xptxas", SEPARATE, IGNORE_WITH_NOTE},
    {"--ptxas-options", SEPARATE, IGNORE_WITH_NOTE},
    {"-Xcudafe", SEPARATE, IGNORE_WITH_NOTE},
    {"-Xnvlink", SEPARATE, IGNORE_WITH_NOTE},
    {"--nvlink-options", SEPARATE, IGNORE_WITH_NOTE},
};
enum { KNOWN = sizeof known / sizeof *known };

// The least capability that our headers compile for, and the default machine's.
enum { MIN_ARCH = 60, DEFAULT_ARCH = 70 };

const char *cc_format(CcOptions *options, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = number_format_list(NULL, 0, format, args);
    char *text = hd_arena_new(&options->arena, (size_t)length + 1);
    if (text) number_format_list(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

static bool put(TextList *list, const char *text, HdError *err)
{
    return (text && text_list_add(list, text)) || hd_fail_memory(err, "reading the command line");
}

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcmp(path + length - tail, end) == 0;
}

bool cc_is_cuda(const CcOptions *options, const char *path)
{
    if (options->language)
        return strcmp(options->language, "cu") == 0 || strcmp(options->language, "cuda") == 0;
    return ends_with(path, ".cu");
}

// ---- values ----

// Adds the words of `text` between commas and blanks to the list, each after the word `before`.
static bool put_parts(CcOptions *options, TextList *list, const char *before, const char *text,
                      HdError *err)
{
    while (*text) {
        size_t length = strcspn(text, ", ");
        if (length && before && !put(list, before, err)) return false;
        if (length && !put(list, cc_format(options, "%.*s", (int)length, text), err)) return false;
        text += length + (text[length] != 0);
    }
    return true;
}

// "sm_70", "compute_70", "70": the highest given one counts.
static bool take_arch(CcOptions *options, const char *text, HdError *err)
{
    if (strcmp(text, "native") == 0 || strncmp(text, "all", 3) == 0) return true;
    const char *underscore = strchr(text, '_');
    const char *digits = underscore ? underscore + 1 : text;
    unsigned arch = 0;
    for (; *digits >= '0' && *digits <= '9' && arch < 1000; digits++)
        arch = 10 * arch + (unsigned)(*digits - '0');
    if (!arch || (*digits && strcmp(digits, "a") != 0 && strcmp(digits, "f") != 0))
        return hd_fail(err, "-arch '%s': expected an architecture such as sm_70 or compute_70",
                       text);
    if (arch < MIN_ARCH) {
        fprintf(stderr, "heddle: note: %s: compiled for sm_%d, the least supported one\n", text,
                MIN_ARCH);
        arch = MIN_ARCH;
    }
    if (arch > options->arch) options->arch = arch;
    return true;
}

// "arch=compute_70,code=sm_70".
static bool take_gencode(CcOptions *options, const char *text, HdError *err)
{
    const char *arch = strstr(text, "arch=");
    if (!arch) return hd_fail(err, "-gencode '%s': expected arch=compute_70,code=sm_70", text);
    arch += strlen("arch=");
    const char *name = cc_format(options, "%.*s", (int)strcspn(arch, ","), arch);
    return name ? take_arch(options, name, err) : hd_fail_memory(err, "reading the command line");
}

static bool take_switch(CcOptions *options, bool on, const char *when_on, const char *when_off,
                        HdError *err)
{
    const char *text = on ? when_on : when_off;
    if (!text) return true;
    for (size_t i = 0; i < options->device.count; i++) // clang takes some of them only once
        if (!strcmp(options->device.items[i], text)) return true;
    return (strncmp(text, "-nvptx", 6) != 0 || put(&options->device, "-mllvm", err)) &&
           put(&options->device, text, err);
}

// -I of the toolkit's headers, as in many Makefiles, becomes -isystem: they are searched after
// Heddle's, which replace most of them.
static const char *include_word(CcOptions *options, const char *name, const char *folder)
{
    if (strcmp(name, "-I") != 0) return name;
    const char *header = cc_format(options, "%s/cuda_runtime_api.h", folder);
    return header && access(header, F_OK) == 0 ? "-isystem" : name;
}

// Options that become words of the compiler's or linker's command. `name` is the table's.
static bool take_word(CcOptions *options, Action action, const char *name, const char *value,
                      HdError *err)
{
    // Libraries that are part of the runtime, or that a program of the runtime API does not need.
    static const char *const needless[] = {"cudart", "cudart_static", "cudadevrt", "cuda", NULL};
    switch (action) {
    case TO_BOTH:
        return put(&options->both, include_word(options, name, value), err) &&
               put(&options->both, value, err);
    case TO_HOST:
        return put(&options->host, name, err) && (!value || put(&options->host, value, err));
    case TO_HOST_LIST:
        return put_parts(options, &options->host, NULL, value, err);
    case TO_LINK:
        if (value && strcmp(name, "-l") == 0 && hd_is_among(value, needless)) return true;
        return put(&options->link, value ? cc_format(options, "%s%s", name, value) : "-shared",
                   err);
    case TO_LINK_LIST:
        return put_parts(options, &options->link, "-Xlinker", value, err);
    case IGNORE_WITH_NOTE:
        fprintf(stderr, "heddle: note: %s%s%s has no effect here\n", name, value ? " " : "",
                value ? value : "");
        return true;
    default: // IGNORE_SILENTLY
        return true;
    }
}

static bool read_on(const char *name, const char *value, bool *on, HdError *err)
{
    *on = !strcmp(value, "true") || !strcmp(value, "1");
    return *on || !strcmp(value, "false") || !strcmp(value, "0") ||
           hd_fail(err, "%s=%s: expected %s=true or %s=false", name, value, name, name);
}

// Options of code generation.
static bool take_code(CcOptions *options, Action action, const char *name, const char *value,
                      HdError *err)
{
    bool on = false, is_switch = action == SET_RDC || action == SET_FMAD || action == SET_FTZ ||
                                 action == SET_PRECISE_DIV || action == SET_PRECISE_SQRT;
    if (is_switch && !read_on(name, value, &on, err)) return false;
    switch (action) {
    case SET_ARCH:
        return take_arch(options, value, err);
    case SET_GENCODE:
        return take_gencode(options, value, err);
    case SET_RDC:
        options->relocatable = on;
        return true;
    case SET_FAST_MATH:
        return take_switch(options, true, "-fcuda-approx-transcendentals", NULL, err) &&
               take_switch(options, true, "-fcuda-flush-denormals-to-zero", NULL, err) &&
               take_switch(options, true, "-nvptx-prec-divf32=0", NULL, err) &&
               take_switch(options, true, "-nvptx-prec-sqrtf32=0", NULL, err);
    case SET_FMAD:
        return take_switch(options, on, NULL, "-ffp-contract=off", err);
    case SET_FTZ:
        return take_switch(options, on, "-fcuda-flush-denormals-to-zero", NULL, err);
    case SET_PRECISE_DIV:
        return take_switch(options, on, NULL, "-nvptx-prec-divf32=0", err);
    case SET_PRECISE_SQRT:
        return take_switch(options, on, NULL, "-nvptx-prec-sqrtf32=0", err);
    case SET_OPTIMIZATION:
        options->optimization = cc_format(options, "-O%s", value);
        return options->optimization || hd_fail_memory(err, "reading the command line");
    case SET_STANDARD:
        options->standard_given = true;
        return put(&options->both, cc_format(options, "-std=%s", value), err);
    default: // SET_CUDART
        if (strcmp(value, "shared") != 0)
            fprintf(stderr, "heddle: note: -cudart=%s: the runtime is always a shared library\n",
                    value);
        return true;
    }
}

// Takes one option with its value (NULL: none). `name` is the table's.
static bool take(CcOptions *options, Action action, const char *name, const char *value,
                 HdError *err)
{
    if (action >= FIRST_WORD) return take_word(options, action, name, value, err);
    if (action >= FIRST_CODE) return take_code(options, action, name, value, err);
    options->compile_only |= action == SET_COMPILE || action == SET_DEVICE_COMPILE;
    options->relocatable |= action == SET_DEVICE_COMPILE || action == SET_DEVICE_LINK;
    options->device_link |= action == SET_DEVICE_LINK;
    options->ptx_only |= action == SET_PTX;
    options->verbose |= action == SET_VERBOSE || action == SET_DRY_RUN;
    options->dry_run |= action == SET_DRY_RUN;
    options->no_rpath |= action == SET_NO_RPATH;
    options->device_debug |= action == SET_DEVICE_DEBUG;
    options->help |= action == SET_HELP;
    if (action == SET_OUTPUT) options->output = value;
    if (action == SET_LANGUAGE) options->language = value;
    if (action == SET_KEEP) options->keep_folder = ".";
    if (action == SET_KEEP_FOLDER) options->keep_folder = value;
    return true;
}

// ---- words ----

// Does the word begin with this option? Then *value is the value joined to it, or NULL.
static bool matches(const char *word, const char *name, Value kind, const char **value)
{
    size_t length = strlen(name);
    *value = NULL;
    if (strncmp(word, name, length) != 0) return false;
    if (!word[length]) return true;
    *value = word + length + (kind == SEPARATE);
    return kind == JOINED || (kind == SEPARATE && word[length] == '=');
}

// The option's index in the table, or -1; *value is the value joined to it, or NULL.
static int find_option(const char *word, const char **value)
{
    const char *joined;
    int best = -1; // the longest name wins: -lineinfo is not -l
    for (int i = 0; i < KNOWN; i++) {
        if (!matches(word, known[i].name, known[i].value, &joined)) continue;
        if (best >= 0 && strlen(known[best].name) >= strlen(known[i].name)) continue;
        best = i;
        *value = joined;
    }
    return best;
}

static bool take_option(CcOptions *options, char **argv, int argc, int *at, HdError *err)
{
    const char *word = argv[*at], *best_value = NULL;
    int best = find_option(word, &best_value);
    if (best < 0 && word[1] != '-') { // nvcc takes long names with one dash, too
        const char *dashed = cc_format(options, "-%s", word);
        if (dashed) best = find_option(dashed, &best_value);
    }
    if (best >= 0) {
        if (known[best].value != NONE && !best_value) {
            if (*at + 1 == argc)
                return hd_fail(err, "%s needs a value (see heddle cc --help)", word);
            best_value = argv[++*at];
        }
        return take(options, known[best].action, known[best].name, best_value, err);
    }
    if (strncmp(word, "-O", 2) == 0) {
        options->optimization = word[2] ? word : "-O2";
        return true;
    }
    if (strncmp(word, "-Wl,", 4) == 0 || strcmp(word, "-pthread") == 0)
        return put(&options->link, word, err) && (word[1] == 'W' || put(&options->host, word, err));
    if (strcmp(word, "-g") == 0 || strncmp(word, "-fopenmp", 8) == 0 || strcmp(word, "-pg") == 0)
        return put(&options->host, word, err);
    return put(&options->both, word, err); // clang's own, such as -Wall or -fno-exceptions
}

// An input that is compiled, or an object, an archive or a library.
static bool take_file(CcOptions *options, const char *path, HdError *err)
{
    if (!options->language && (ends_with(path, ".o") || ends_with(path, ".a") ||
                               ends_with(path, ".so") || strstr(path, ".so."))) {
        if (!options->missing && access(path, R_OK) != 0) options->missing = path;
        return put(&options->link, path, err);
    }
    CcInput input = {.path = path, .link_at = options->link.count};
    if (!HD_PUSH(options->inputs, options->input_count, options->input_capacity, input))
        return hd_fail_memory(err, "reading the command line");
    return put(&options->link, "", err);
}

bool cc_options_parse(CcOptions *options, int argc, char **argv, HdError *err)
{
    for (int i = 1; i < argc; i++) {
        bool ok = argv[i][0] == '-' && argv[i][1] ? take_option(options, argv, argc, &i, err)
                                                  : take_file(options, argv[i], err);
        if (!ok) return false;
    }
    if (!options->arch) options->arch = DEFAULT_ARCH;
    if (options->help) return true;
    if (!options->input_count && (!options->link.count || options->compile_only))
        return hd_fail(err, "nothing to compile: expected a .cu file (see heddle cc --help)");
    bool links = !options->compile_only && !options->ptx_only && !options->dry_run;
    if (options->missing && links)
        return hd_fail(err, "%s: cannot be read: expected an object or a library",
                       options->missing);
    if (options->output && options->input_count > 1 && (options->compile_only || options->ptx_only))
        return hd_fail(err,
                       "-o %s: with -c or --ptx each file has its own result; expected no -o",
                       options->output);
    for (size_t i = 0; options->ptx_only && i < options->input_count; i++)
        if (!cc_is_cuda(options, options->inputs[i].path))
            return hd_fail(err, "--ptx %s: expected a .cu file", options->inputs[i].path);
    return true;
}

void cc_options_free(CcOptions *options)
{
    free(options->inputs);
    text_list_free(&options->both);
    text_list_free(&options->device);
    text_list_free(&options->host);
    text_list_free(&options->link);
    hd_arena_free(&options->arena);
}
