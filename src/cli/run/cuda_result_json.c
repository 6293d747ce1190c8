// A run on a real GPU to JSON.
#include "cli/run/cuda_report.h"

#include "cli/run/result_json.h"
#include "device/cuda_device.h"
#include "report/host_json.h"
#include "report/launch_json.h"

static json_t *device_json(const Run *run)
{
    const CudaInfo *info = run->gpu_info;
    const char *target = device_cuda_target(run->device);
    return json_pack("{so so si si si so}", "name", json_text(info->name), "compute_capability",
                     json_sprintf("%d.%d", info->major, info->minor), "sms", info->sms,
                     "clock_khz", info->clock_khz, "driver", info->driver, "target",
                     target ? json_text(target) : json_null());
}

static json_t *power_json(const Run *run)
{
    const RunPower *p = &run->power;
    if (!p->repetitions) return json_null();
    return json_pack("{sf sf sf sf sf sf sI sI sI sf}", "idle_watts", p->idle.watts, "watts",
                     p->busy.watts, "least_watts", p->busy.min, "most_watts", p->busy.max,
                     "seconds", p->busy.seconds, "joules", p->busy.joules, "samples",
                     (json_int_t)p->busy.samples, "repetitions", (json_int_t)p->repetitions,
                     "strayed", (json_int_t)p->strayed, "joules_each",
                     p->busy.joules / (double)p->repetitions);
}

// The mean over the repetitions.
static json_t *repeated_json(const Run *run, double sum)
{
    size_t repetitions = run->power.repetitions;
    return repetitions ? json_real(sum / (double)repetitions) : json_null();
}

static json_t *counts_json(const Run *run)
{
    static const char *const of_dram[] = {"dram_read_sectors", "dram_write_sectors"};
    const RunCounts *c = &run->counts;
    if (!c->valid) return json_null();
    json_t *object =
        c->simulated
            ? json_pack("{ss so so}", "source", "simulator", "reason", json_text(c->reason),
                        "machine", json_text(c->machine))
            : json_pack("{ss sn sn}", "source", "cupti", "reason", "machine");
    bool ok = object && stats_put(&execution_table, &c->counters, object);
    for (size_t i = 0; ok && !c->dram && i < sizeof of_dram / sizeof *of_dram; i++)
        ok = json_put(object, of_dram[i], json_null());
    return json_finish(object, ok);
}

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[iii]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

static json_t *launch_json(const Run *run, const CudaLaunch *launch, size_t index)
{
    return json_pack("{so so so sI si si si sf so so}", "name", json_text(launch->kernel), "grid",
                     shape_json(launch->grid), "block", shape_json(launch->block),
                     "dynamic_shared", (json_int_t)launch->dynamic_shared, "registers",
                     launch->registers, "shared_bytes", launch->shared_bytes, "local_bytes",
                     launch->local_bytes, "milliseconds", launch->milliseconds,
                     "repeated_milliseconds", repeated_json(run, launch->repeated), "application",
                     result_work(run, index));
}

static bool put_launches(json_t *object, const Run *run)
{
    size_t count;
    const CudaLaunch *launches = device_cuda_launches(run->device, &count);
    json_t *array = json_array();
    bool ok = array;
    double all = 0, repeated = 0;
    for (size_t i = 0; ok && i < count; i++) {
        all += launches[i].milliseconds;
        repeated += launches[i].repeated;
        ok = json_array_append_new(array, launch_json(run, &launches[i], i)) == 0;
    }
    if (ok)
        return json_put(object, "milliseconds", json_real(all)) &&
               json_put(object, "repeated_milliseconds", repeated_json(run, repeated)) &&
               json_put(object, "power", power_json(run)) &&
               json_put(object, "counts", counts_json(run)) && json_put(object, "kernels", array);
    json_decref(array);
    return false;
}

static json_t *all_json(const Run *run)
{
    json_t *object = json_object();
    bool checked = run->checked;
    bool ok = json_put(object, "verified",
                       checked ? json_boolean(run->result.verified) : json_null()) &&
              json_put(object, "answer", checked ? result_answer(run) : json_null()) &&
              result_put_inputs(object, run) &&
              json_put(object, "device", device_json(run)) && put_launches(object, run);
    return json_finish(object, ok);
}

json_t *cuda_result_json(const Run *run)
{
    json_t *json = json_object();
    bool ok = json_put(json, "schema", json_integer(RESULT_SCHEMA)) &&
              json_put(json, "measured", all_json(run)) &&
              json_put(json, "host",
                       json_pack("{sf ss so}", "seconds", run->seconds, "version", HEDDLE_VERSION,
                                 "date", json_date()));
    return json_finish(json, ok);
}
