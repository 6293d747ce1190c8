// Fuzz targets of results: `diff` compares two (separated by the byte 1, else one with itself),
// `annotate` shows one with a source file, `kept` takes one for a variant of a comparison. A result
// with hashes gets those of its contents, because an input that was changed would have wrong ones,
// at which its reader stops.
#include "fuzz.h"

#include "cli/common/commands.h"
#include "cli/compare/comparison.h"
#include "cli/compare/search.h"
#include "cli/compare/variant_identity.h"
#include "cli/compare/variant_metrics.h"
#include "cli/results/result_file.h"
#include "report/result_hash.h"

#include <stdlib.h>
#include <string.h>

// The text, with the hashes of the contents where it is a result that has hashes. Owned by the
// caller; *size: its length.
static char *seal(const char *name, const uint8_t *bytes, size_t *size)
{
    char *text = fuzz_text(bytes, *size), *sealed = NULL;
    json_t *whole = json_read_text(name, text, *size, NULL);
    json_t *result = json_object_get(whole, "result");
    if (json_object_del(result, "counters_hash") == 0 && json_object_del(result, "hash") == 0) {
        sealed = result_file_text(whole);
        fuzz_check(sealed, "a text");
    }
    json_decref(whole);
    if (!sealed) return text;
    *size = strlen(sealed);
    free(text);
    return sealed;
}

// fuzz_name, with these hashes.
static void name_result(const char *name, const uint8_t *bytes, size_t size)
{
    char *text = seal(name, bytes, &size);
    fuzz_name(name, (const uint8_t *)text, size);
    free(text);
}

static void run_diff(const uint8_t *bytes, size_t size)
{
    const uint8_t *mark = size ? memchr(bytes, 1, size) : NULL;
    size_t first = mark ? (size_t)(mark - bytes) : size;
    name_result("a.json", bytes, first);
    if (mark) name_result("b.json", mark + 1, size - first - 1);
    char *words[] = {"diff", "a.json", mark ? "b.json" : "a.json", "--all", NULL};
    command_diff.run(4, words);
}

// The file that the result is said to be of: by the lines of its PTX, or of its source.
static void run_annotate(const uint8_t *bytes, size_t size)
{
    static const char source[] = ".visible .entry k(.param .u64 p) {\n    ld.param.u64 %rd1, [p];\n"
                                 "    ld.global.u32 %r1, [%rd1];\n    st.global.u32 [%rd1], %r1;\n"
                                 "    ret;\n}\n\n\n\n\n\n\n\n\n\n";
    bool ptx = size % 2;
    const char *name = ptx ? "k.ptx" : "k.cu";
    name_result("a.json", bytes, size);
    fuzz_name(name, (const uint8_t *)source, sizeof source - 1);
    char *words[] = {"annotate", "a.json", (char *)name, ptx ? "--launch=1" : NULL, NULL};
    command_annotate.run(ptx ? 4 : 3, words);
}

static void load_kept(const uint8_t *bytes, size_t size)
{
    HdError err = {0};
    // A shared object, of whose result nothing is known, where the input has mechanisms.
    static const char key[] = "\"mechanisms\"";
    bool some = memmem(bytes, size, key, sizeof key - 1);
    Job job = {.state = JOB_DONE};
    Variant variant = {.mechanisms = some ? "a/b" : "none", .job = &job};
    Variants variants = {.items = &variant, .count = 1,
                         .jobs = {.items = &job, .count = 1, .store = "kept.db"}};
    const json_t *result, *kernels;
    char *text = seal("kept.db", bytes, &size);
    variant.file = result_text_read("kept.db", text, size, &result, &kernels, &err);
    bool ok = variant.file &&
              variant_result_is_of(variant.mechanisms, result, "kept.db", &err);
    fuzz_check(ok != err.set, "a result, or a message");
    if (ok) {
        comparison_print(&variants);
        fuzz_check(metrics_write_csv(&variants, "/dev/null", &err), err.text);
        size_t one = 0;
        Search search = {.text = "a:b=1..2", .variants = &one, .count = 1};
        Searches searches = {&search, 1};
        fuzz_check(searches_print(&searches, &variants, &err) &&
                   searches_write_csv(&searches, &variants, "/dev/null", &err), err.text);
    }
    json_decref(variant.file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (strcmp(fuzz_target, "diff") == 0) run_diff(bytes, size);
    if (strcmp(fuzz_target, "annotate") == 0) run_annotate(bytes, size);
    if (strcmp(fuzz_target, "kept") == 0) load_kept(bytes, size);
    return 0;
}
