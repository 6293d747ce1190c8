// The result of a CUDA program has the keys of a result of `heddle run`. Values that only Heddle's
// own workloads have are null or empty. No value contains a host address.
#include "cudart/report/program_report_json.h"

#include "cudart/report/allocation_sites.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/unsupported.h"
#include "gpu/launch_result.h"
#include "report/host_json.h"
#include "report/input_files.h"
#include "report/mechanism_json.h"
#include "report/launch_json.h"

#include <stdlib.h>
#include <string.h>

// The program's file, or the interpreter's that runs it, and shared objects of mechanisms.
static json_t *files_json(const char *path, const char *mechanisms)
{
    json_t *files = json_object();
    bool ok = files && input_file_put(files, path, "/proc/self/exe") &&
              input_files_put_objects(files, mechanisms);
    return json_finish(files, ok);
}

static bool put_program(json_t *object, char **words, const char *mechanisms)
{
    const char *path = words && *words ? *words : "", *slash = strrchr(path, '/');
    const char *const *arguments = words && *words ? (const char *const *)words + 1 : NULL;
    return json_put(object, "workload", json_string("cuda")) &&
           json_put(object, "implementation", json_text(slash ? slash + 1 : path)) &&
           json_put(object, "ptx", json_null()) && json_put(object, "graph", json_null()) &&
           json_put(object, "source", json_null()) &&
           json_put(object, "workload_parameters", json_object()) &&
           json_put(object, "arguments", json_texts(arguments)) &&
           json_put(object, "files", files_json(path, mechanisms));
}

// The launches, with --per-kernel.
static json_t *launches_json(Gpu *gpu)
{
    size_t count;
    const LaunchResult *results = gpu_results(gpu, &count);
    json_t *array = json_array();
    bool ok = array;
    for (size_t i = 0; ok && i < count; i++) {
        char *name = symbol_demangle(results[i].function->name, true);
        json_t *launch = json_object();
        bool complete = launch && name && launch_json_put_summary(launch, gpu, &results[i]) &&
                        json_put(launch, "name", json_text(name)) &&
                        json_put(launch, "application", json_null()) &&
                        launch_json_put(launch, gpu, &results[i]);
        ok = json_array_append_new(array, json_finish(launch, complete)) == 0;
        free(name);
    }
    return json_finish(array, ok);
}

static json_t *kernels_json(const Gpu *gpu)
{
    size_t count;
    const KernelTotal *totals = gpu_kernel_totals(gpu, &count);
    json_t *array = json_array();
    bool ok = array;
    for (size_t i = 0; ok && i < count; i++) {
        char *name = symbol_demangle(totals[i].kernel->name, true);
        ok = name &&
             json_array_append_new(array, kernel_total_json(gpu, &totals[i], name)) == 0;
        free(name);
    }
    return json_finish(array, ok);
}

static json_t *notices_json(const Gpu *gpu)
{
    json_t *array = json_array();
    bool ok = array;
    const char *notice;
    for (size_t i = 0; ok && (notice = gpu_notice(gpu, i)); i++) {
        char text[HD_ERROR_TEXT];
        allocation_site_annotate(notice, text, sizeof text);
        ok = json_array_append_new(array, json_text(text)) == 0;
    }
    return json_finish(array, ok);
}

static json_t *unsupported_json(void)
{
    json_t *array = json_array();
    bool ok = array;
    const char *name;
    for (unsigned i = 0; ok && (name = unsupported_reported(i)); i++)
        ok = json_array_append_new(array, json_text(name)) == 0;
    return json_finish(array, ok);
}

// What failed that a GPU has; null: nothing.
static json_t *incomplete_json(void)
{
    Incomplete incomplete = unsupported_summary();
    const VendorLibraries *libraries = &incomplete.libraries;
    json_t *object = json_object(), *names = json_array();
    bool complete = object && names && json_put(object, "calls", json_count(incomplete.calls)) &&
                    json_put(object, "launches", json_count(incomplete.launches));
    for (unsigned i = 0; complete && i < libraries->count; i++)
        complete = json_array_append_new(names, json_text(libraries->names[i])) == 0;
    complete = complete && json_put(object, "libraries", json_incref(names));
    json_decref(names);
    if (incomplete.any || !complete) return json_finish(object, complete);
    json_decref(object);
    return json_null();
}

static json_t *result_json(const ProgramReport *report)
{
    const HdDevice *device = report->device;
    Gpu *gpu = device_sim_gpu(device);
    json_t *object = json_object();
    bool complete =
        object &&
        // Heddle cannot verify a program's output.
        json_put(object, "verified", json_null()) && json_put(object, "answer", json_null()) &&
        json_put(object, "partial", partial_run_json(gpu, report->signal)) &&
        json_put(object, "approximate", json_boolean(gpu_is_approximate(gpu))) &&
        json_put(object, "functional", functional_launches_json(gpu)) &&
        cut_json_put(object, gpu, report->settings->simulation.max_thread_instructions) &&
        put_program(object, report->words, report->settings->simulation.mechanisms) &&
        json_put(object, "registers", json_texts(report->settings->simulation.registers)) &&
        json_put(object, "machine", json_text(config_name(device_sim_config(device)))) &&
        json_put(object, "seed", json_count(report->settings->simulation.seed)) &&
        (!gpu_mechanisms(gpu)->count || json_put(object, "mechanisms", mechanisms_json(gpu))) &&
        launch_json_put(object, gpu, gpu_total(gpu)) &&
        json_put(object, "kernels", launches_json(gpu)) &&
        json_put(object, "kernel_totals", kernels_json(gpu)) &&
        json_put(object, "launches", json_count(gpu_launches(gpu))) &&
        json_put(object, "faulted", json_boolean(cudart_faulted())) &&
        json_put(object, "notices", notices_json(gpu)) &&
        json_put(object, "unsupported", unsupported_json()) &&
        json_put(object, "incomplete", incomplete_json()) &&
        json_put(object, "parameters", config_json(device_sim_config(device)));
    return json_finish(object, complete);
}

json_t *program_report_json(const ProgramReport *report)
{
    json_t *json = json_object();
    bool complete =
        json && json_put(json, "schema", json_integer(RESULT_SCHEMA)) &&
        json_put(json, "result", result_json(report)) &&
        json_put(json, "host", json_host(device_sim_gpu(report->device), report->seconds));
    return json_finish(json, complete);
}
