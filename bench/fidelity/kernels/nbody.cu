// Accelerations of n bodies in double precision; every thread reads all bodies from the L1.
extern "C" __global__ void nbody(const double *x, const double *y, const double *m, double *ax,
                                 double *ay, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double px = x[i], py = y[i], sx = 0, sy = 0;
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        double dx = x[j] - px, dy = y[j] - py, r2 = dx * dx + dy * dy + 1e-2;
        double inverse = 1.0 / (r2 * sqrt(r2)), f = m[j] * inverse;
        sx += dx * f;
        sy += dy * f;
    }
    ax[i] = sx;
    ay[i] = sy;
}
