// Fuzz target `script`: reads a script and runs it. The first byte chooses the mechanism.
#include "fuzz.h"

#include "base/text.h"
#include "harness/harness.h"
#include "mechanisms/mechanism_registry.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COMMANDS = 2000, MAX_DIGITS = 3 };

// Whether the cache is a small one: making another takes longer than all else. The parameters of a
// cache have a target of their own.
static bool is_small(const Script *script)
{
    for (size_t i = 0; script->count && i < script->commands[0].operand_count; i++) {
        if (script->commands[0].kind != SCRIPT_CACHE) return true;
        const char *text = script->commands[0].operands[i].word.text;
        if (strpbrk(text, "MG")) return false;
        for (unsigned digits = 0; *text; text++) {
            digits = text_is_digit(*text) ? digits + 1 : 0;
            if (digits > MAX_DIGITS) return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) return -1;
    size_t count = 0;
    while (mechanisms[count]) count++;
    size_t chosen = bytes[0] % (count + 1);
    char *text = fuzz_text(bytes + 1, size - 1);
    HdError err = {0};
    Script script;
    bool ok = script_read(&script, "script", text, size - 1, &err);
    fuzz_check(ok != err.set, "a script, or a message");
    free(text);
    if (ok && is_small(&script)) {
        HarnessOptions options = {.mechanisms = chosen ? mechanisms[chosen - 1]->name : "none",
                                  .commands = MAX_COMMANDS};
        HarnessResult result = harness_run(&script, &options, &err);
        fuzz_check((result == HARNESS_MET) != err.set, "a run, or a message");
    }
    script_free(&script);
    return 0;
}
