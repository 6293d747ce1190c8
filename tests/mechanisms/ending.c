// A mechanism outside of Heddle whose first kernel ends the process that runs it.
#include "heddle/mechanism.h"

#include <signal.h>

static const HdParameter parameters[] = {
    {.name = "signal", .does = "by which", .standard = SIGKILL, .least = 1, .most = 31,
     .whole = true},
    {0},
};

static void kernel_begins(HdSite *site, const HdKernel *kernel)
{
    (void)kernel;
    raise((int)site->parameters[0]);
}

HD_MECHANISM(ending) = {
    .name = "ending",
    .does = "Ends the process.",
    .paper = "none",
    .parameters = parameters,
    .l1 = {.kernel_begins = kernel_begins},
    .levels = -1,
};
