// clang compiles a .cu file twice, without a toolkit: the device code to PTX, which becomes a fat
// binary in our layout, and the host code with that binary embedded. For launches and registration
// clang emits calls of the CUDA runtime, so the program links to libcudart.so.13.
#include "cli/cc/cc_build.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "base/temporary_folder.h"
#include "cli/cc/cc_device_link.h"
#include "cli/cc/cc_launches.h"
#include "cli/cc/cc_static_names.h"
#include "cli/cc/fatbin_write.h"
#include "cli/common/data_directories.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_CLANG = 14 };

typedef struct Build {
    CcOptions *options;
    const char *clang, *headers, *runtime; // the program, and folders
    int version;                           // of clang
    TemporaryFolder folder;                // of intermediate files
    const char *overlay;                   // of the file being compiled, or NULL
    char unique[HASH_TEXT]; // names the file being compiled and its options, in relocatable code
    TextList words;                        // of the next command
    bool failed;                           // a word could not be added
    int status;
    HdError *err;
} Build;

// ---- commands ----

static void word(Build *build, const char *text)
{
    if (!text || !text_list_add(&build->words, text)) build->failed = true;
}

static void words(Build *build, const TextList *list)
{
    for (size_t i = 0; i < list->count; i++) word(build, list->items[i]);
}

// `texts` ends with NULL.
static void fixed_words(Build *build, const char *const *texts)
{
    for (; *texts; texts++) word(build, *texts);
}

// Runs the command in build->words. false: it failed, with its status in build->status or a message
// in build->err.
static bool run(Build *build)
{
    bool ok = !build->failed || hd_fail_memory(build->err, "putting a command together");
    if (ok && build->options->verbose) {
        for (size_t i = 0; i < build->words.count; i++)
            fprintf(stderr, "%s%s", i ? " " : "+ ", build->words.items[i]);
        fputc('\n', stderr);
    }
    if (ok && !build->options->dry_run)
        ok = subprocess_run(build->words.items, &build->status, build->err) && build->status == 0;
    text_list_free(&build->words);
    build->failed = false;
    return ok;
}

// ---- compiler, headers, runtime ----

// The version of a clang; 0: it does not run.
static int clang_version(const char *program)
{
    TextList list = {0};
    char text[64] = "";
    bool ok = text_list_add(&list, program) && text_list_add(&list, "-dumpversion") &&
              subprocess_output(list.items, text, sizeof text);
    text_list_free(&list);
    return ok ? atoi(text) : 0;
}

static bool find_clang(Build *build)
{
    static const char *const names[] = {"clang",    "clang-19", "clang-18", "clang-17",
                                        "clang-16", "clang-15", "clang-14"};
    const char *given = getenv("HEDDLE_CLANG");
    int version = 0;
    if (given && *given) {
        version = clang_version(build->clang = given);
        if (!version) return hd_fail(build->err, "HEDDLE_CLANG=%s does not run as a clang", given);
    }
    for (size_t i = 0; version < MIN_CLANG && i < sizeof names / sizeof *names; i++) {
        if (given && *given) break;
        int found = clang_version(names[i]);
        if (found <= version) continue;
        build->clang = names[i];
        version = found;
    }
    if (!version)
        return hd_fail(build->err, "heddle cc needs clang, which is not installed: install it "
                                   "(apt-get install clang) or name it in HEDDLE_CLANG");
    build->version = version;
    return version >= MIN_CLANG ||
           hd_fail(build->err, "%s is clang %d; heddle cc needs %d or newer", build->clang, version,
                   MIN_CLANG);
}

static bool find_folders(Build *build)
{
    Directories directories;
    cuda_directories(&directories);
    for (size_t i = 0; directories.paths[i] && !build->headers; i++) {
        const char *path = cc_format(build->options, "%s/cuda_runtime.h", directories.paths[i]);
        if (path && access(path, R_OK) == 0)
            build->headers = cc_format(build->options, "%s", directories.paths[i]);
    }
    if (!build->headers)
        return hd_fail(build->err, "Heddle's CUDA headers are not found: expected "
                                   "HEDDLE_CUDA_INCLUDE to name their folder");
    const CcOptions *options = build->options;
    if (options->compile_only || options->ptx_only || options->device_link) return true;
    char path[DIRECTORY_TEXT];
    if (!runtime_directory(path))
        return hd_fail(build->err, "Heddle's libcudart.so.13 is not found (ninja builds it in "
                                   "build/cudart): expected HEDDLE_CUDART to name its folder");
    build->runtime = cc_format(build->options, "%s", path);
    return build->runtime || hd_fail_memory(build->err, "looking for the runtime");
}

// ---- intermediate files ----

// The name of a file's result: `path` without its folder and ending, with `ending`, in `folder`
// (NULL: where the command is run).
static const char *result_name(Build *build, const char *folder, const char *path,
                               const char *ending)
{
    const char *name = strrchr(path, '/'), *dot;
    name = name ? name + 1 : path;
    dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return cc_format(build->options, "%s%s%.*s%s", folder ? folder : "", folder ? "/" : "", length,
                     name, ending);
}

