// Run to JSON.
#include "cli/run/result_json.h"

#include "base/hash.h"
#include "gpu/launch_result.h"
#include "report/host_json.h"
#include "report/input_files.h"
#include "report/mechanism_json.h"
#include "report/launch_json.h"

#include <stdlib.h>
#include <string.h>

static const char argument_file[] = "=file:"; // of --arg

static json_t *graph_json(const Run *run)
{
    const HdGraph *graph = run->graph;
    if (!graph) return json_null();
    static const char *const weights[] = {"none", "int32", "float32"};
    char hash[HASH_TEXT], options[HD_GRAPH_OPTIONS_TEXT];
    hash_text(graph->hash, hash);
    hd_graph_options_text(&run->options->graph_changes, options);
    return json_pack("{so ss so sI sI sb ss sI sI s{sI sI sI} ss}", "spec",
                     json_text(run->options->graph), "options", options, "name",
                     json_text(graph->name), "vertices", (json_int_t)graph->vertices, "edges",
                     (json_int_t)graph->edges, "directed", graph->directed, "weights",
                     weights[graph->weight_kind], "self_loops", (json_int_t)run->self_loops,
                     "duplicates", (json_int_t)run->duplicates, "dropped",
                     "self_loops", (json_int_t)graph->dropped.self_loops,
                     "duplicates", (json_int_t)graph->dropped.duplicates,
                     "vertices", (json_int_t)graph->dropped.vertices, "hash", hash);
}

static json_t *workload_parameters_json(const Run *run)
{
    json_t *object = json_object();
    bool ok = object;
    const HdParameter *p = run->description ? run->description->parameters : NULL;
    for (const double *value = run->parameters; ok && p && p->name; p++, value++)
        ok = json_put(object, p->name, parameter_json(p, value));
    return json_finish(object, ok);
}

// The files that the run is computed from, without the graph, which has a hash of its own, and the
// machine file, whose parameters are all in the result.
static json_t *files_json(const RunOptions *o)
{
    json_t *files = json_object();
    const char *ptx = o->raw ? o->target : o->ptx;
    bool ok = files && (!ptx || input_file_put(files, ptx, ptx));
    for (const char *const *arg = o->args; ok && arg && *arg; arg++) {
        const char *file = strstr(*arg, argument_file);
        if (file) ok = input_file_put(files, file + strlen(argument_file),
                                      file + strlen(argument_file));
    }
    ok = ok && input_files_put_objects(files, o->settings.simulation.mechanisms);
    return json_finish(files, ok);
}

// The inputs of the run but for the machine. The shape of a PTX kernel's launch is part of the
// launch.
bool result_put_inputs(json_t *object, const Run *run)
{
    const RunOptions *o = run->options;
    const char *ptx = o->raw ? o->target : o->ptx;
    return json_put(object, "workload", json_string(run->workload)) &&
           json_put(object, "implementation", json_text(run->implementation)) &&
           json_put(object, "ptx", ptx ? json_text(ptx) : json_null()) &&
           json_put(object, "graph", graph_json(run)) &&
           json_put(object, "source",
                    run->description && run->description->has_source ? json_integer(run->source)
                                                                     : json_null()) &&
           json_put(object, "workload_parameters", workload_parameters_json(run)) &&
           json_put(object, "arguments", json_texts(o->args)) &&
           json_put(object, "files", files_json(o));
}

json_t *result_answer(const Run *run)
{
    json_t *object = json_object();
    bool ok = object;
    for (unsigned i = 0; ok && i < run->result.answer_count; i++) {
        const Answer *answer = &run->result.answers[i];
        ok = json_put(object, answer->name,
                      answer->is_real ? json_real(answer->real) : json_count(answer->count));
    }
    return json_finish(object, ok);
}

json_t *result_work(const Run *run, size_t launch)
{
    const WorkloadResult *r = &run->result;
    return launch < r->launch_count ? stats_json(&work_table, &r->launches[launch]) : json_null();
}

static json_t *kernels_json(const Run *run)
{
    size_t count;
    const LaunchResult *records = gpu_results(run->gpu, &count);
    const Settings *settings = &run->options->settings;
    json_t *array = json_array();
    bool ok = array;
    for (size_t i = 0; ok && i < count; i++) {
        json_t *kernel = json_object();
        bool complete = kernel && launch_json_put_summary(kernel, run->gpu, &records[i]) &&
                        json_put(kernel, "application", result_work(run, i)) &&
                        (!(settings->per_kernel || settings->store) ||
                         launch_json_put(kernel, run->gpu, &records[i]));
        ok = json_array_append_new(array, json_finish(kernel, complete)) == 0;
    }
    return json_finish(array, ok);
}

static json_t *modelled_json(const Run *run)
{
    json_t *object = json_object();
    const RunOptions *o = run->options;
    bool checked = run->checked && !run_partial(run);
    bool ok = json_put(object, "verified",
                       checked ? json_boolean(run->result.verified) : json_null()) &&
              json_put(object, "answer", checked ? result_answer(run) : json_null()) &&
              json_put(object, "partial", partial_run_json(run->gpu, false)) &&
              json_put(object, "approximate", json_boolean(gpu_is_approximate(run->gpu))) &&
              json_put(object, "functional", functional_launches_json(run->gpu)) &&
              cut_json_put(object, run->gpu, o->settings.simulation.max_thread_instructions) &&
              result_put_inputs(object, run) &&
              json_put(object, "registers", json_texts(o->settings.simulation.registers)) &&
              json_put(object, "machine", json_text(config_name(run->config))) &&
              json_put(object, "seed", json_count(o->settings.simulation.seed));
    if (ok && gpu_mechanisms(run->gpu)->count) // else the result has no such key
        ok = json_put(object, "mechanisms", mechanisms_json(run->gpu));
    ok = ok && launch_json_put(object, run->gpu, gpu_total(run->gpu)) &&
         json_put(object, "kernels", kernels_json(run)) &&
         json_put(object, "parameters", config_json(run->config));
    return json_finish(object, ok);
}

json_t *result_json(const Run *run)
{
    json_t *json = json_object();
    bool ok = json_put(json, "schema", json_integer(RESULT_SCHEMA)) &&
              json_put(json, "result", modelled_json(run)) &&
              json_put(json, "host", json_host(run->gpu, run->seconds));
    return json_finish(json, ok);
}
