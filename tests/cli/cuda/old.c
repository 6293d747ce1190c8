// A program of an old runtime.
int cudaOldThing(void);

int main(void) { return cudaOldThing(); }
