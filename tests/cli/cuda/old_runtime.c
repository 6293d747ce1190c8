// A fake runtime with a soname that Heddle does not replace. It also acts as a runtime of NVIDIA's
// in a program's own library path, without the symbols that the program needs.
int cudaOldThing(void);
int cudaOldThing(void) { return 0; }
