// A program that looks as if it contained kernels and NVIDIA's static runtime.
__attribute__((section(".nv_fatbin"), used)) static const char kernels[16] = {1};

int main(void) { return kernels[1]; }
