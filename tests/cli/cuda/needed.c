// A fake library with the soname of one of NVIDIA's. With KERNELS, it looks like a library that
// contains kernels and the static runtime.
#ifdef KERNELS
__attribute__((section(".nv_fatbin"), used)) static const char kernels[16] = {1};
#endif

int needed(void), cuInit(unsigned flags);
int needed(void) { return 0; }
int cuInit(unsigned flags) { return (int)flags; }
