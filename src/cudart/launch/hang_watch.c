// Decides when a launch is suspected to hang.
#include "cudart/launch/hang_watch.h"

bool hang_suspected(HangWatch *watch, uint64_t launch, uint64_t done, double now)
{
    static const double patience = 60; // seconds
    if (watch->launch != launch || watch->blocks_done != done) {
        watch->launch = launch;
        watch->blocks_done = done;
        watch->since = now;
    }
    if (watch->reported || now - watch->since < patience) return false;
    watch->reported = true;
    return true;
}
