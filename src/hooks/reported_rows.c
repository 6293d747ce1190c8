// The rows of a mechanism's table in the result.
#include "hooks/reported_rows.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

ReportedRows *reported_rows_new(unsigned columns)
{
    ReportedRows *rows = hd_new(1, sizeof *rows);
    if (rows) rows->columns = columns;
    return rows;
}

void reported_rows_free(ReportedRows *rows)
{
    if (!rows) return;
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->rows[i].kernel);
        free(rows->rows[i].values);
    }
    free(rows->rows);
    free(rows);
}

void reported_rows_begin(ReportedRows *rows, const char *kernel)
{
    rows->kernel = kernel;
    rows->launch++;
}

void reported_rows_add(ReportedRows *rows, const uint64_t *values)
{
    if (!rows->kernel || rows->closed) return; // between kernels a row would be of none
    ReportedRow row = {strdup(rows->kernel), rows->launch,
                       hd_new(rows->columns, sizeof *row.values)};
    if (row.kernel && row.values) {
        memcpy(row.values, values, rows->columns * sizeof *values);
        if (HD_PUSH(rows->rows, rows->count, rows->capacity, row)) return;
    }
    rows->failed = true;
    free(row.kernel);
    free(row.values);
}
