// A switch over the data with cases of different lengths, in a loop whose length depends on it.
extern "C" __global__ void diverge(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i], sum = v;
#pragma unroll 1
    for (unsigned k = 0; k < (v >> 8 & 15); k++) {
        switch (sum & 7) {
        case 0: sum = sum * 5 + 1; break;
        case 1: sum ^= sum >> 3; break;
        case 2: sum += in[sum % n]; break;
        case 3: sum = sum * sum + k; break;
        case 4: if (sum > 0x80000000u) sum -= 77; else sum += 3; break;
        case 5: sum = (sum << 7) | (sum >> 24); break;
        case 6: for (unsigned j = 0; j < (sum >> 4 & 3); j++) sum += j * v; break;
        default: sum = sum / 3 + 5; break;
        }
    }
    out[i] = sum;
}
