// Bessel functions on the device, compared with those of the host's library: j0, j1, jn, y0, y1,
// yn, cyl_bessel_i0 and cyl_bessel_i1, for float and double, near zeros and at the ends of the
// range.
#include "check.h"

#include <cmath>

enum { COUNT = 1024, ORDERS = 12 };

struct Values {
    double j0, j1, y0, y1, i0, i1, jn[ORDERS], yn[ORDERS];
    float of_float[8];
};

__global__ void run(const double *x, Values *out)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    double a = x[i];
    float f = (float)a;
    Values *v = out + i;
    v->j0 = j0(a);
    v->j1 = j1(a);
    v->y0 = y0(a);
    v->y1 = y1(a);
    v->i0 = cyl_bessel_i0(a);
    v->i1 = cyl_bessel_i1(a);
    for (int n = 0; n < ORDERS; n++) {
        v->jn[n] = jn(3 * n, a);
        v->yn[n] = yn(3 * n, a);
    }
    float of_float[] = {j0f(f), j1f(f), y0f(f), y1f(f), cyl_bessel_i0f(f), cyl_bessel_i1f(f),
                        jnf(2, f), ynf(2, f)};
    for (int k = 0; k < 8; k++) v->of_float[k] = of_float[k];
}

__global__ void ends(double *out)
{
    double inf = INFINITY, zero = out[0];
    double values[] = {j0(zero), j1(zero), jn(5, zero), y0(zero), y1(zero), yn(4, zero),
                       j0(inf), j1(-inf), y0(inf), yn(3, inf), jn(4, inf), jn(-1, 1.0),
                       yn(-1, 1.0), y0(-1.0), y1(-2.0), yn(2, -3.0), j1(-1.0), jn(3, -2.0),
                       cyl_bessel_i0(-inf), cyl_bessel_i1(-inf), cyl_bessel_i1(zero)};
    for (int i = 0; i < 21; i++) out[i] = values[i];
}

static double worst;
static int wrong;
static void expect(const char *what, double x, double is, double expected, double limit,
                   double scale)
{
    if (is == expected || (is != is && expected != expected)) return;
    double error = std::fabs(is - expected) / std::fmax(std::fabs(expected), scale);
#if !defined(__clang__) // nvcc's own functions are less accurate for large arguments
    limit = 2e-4;
#endif
    if (limit < 1e-10 && error > worst) worst = error;
    if (!(error < limit) && wrong++ < 20)
        printf("%s(%.17g) = %.17g: expected %.17g\n", what, x, is, expected);
}

int main()
{
    std::vector<double> x(COUNT);
    Random random(5);
    for (int i = 0; i < COUNT; i++) {
        x[i] = i < 256 ? 0.125 * (i + 1) : i < 768 ? 60 * random.unit() + 1e-3
                                                   : std::exp(20 * random.unit() - 10);
    }
    x[0] = 2.404825557695773; // zeros of J0, J1 and Y0
    x[1] = 3.8317059702075123;
    x[2] = 0.89357696627916752;
    x[3] = std::nextafter(2.0, 0.0), x[4] = std::nextafter(25.0, 0.0), x[5] = 30;
    Buffer<double> in(x), end(21);
    Buffer<Values> out(COUNT);
    run<<<COUNT / 128, 128>>>(in, out);
    ends<<<1, 1>>>(end);
    LAUNCHED();
    std::vector<Values> values = out.get();
    for (int i = 0; i < COUNT; i++) {
        double a = x[i], size = std::sqrt(2 / (3.14159265358979 * a));
        const Values &v = values[i];
        if (size > 1) size = 1;
        expect("j0", a, v.j0, ::j0(a), 4e-15, size);
        expect("j1", a, v.j1, ::j1(a), 4e-15, size);
        expect("y0", a, v.y0, ::y0(a), 4e-15, size);
        expect("y1", a, v.y1, ::y1(a), 4e-15, size);
        if (a < 600) {
            expect("cyl_bessel_i0", a, v.i0, std::cyl_bessel_i(0, a), 4e-15, 0);
            expect("cyl_bessel_i1", a, v.i1, std::cyl_bessel_i(1, a), 4e-15, 0);
        }
        for (int n = 0; n < ORDERS; n++) {
            expect("jn", a, v.jn[n], ::jn(3 * n, a), 4e-15, size);
            expect("yn", a, v.yn[n], ::yn(3 * n, a), 4e-15, size);
        }
        double f = (float)a, of_float[] = {::j0(f), ::j1(f), ::y0(f), ::y1(f)};
        for (int k = 0; k < 4; k++) expect("float", f, v.of_float[k], of_float[k], 2e-6, size);
        expect("jnf", f, v.of_float[6], ::jn(2, f), 2e-6, size);
        if (std::fabs(::yn(2, f)) < 1e38) expect("ynf", f, v.of_float[7], ::yn(2, f), 4e-6, size);
        if (a < 80) expect("cyl_bessel_i0f", f, v.of_float[4], std::cyl_bessel_i(0, f), 2e-6, 0);
        if (a < 80) expect("cyl_bessel_i1f", f, v.of_float[5], std::cyl_bessel_i(1, f), 2e-6, 0);
    }
    double inf = INFINITY;
    double at_ends[] = {1, 0, 0, -inf, -inf, -inf, 0, 0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN,
                        -::j1(1.0), -::jn(3, 2.0), inf, -inf, 0};
#if !defined(__clang__)
    at_ends[2] = NAN; // nvcc's jn(5, 0)
#endif
    for (int i = 0; i < 21; i++) expect("end", i, end.get()[i], at_ends[i], 1e-14, 0);
    return verdict(!wrong, "%d wrong, largest error of doubles %.2g", wrong, worst);
}
