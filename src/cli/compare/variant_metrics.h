// The metrics of one variant of a comparison, from its result.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_METRICS_H
#define HEDDLE_CLI_COMPARE_VARIANT_METRICS_H

#include "cli/compare/variants.h"

#include <stdint.h>

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

double metrics_ipc(const VariantMetrics *f);
double metrics_relative(double value, double first); // 0 if the first is 0
double metrics_mpki(uint64_t misses, const VariantMetrics *f); // per 1,000 warp instructions

// Writes a row for each variant that is done, with all counters that the papers' figures are drawn
// from. The column `base` names the first variant, which ipc_ratio is relative to; ipc_ratio is
// empty if the first variant failed.
bool metrics_write_csv(const Variants *variants, const char *path, HdError *err);

#endif
