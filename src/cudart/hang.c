// When a launch is suspected to hang.
#include "cudart/hang.h"

bool hang_suspected(HangWatch *watch, uint64_t launch, uint64_t done, double now)
{
    static const double patience = 60;
    if (watch->launch != launch || watch->done != done) {
        watch->launch = launch;
        watch->done = done;
        watch->since = now;
    }
    if (watch->told || now - watch->since < patience) return false;
    watch->told = true;
    return true;
}
