// The rows that a mechanism adds to its table in the result (hd_report), at its place of the GPU.
#ifndef HEDDLE_HOOKS_REPORTED_ROWS_H
#define HEDDLE_HOOKS_REPORTED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ReportedRow {
    char *kernel;
    uint32_t launch;  // from 1
    uint64_t *values; // by column
} ReportedRow;

typedef struct ReportedRows {
    unsigned columns;
    const char *kernel; // that runs; NULL: none
    uint32_t launch;    // its number
    ReportedRow *rows;  // in the order of the reports
    size_t count, capacity;
    bool closed; // further rows are not kept
    bool failed; // out of memory for a row
} ReportedRows;

// NULL: out of memory. Free with reported_rows_free, which accepts NULL.
ReportedRows *reported_rows_new(unsigned columns);
void reported_rows_free(ReportedRows *rows);
// A kernel begins; its name must be valid until it has ended.
void reported_rows_begin(ReportedRows *rows, const char *kernel);
void reported_rows_add(ReportedRows *rows, const uint64_t *values);

#endif
