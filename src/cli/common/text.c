// Messages, lists of texts, and numbers.
#include "cli/common/text.h"

#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_fail(const HdError *err)
{
    fflush(stdout);
    fprintf(stderr, "heddle: %s\n", err->text);
    return EXIT_INPUT;
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_GOOD;
    fprintf(stderr, "heddle: the output could not be written: %s\n", strerror(errno));
    return EXIT_INPUT;
}

enum { MOST_OPTIONS = 64 };

bool cli_bad_option(int c, char **argv, const struct option *options, const char *command,
                    HdError *err)
{
    const char *word = argv[optind - 1], *equals = strchr(word, '=');
    if (c == ':') return hd_fail(err, "%s needs a value (see heddle %s --help)", word, command);
    for (int i = 0; equals && options[i].name; i++)
        if (options[i].val == optopt && !options[i].has_arg && word[1] == '-' &&
            strncmp(word + 2, options[i].name, (size_t)(equals - word - 2)) == 0)
            return hd_fail(err, "--%s takes no value (see heddle %s --help)", options[i].name,
                           command);
    if (optopt && optopt < 128) {
        char letter[] = {'-', (char)optopt, 0};
        return hd_fail(err, "unknown option %s (see heddle %s --help)", letter, command);
    }
    const char *names[MOST_OPTIONS];
    int count = 0;
    for (; options[count].name && count < MOST_OPTIONS; count++) names[count] = options[count].name;
    const char *near = hd_nearest(word + strspn(word, "-"), names, count);
    return hd_fail(err, "unknown option %s%s%s (see heddle %s --help)", word,
                   near ? ", perhaps --" : "", near ? near : "", command);
}

bool text_list_add(TextList *list, const char *text)
{
    const char **grown = realloc(list->items, (list->count + 2) * sizeof *grown);
    if (!grown) return false;
    list->items = grown;
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
    return true;
}

void text_list_free(TextList *list)
{
    free(list->items);
    *list = (TextList){0};
}

bool parse_number(const char *text, const char *what, uint64_t low, uint64_t high, uint64_t *value,
                  HdError *err)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    bool digits = *text >= '0' && *text <= '9' && !*end;
    if (digits && errno == 0 && number >= low && number <= high) {
        *value = number;
        return true;
    }
    if (high == UINT64_MAX)
        return hd_fail(err, "%s: '%s' is not a whole number of at least %" PRIu64, what, text, low);
    return hd_fail(err, "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, what, text,
                   low, high);
}

bool parse_bytes(const char *text, const char *what, uint64_t *bytes, HdError *err)
{
    static const struct {
        const char *unit;
        unsigned shift;
    } units[] = {
        {"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30},
    };
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    bool digits = *text >= '0' && *text <= '9' && errno == 0 && number > 0;
    for (size_t i = 0; digits && i < sizeof units / sizeof *units; i++) {
        if (strcmp(end, units[i].unit) != 0 || number >> (64 - 1 - units[i].shift)) continue;
        *bytes = (uint64_t)number << units[i].shift;
        return true;
    }
    return hd_fail(err, "%s: '%s' is no size; write it as 4096, 64KiB, 1MiB or 2GiB", what, text);
}

bool parse_shape(const char *text, const char *what, uint32_t shape[3], HdError *err)
{
    const char *rest = text;
    for (int i = 0; i < 3; i++) shape[i] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(rest, &end, 10);
        if (*rest < '0' || *rest > '9' || errno || number == 0 || number > INT32_MAX) break;
        shape[i] = (uint32_t)number;
        if (!*end) return true;
        if (*end != ',') break;
        rest = end + 1;
    }
    return hd_fail(err,
                   "%s: '%s' is no shape; write it as 128 or 16,16 or 8,8,4, each number from 1 "
                   "to 2147483647",
                   what, text);
}

bool check_writable(const char *path, const char *what, HdError *err)
{
    if (!*path) return hd_fail(err, "%s: a file name is needed", what);
    return file_check_writable(path, err);
}
