// libcuda-unused.so: for programs that are linked to the driver's library, call nothing in it and
// run where there is none. The loader is content with any library of its soname.
extern const char heddle_unused_driver[];
const char heddle_unused_driver[] = "no function of the CUDA driver is here";
