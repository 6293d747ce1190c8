// What looks by its soname like a library of NVIDIA's or, with KERNELS, like one that holds kernels
// and the static runtime.
#ifdef KERNELS
__attribute__((section(".nv_fatbin"), used)) static const char kernels[16] = {1};
#endif

int needed(void), cuInit(unsigned flags);
int needed(void) { return 0; }
int cuInit(unsigned flags) { return (int)flags; }