// NULL: out of memory.
static const char *made_name(Build *build, const char *name)
{
    if (!name) build->failed = true;
    return name ? name : "";
}

// An intermediate file: removed at the end, or left by --keep.
static const char *between(Build *build, size_t input, const char *ending, bool kept)
{
    const CcOptions *options = build->options;
    const char *path = options->inputs[input].path;
    if (kept && options->keep_folder) return result_name(build, options->keep_folder, path, ending);
    // Files of two folders may have the same name.
    const char *numbered = cc_format(build->options, "-%zu%s", input, ending);
    return made_name(build, numbered ? result_name(build, build->folder.path, path, numbered)
                                     : NULL);
}

// A file whose launches clang cannot parse is compiled from a copy, under its own name: *path
// becomes its absolute path, and a file-system overlay for clang puts the copy there.
static bool join_launches(Build *build, size_t input, const char **path)
{
    build->overlay = NULL;
    size_t size;
    char *text = file_read(*path, &size, build->err);
    if (!text) return false;
    bool ok = true;
    char folder[PATH_MAX] = "";
    if (**path != '/' && !getcwd(folder, sizeof folder)) folder[0] = 0;
    const char *whole =
        cc_format(build->options, "%s%s%s", folder, folder[0] ? "/" : "", *path);
    // A name that JSON would have to escape is left to clang as it is.
    if (whole && !strpbrk(whole, "\"\\") && cc_launches_join(text)) {
        const char *copy = between(build, input, "-joined.cu", false);
        const char *overlay = between(build, input, ".yaml", false);
        const char *entry = cc_format(build->options,
                                      "{\"version\": 0, \"use-external-names\": false, \"roots\": "
                                      "[{\"type\": \"file\", \"name\": \"%s\", "
                                      "\"external-contents\": \"%s\"}]}\n", whole, copy);
        *path = whole;
        build->overlay = overlay;
        ok = entry && !build->failed ? file_write(copy, text, size, build->err) &&
                                                    file_write(overlay, entry, strlen(entry),
                                                               build->err)
                                              : hd_fail_memory(build->err, "reading a source file");
    }
    free(text);
    return ok;
}

// ---- the passes ----

static uint64_t hash_words(uint64_t hash, const TextList *list)
{
    for (size_t i = 0; i < list->count; i++)
        hash = hash_bytes(hash, list->items[i], strlen(list->items[i]) + 1);
    return hash;
}

// A program may have the same file twice, compiled with different options.
static void name_module(Build *build, const char *path)
{
    const CcOptions *options = build->options;
    char *whole = realpath(path, NULL);
    uint64_t hash = hash_bytes(HASH_START, whole ? whole : path, strlen(whole ? whole : path));
    free(whole);
    hash = hash_words(hash_words(hash, &options->both), &options->host);
    hash_text(hash_words(hash, &options->device), build->unique);
}

// Static kernels and variables get names that the host pass can give, too, and no other file has.
// clang's driver would pass such a suffix (-cuid) to the device pass only.
static void relocatable_words(Build *build)
{
    fixed_words(build, (const char *const[]){"-fgpu-rdc", "-D__CUDACC_RDC__", "-fuse-cuid=none",
                                             "-Xclang", NULL});
    word(build, cc_format(build->options, "-cuid=%s", build->unique));
    if (build->version > 15) word(build, "--no-offload-new-driver"); // another registration
}

// The words that both passes over a .cu file share.
static void cuda_words(Build *build)
{
    static const char *const of_cuda[] = {
        "-x", "cuda", "-nocudainc", "-nocudalib", "-fdeclspec", "-Wno-unknown-cuda-version",
        // As of a toolkit whose launches go through __cudaPushCallConfiguration.
        "-Xclang", "-target-sdk-version=11.0", "-include", "cuda_runtime.h", NULL};
    word(build, build->clang);
    fixed_words(build, of_cuda);
    word(build, cc_format(build->options, "--cuda-gpu-arch=sm_%u", build->options->arch));
    word(build, "-isystem");
    word(build, build->headers);
    if (!build->options->standard_given) word(build, "-std=gnu++17");
    if (build->options->relocatable) relocatable_words(build);
    words(build, &build->options->both);
    if (!build->overlay) return;
    fixed_words(build, (const char *const[]){"-Xclang", "-ivfsoverlay", "-Xclang", NULL});
    word(build, build->overlay);
}

static bool compile_device(Build *build, const char *path, const char *ptx)
{
    // The host pass reads the same text and gives the warnings.
    static const char *const of_device[] = {"--cuda-device-only", "-S", "-w", "-gline-tables-only",
                                            NULL};
    CcOptions *options = build->options;
    cuda_words(build);
    fixed_words(build, of_device);
    word(build, "-Xclang");
    word(build, "-target-feature");
    word(build, "-Xclang");
    word(build, options->arch > 86 ? "+ptx78" : "+ptx75");
    // A value that only some threads have set may be passed to a function, such as a shuffle.
    word(build, "-Xclang");
    word(build, build->version > 14 ? "-no-enable-noundef-analysis" : "-disable-noundef-analysis");
    word(build, options->device_debug ? "-O0" : "-O3");
    words(build, &options->device);
    word(build, path);
    word(build, "-o");
    word(build, ptx);
    return run(build) && (!options->relocatable || options->dry_run ||
                          cc_static_names_join(ptx, build->err));
}

