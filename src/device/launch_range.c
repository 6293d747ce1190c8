// Reads a range of launches.
#include "device/launch_range.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Reads a number from 1 on; returns the text behind it. NULL: there is no such number.
static const char *read_launch(const char *text, uint64_t *launch)
{
    char *end;
    errno = 0;
    *launch = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *launch && !errno ? end : NULL;
}

bool launch_range_parse(const char *text, uint64_t *first, uint64_t *last, HdError *err)
{
    const char *rest = read_launch(text, first);
    *last = *first;
    if (rest && !strncmp(rest, "..", 2)) rest = read_launch(rest + 2, last);
    if (!rest || *rest)
        return hd_fail(err, "'%s': expected A..B or A, numbers of launches from 1 on", text);
    return *first <= *last ||
           hd_fail(err, "%s is empty: expected %" PRIu64 "..%" PRIu64, text, *last, *first);
}
