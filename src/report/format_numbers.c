// Numbers as text.
#include "report/format_numbers.h"

#include <inttypes.h>
#include <stdio.h>

const char *format_count(uint64_t value, char text[NUMBER_TEXT])
{
    char digits[NUMBER_TEXT];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}

double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}
