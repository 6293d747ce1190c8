// libcuda-unused.so, a stand-in for libcuda.so.1. Programs that link to the driver library but
// never call it can then start on a machine without the driver: the loader only checks the soname.
extern const char heddle_unused_driver[];
const char heddle_unused_driver[] = "no function of the CUDA driver is here";
