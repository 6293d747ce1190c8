// What second.cu computes with a kernel and variables of its own.
int second_total();
