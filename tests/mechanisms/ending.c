// A mechanism outside of Heddle whose first kernel ends the process that runs it.
#include "heddle/mechanism.h"

#include <signal.h>

static const HdParameter parameters[] = {
    {.name = "signal", .description = "by which", .value = SIGKILL, .min = 1, .max = 31,
     .kind = HD_WHOLE},
    {0},
};

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    raise((int)place->parameters[0]);
}

HD_MECHANISM(ending) = {
    .name = "ending",
    .description = "Ends the process.",
    .paper = "none",
    .parameters = parameters,
    .l1 = {.on_kernel_begin = on_kernel_begin},
};
