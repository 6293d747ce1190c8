// The process of a variant: its words, and its message if it fails.
#include "cli/compare/variant_process.h"

#include "base/file.h"
#include "cli/common/messages.h"
#include "cli/common/subprocess.h"
#include "cli/compare/variant_results.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- words ----

enum { MOST_WORDS = 256 };

typedef struct Words {
    const char *items[MOST_WORDS + 16]; // NULL-terminated
    size_t count;
} Words;

// `own`, NULL-terminated: what this process has beside the options of all variants.
static bool make_words(const Variants *variants, const Variant *variant, const char *const *own,
                       Words *words, HdError *err)
{
    *words = (Words){.items = {"/proc/self/exe", "run", "--mechanism", variant->mechanisms,
                               "--quiet"}, .count = 5};
    if (variants->run.count > MOST_WORDS) return hd_fail(err, "too many options");
    while (*own) words->items[words->count++] = *own++;
    if (variants->one_thread) words->items[words->count++] = "--threads=1";
    if (variants->optional) words->items[words->count++] = "--set";
    if (variants->optional) words->items[words->count++] = variants->optional;
    for (size_t i = 0; i < variants->run.count; i++)
        words->items[words->count++] = variants->run.items[i];
    return true;
}

// ---- messages ----

// The message of a failure: the first line that is neither a warning nor a note.
static const char *first_error(const char *text)
{
    static const char *const others[] = {"heddle: warning: ", "heddle: note: "};
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool error = *line;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            error &= strncmp(line, others[i], strlen(others[i])) != 0;
        if (error) return line + (strncmp(line, "heddle: ", 8) == 0 ? 8 : 0);
    }
    return NULL;
}

void variant_process_explain(const Variants *variants, Variant *variant, int status, int signal)
{
    char path[PATH_TEXT], how[256];
    size_t size;
    if (signal)
        snprintf(how, sizeof how, "ended by signal %d (%s)%s", signal, strsignal(signal),
                 signal == SIGKILL ? ", as when the host runs out of memory" : "");
    else
        snprintf(how, sizeof how, "exit status %d", status);
    snprintf(variant->why, sizeof variant->why, "%s", how);
    if (!variant_path(variants, variant->mechanisms, "err", path, NULL)) return;
    char *text = file_read(path, &size, NULL);
    const char *line = text ? first_error(text) : NULL;
    if (line)
        snprintf(variant->why, sizeof variant->why, "%s%s%.*s", signal ? how : "",
                 signal ? ": " : "", (int)strcspn(line, "\n"), line);
    free(text);
}

// ---- processes ----

bool variant_process_start(const Variants *variants, Variant *variant, HdError *err)
{
    Words words;
    char path[PATH_TEXT], messages[PATH_TEXT];
    const char *const own[] = {"--out", path, NULL};
    if (!variant_path(variants, variant->mechanisms, "json", path, err) ||
        !variant_path(variants, variant->mechanisms, "err", messages, err) ||
        !make_words(variants, variant, own, &words, err))
        return false;
    variant->process = subprocess_start(&(Subprocess){.words = words.items, .errors = messages,
                                                      .end_signal = SIGKILL});
    if (variant->process < 0) return hd_fail(err, "heddle cannot be run: %s", strerror(errno));
    variant->state = VARIANT_RUNNING;
    return true;
}

bool variant_process_check(const Variants *variants, Variant *variant, bool *possible,
                           HdError *err)
{
    Words words;
    char text[HD_ERROR_TEXT];
    static const char *const own[] = {"--check", NULL};
    if (!make_words(variants, variant, own, &words, err)) return false;
    int status = subprocess_messages(&(TextList){words.items, words.count}, text, sizeof text);
    if (status < 0) return hd_fail(err, "heddle cannot be run: %s", strerror(errno));
    const char *line = first_error(text);
    // A process that ends otherwise may be the fault of a mechanism, which the run will show.
    *possible = status != EXIT_INPUT || !line;
    if (!*possible)
        snprintf(variant->why, sizeof variant->why, "%.*s", (int)strcspn(line, "\n"), line);
    return true;
}
