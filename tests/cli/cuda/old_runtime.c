// What looks like a runtime that Heddle does not stand in for, by its soname; and a runtime of
// NVIDIA's that a program would find by its own path, where its symbols are missing.
int cudaOldThing(void);
int cudaOldThing(void) { return 0; }
