// The result of a CUDA program as JSON, as docs/result.schema.json has it.
#ifndef HEDDLE_CUDART_PROGRAM_REPORT_JSON_H
#define HEDDLE_CUDART_PROGRAM_REPORT_JSON_H

#include "cudart/report/program_report.h"

#include <jansson.h>

// NULL where memory is out.
json_t *program_report_json(const ProgramReport *report);

#endif
