// Numbers as text.
#ifndef HEDDLE_REPORT_FORMAT_NUMBERS_H
#define HEDDLE_REPORT_FORMAT_NUMBERS_H

#include <stdint.h>

enum { NUMBER_TEXT = 32 };
// 1234567 as "1,234,567".
const char *format_count(uint64_t value, char text[NUMBER_TEXT]);
// a / b; 0 if b is 0.
double ratio(uint64_t a, uint64_t b);

#endif
