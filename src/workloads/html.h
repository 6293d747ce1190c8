// Records of text with tags and links, as of web pages.
#ifndef HEDDLE_WORKLOADS_HTML_H
#define HEDDLE_WORKLOADS_HTML_H

#include "workloads/program.h"

// The records side by side: record i is text[start[i]] to text[start[i + 1] - 1].
typedef struct HtmlText {
    char *text;
    int32_t *start;
    uint32_t records;
} HtmlText;

// Generates `records` records of `bytes` characters in the mean, drawn from half to one and a half
// times as many. With seed 0 each record has `bytes` characters of one text, repeated as often as
// needed. Memory is scratch of the program, which fails if the text can have more than 2^31 - 1
// characters.
HtmlText html_text(Program *program, uint64_t seed, uint32_t records, uint32_t bytes);

#endif
