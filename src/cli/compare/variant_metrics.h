// The metrics of one variant of a comparison, from its result.
#ifndef HEDDLE_CLI_COMPARE_JOB_METRICS_H
#define HEDDLE_CLI_COMPARE_JOB_METRICS_H

#include "cli/compare/variants.h"

#include <stdint.h>
#include <stdio.h>

// flits: over all links, both directions. cut_at: --max-thread-instructions, if the run has reached
// it; else 0.
typedef struct VariantMetrics {
    uint64_t cycles, instructions, thread_instructions, l1_misses, l2_misses, flits, dram_bytes,
             storage_bits, cut_at;
} VariantMetrics;

VariantMetrics variant_metrics(const Variant *variant);
// Whether the variants that are done have run the same part of the program: all of it, or up to the
// same number of thread instructions. false and err: they do not compare.
bool variants_check_cuts(const Variants *variants, HdError *err);
// The variant that the others are relative to: the first one. NULL: it failed; no other one
// replaces it.
const Variant *variants_baseline(const Variants *variants);

// The timed launches of a kernel, or of all kernels (NULL), their cycles and warp instructions.
typedef struct KernelTime {
    uint64_t launches, cycles, instructions;
    bool cut; // the run is cut
} KernelTime;
KernelTime kernel_time(const Variant *variant, const char *kernel);
// By what variants compare: cycles or, of cut runs, cycles per instruction.
double kernel_cost(const KernelTime *time);
// Adds the names of the variant's timed kernels that the list does not have, by their first
// launches. The variant owns them. false: out of memory.
bool kernel_names_add(const Variant *variant, TextList *names);

double metrics_ipc(const VariantMetrics *f);
double metrics_relative(double value, double first); // 0 if the first is 0
double metrics_mpki(uint64_t misses, const VariantMetrics *f); // per 1,000 warp instructions

// Writes a cell of a CSV in quotes.
void csv_put_text(FILE *out, const char *text);

// Writes a row for each variant that is done, with all counters that the papers' figures are drawn
// from. The column `base` names the first variant, which ipc_ratio is relative to; ipc_ratio is
// empty if the first variant failed.
bool metrics_write_csv(const Variants *variants, const char *path, HdError *err);

#endif
