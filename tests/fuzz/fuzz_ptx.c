// Fuzz targets of PTX: `ptx` loads a text and runs its kernels on a small machine, under limits;
// `ptx-link` parses and links two texts. The last byte of the input is its options.
#include "fuzz.h"
#include "fuzz_gpu.h"

#include <stdlib.h>
#include <string.h>

enum { BODY = 128 }; // option: the text is the body of a kernel

static void run_text(const char *text, unsigned options)
{
    HdError err = {0};
    PtxModule *module = ptx_parse_with(text, "input.ptx", fuzz_ptx_options(options), &err);
    fuzz_check(!module == err.set, "a module, or a message");
    if (module) fuzz_run(module, options, true);
}

// The texts are separated by the byte 1.
static void link_texts(char *text, unsigned options)
{
    char *second = strchr(text, 1);
    if (second) *second++ = 0;
    PtxText texts[] = {{text, "a.ptx"}, {second, "b.ptx"}};
    PtxOptions ptx = {.lenient = options & FUZZ_LENIENT, .contract = options & FUZZ_CONTRACT};
    HdError err = {0};
    PtxModule *module = ptx_link(texts, second ? 2 : 1, "input.ptx", ptx, &err);
    fuzz_check(!module == err.set, "a module, or a message");
    ptx_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) return 0;
    unsigned options = bytes[size - 1];
    char *text = fuzz_text(bytes, size - 1);
    if (options & BODY) {
        char *body = text;
        text = fuzz_kernel(body);
        free(body);
    }
    if (strcmp(fuzz_target, "ptx") == 0)
        run_text(text, options);
    else
        link_texts(text, options);
    free(text);
    return 0;
}
