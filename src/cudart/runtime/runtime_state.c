// Resets the state of all API families.
#include "cudart/runtime/runtime_state.h"

#include "cudart/device/device_settings.h"
#include "cudart/graphs/cuda_graph.h"
#include "cudart/memory/host_memory.h"
#include "cudart/memory/memory_pools.h"
#include "cudart/streams/events.h"
#include "cudart/streams/streams.h"
#include "cudart/textures/arrays.h"
#include "cudart/textures/surface_objects.h"
#include "cudart/textures/texture_descriptors.h"

void runtime_state_reset(bool closing)
{
    streams_reset(); // first: a stream under capture refers to graphs and events
    cudart_state()->per_thread_stream = (GpuStream){0};
    arrays_reset();
    device_settings_reset();
    events_reset();
    graph_executables_reset();
    graphs_reset();
    host_memory_reset();
    pools_reset();
    surfaces_reset(closing);
    textures_reset(closing);
}
