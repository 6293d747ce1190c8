// The functions of math.h on the device, compared with the host's in a wider type: the largest
// error of each in ulp. The bounds here hold for every toolkit; the headers of `heddle cc` state
// tighter ones.
#include "check.h"

enum { COUNT = 512 };

// F(name, bound for float, bound for double, range of arguments): bounds in ulp.
#define FUNCTIONS(F)                                                                               \
    F(exp, 2.5, 2, -80, 80) F(exp2, 2.5, 2, -100, 100) F(exp10, 2.5, 2, -35, 35)                   \
    F(expm1, 2, 2, -5, 5) F(log, 2, 2, 1e-3, 50) F(log2, 2, 2, 1e-3, 50)                           \
    F(log10, 3, 2, 1e-3, 50) F(log1p, 2, 2, -0.9, 30) F(sin, 2, 2, -50, 50)                        \
    F(cos, 2, 2, -50, 50) F(tan, 4, 3, -50, 50) F(asin, 4, 3, -1, 1) F(acos, 3, 3, -1, 1)          \
    F(atan, 3, 2, -20, 20) F(sinh, 3.5, 3.5, -20, 20) F(cosh, 3.5, 3.5, -20, 20)                   \
    F(tanh, 3, 3, -5, 5) F(asinh, 4, 3, -50, 50) F(acosh, 4, 3, 1.01, 50)                          \
    F(atanh, 4, 3, -0.99, 0.99) F(cbrt, 2, 2, -50, 50) F(erf, 3, 3, -4, 4)                         \
    F(erfc, 6, 5.5, -3, 8) F(tgamma, 12, 12, 0.5, 20) F(lgamma, 7, 7, 3, 50)                       \
    F(sqrt, 1, 1, 0, 100) F(rint, 0.5, 0.5, -9, 9) F(round, 0.5, 0.5, -9, 9)                       \
    F(floor, 0.5, 0.5, -9, 9)

#define KERNEL(name, ...)                                                                          \
    template <typename T> __global__ void k_##name(const T *x, T *y)                               \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        y[i] = name(x[i]);                                                                         \
    }
FUNCTIONS(KERNEL)

template <typename T> __global__ void pairs(const T *x, const T *y, T *p, T *a, T *h, T *m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = pow(x[i], y[i]);
    a[i] = atan2(y[i], x[i]);
    h[i] = hypot(x[i], y[i]);
    m[i] = fmod(10 * y[i], x[i]);
}

// |got - exact| in units of the last place of T at `exact`.
template <typename T> static double ulps(T got, long double exact)
{
    int digits = sizeof(T) == 4 ? 24 : 53, e;
    if ((T)exact == got) return 0;
    frexpl(exact, &e);
    return (double)(fabsl((long double)got - exact) / ldexpl(1, e - digits));
}

static int failures;
static void judge(const char *name, const char *type, double error, double bound)
{
    if (error <= bound) return;
    printf("%s of %s: %.2f ulp, at most %.1f\n", name, type, error, bound);
    failures++;
}

template <typename T>
static void one(const char *name, void (*kernel)(const T *, T *), long double (*exact)(long double),
                double bound, double low, double high)
{
    std::vector<T> x = random_values<T>(COUNT, 60);
    for (T &v : x) v = (T)(low + (high - low) * (double)v);
    Buffer<T> in(x), out(COUNT);
    kernel<<<COUNT / 128, 128>>>(in, out);
    LAUNCHED();
    std::vector<T> got = out.get();
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        double error = ulps(got[i], exact(x[i]));
        if (!(error <= worst)) worst = error;
    }
    judge(name, sizeof(T) == 4 ? "float" : "double", worst, bound);
}

template <typename T> static void two(double power_bound)
{
    std::vector<T> x = random_values<T>(COUNT, 61), y = random_values<T>(COUNT, 62);
    for (T &v : x) v = 4 * v + (T)0.001;
    for (T &v : y) v = 16 * v - 8;
    Buffer<T> dx(x), dy(y), p(COUNT), a(COUNT), h(COUNT), m(COUNT);
    pairs<T><<<COUNT / 128, 128>>>(dx, dy, p, a, h, m);
    LAUNCHED();
    std::vector<T> gp = p.get(), ga = a.get(), gh = h.get(), gm = m.get();
    double worst[4] = {0, 0, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        T ten = 10 * y[i];
        worst[0] = std::max(worst[0], ulps(gp[i], powl(x[i], y[i])));
        worst[1] = std::max(worst[1], ulps(ga[i], atan2l(y[i], x[i])));
        worst[2] = std::max(worst[2], ulps(gh[i], hypotl(x[i], y[i])));
        worst[3] = std::max(worst[3], ulps(gm[i], fmodl(ten, x[i])));
    }
    const char *type = sizeof(T) == 4 ? "float" : "double";
    judge("pow", type, worst[0], power_bound);
    judge("atan2", type, worst[1], 3);
    judge("hypot", type, worst[2], 3);
    judge("fmod", type, worst[3], 0);
}

int main()
{
    int functions = 4;
#define TRY(name, single, both, low, high)                                                         \
    one<float>(#name, k_##name<float>, name##l, single, low, high);                                \
    one<double>(#name, k_##name<double>, name##l, both, low, high);                                \
    functions++;
    FUNCTIONS(TRY)
    // Large arguments use another range reduction.
    one<double>("sin", k_sin<double>, sinl, 2, 1e6, 1e17);
    one<double>("cos", k_cos<double>, cosl, 2, -1e9, 1e9);
    one<float>("sin", k_sin<float>, sinl, 2, 1e5, 1e12);
    two<float>(9);
    two<double>(2);
    return verdict(!failures, "%d functions, %d not exact enough", functions, failures);
}