static bool compile_host(Build *build, const char *path, const char *binary, const char *object)
{
    CcOptions *options = build->options;
    if (binary) {
        cuda_words(build);
        word(build, "--cuda-host-only");
        word(build, "-Xclang");
        word(build, "-fcuda-include-gpubinary");
        word(build, "-Xclang");
        word(build, binary);
    } else {
        word(build, build->clang);
        word(build, "-isystem");
        word(build, build->headers);
        words(build, &options->both);
    }
    word(build, options->optimization ? options->optimization : "-O2");
    // Allocations are named by their source lines, which these tables give.
    word(build, "-gline-tables-only");
    word(build, "-gdwarf-aranges");
    words(build, &options->host);
    word(build, "-c");
    word(build, path);
    word(build, "-o");
    word(build, object);
    return run(build);
}

// One input to an object file, or to PTX only. *object is the object's name.
static bool compile(Build *build, size_t input, const char **object)
{
    CcOptions *options = build->options;
    const char *path = options->inputs[input].path, *binary = NULL;
    if (access(path, R_OK) != 0) return hd_fail(build->err, "%s: %s", path, strerror(errno));
    if (cc_is_cuda(options, path)) {
        name_module(build, path);
        if (!join_launches(build, input, &path)) return false;
        const char *ptx = between(build, input, ".ptx", true);
        if (options->ptx_only)
            ptx = options->output ? options->output : result_name(build, NULL, path, ".ptx");
        if (!compile_device(build, path, ptx)) return false;
        if (options->ptx_only) return true;
        binary = between(build, input, ".fatbin", true);
        if (!options->dry_run && !fatbin_write(binary, ptx, options->arch, build->err))
            return false;
    }
    if (!options->compile_only)
        *object = between(build, input, ".o", false);
    else
        *object = options->output ? options->output : result_name(build, NULL, path, ".o");
    if (!compile_host(build, path, binary, *object)) return false;
    return !binary || !options->relocatable || options->dry_run ||
           cc_module_rename(options, *object, build->unique, build->err);
}

// Compiles the object that registers the modules with relocatable device code among the linker's
// inputs. *object: its name, or NULL if it is not needed.
static bool link_device(Build *build, const char **object)
{
    CcOptions *options = build->options;
    TextList modules = {0};
    *object = options->device_link ? options->output ? options->output : "a_dlink.o" : NULL;
    bool ok = options->dry_run || cc_modules_find(options, &modules, build->err);
    if (ok && !*object && (modules.count || (options->dry_run && options->relocatable)))
        *object = made_name(build, cc_format(options, "%s/device-link.o", build->folder.path));
    if (ok && *object) {
        const char *source =
            made_name(build, cc_format(options, "%s/device-link.c", build->folder.path));
        const char *text = cc_modules_source(options, &modules);
        ok = (text && !build->failed) || hd_fail_memory(build->err, "linking device code");
        ok = ok && (options->dry_run || file_write(source, text, strlen(text), build->err));
        if (ok) {
            word(build, build->clang);
            fixed_words(build, (const char *const[]){"-x", "c", "-O2", "-fPIC", "-c", NULL});
            word(build, source);
            word(build, "-o");
            word(build, *object);
            ok = run(build);
        }
    }
    text_list_free(&modules);
    return ok;
}

static bool link_program(Build *build)
{
    CcOptions *options = build->options;
    const char *registering;
    if (!link_device(build, &registering)) return false;
    word(build, build->clang);
    word(build, "--driver-mode=g++");
    for (size_t i = 0; i < options->host.count; i++) // such as -fopenmp
        if (options->host.items[i][0] == '-' && options->host.items[i][1] != 'M')
            word(build, options->host.items[i]);
    if (registering) word(build, registering);
    words(build, &options->link);
    word(build, cc_format(options, "-L%s", build->runtime));
    word(build, "-l:libcudart.so.13");
    if (!options->no_rpath) word(build, cc_format(options, "-Wl,-rpath,%s", build->runtime));
    word(build, "-o");
    word(build, options->output ? options->output : "a.out");
    return run(build);
}

bool cc_build(CcOptions *options, int *status, HdError *err)
{
    Build build = {.options = options, .err = err};
    bool ok = find_clang(&build) && find_folders(&build) &&
              temporary_folder_make(&build.folder, "heddle-cc-", err);
    for (size_t i = 0; ok && i < options->input_count; i++) {
        const char *object = "";
        ok = compile(&build, i, &object);
        options->link.items[options->inputs[i].link_at] = object;
    }
    const char *object;
    if (ok && !options->compile_only && !options->ptx_only)
        ok = options->device_link ? link_device(&build, &object) : link_program(&build);
    temporary_folder_remove(&build.folder);
    text_list_free(&build.words);
    *status = build.status;
    return ok || build.status != 0;
}
