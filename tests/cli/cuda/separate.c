// A program that looks as if its kernels were compiled with -rdc=true.
__attribute__((section(".nv_fatbin"), used)) static const char kernels[16] = {1};
__attribute__((section("__nv_relfatbin"), used)) static const char linked[16] = {1};

extern void **__cudaRegisterFatBinary(void *binary);

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 9 ? __cudaRegisterFatBinary((void *)kernels) != (void **)linked : 0;
}
