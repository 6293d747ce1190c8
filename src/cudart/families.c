// The families' part of a reset.
#include "cudart/families.h"

#include "cudart/arrays.h"
#include "cudart/device_settings.h"
#include "cudart/events.h"
#include "cudart/graph.h"
#include "cudart/host_memory.h"
#include "cudart/pools.h"
#include "cudart/streams.h"
#include "cudart/surfaces.h"
#include "cudart/textures.h"

void runtime_state_reset(bool gone)
{
    streams_reset(); // before graphs and events, which a capture leads to
    arrays_reset();
    device_settings_reset();
    events_reset();
    graph_executables_reset();
    graphs_reset();
    host_memory_reset();
    pools_reset();
    surfaces_reset(gone);
    textures_reset(gone);
}
