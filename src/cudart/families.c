// The families' part of a reset.
#include "cudart/families.h"

#include "cudart/arrays.h"
#include "cudart/device_settings.h"
#include "cudart/events.h"
#include "cudart/host_memory.h"
#include "cudart/pools.h"
#include "cudart/streams.h"

void families_reset(void)
{
    arrays_reset();
    device_settings_reset();
    events_reset();
    host_memory_reset();
    pools_reset();
    streams_reset();
}
