// Appends the indices of the odd elements to a list; its length grows by an atomic whose result is
// the place in the list.
extern "C" __global__ void compact(const unsigned *data, unsigned *list, unsigned *length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && data[i] & 1) list[atomicAdd(length, 1u)] = i;
}
