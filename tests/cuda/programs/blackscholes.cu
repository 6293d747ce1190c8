// Option prices by the Black-Scholes formula, in float and double.
#include "check.h"

enum { COUNT = 512 };

template <typename T> __host__ __device__ inline T normal(T x)
{
    return (T)0.5 * erfc(-x * (T)0.70710678118654752);
}
template <typename T>
__host__ __device__ inline void price(T stock, T strike, T years, T *call, T *put)
{
    const T rate = (T)0.02, volatility = (T)0.3;
    T root = sqrt(years);
    T d1 =
        (log(stock / strike) + (rate + volatility * volatility / 2) * years) / (volatility * root);
    T d2 = d1 - volatility * root, discount = exp(-rate * years);
    *call = stock * normal(d1) - strike * discount * normal(d2);
    *put = strike * discount * normal(-d2) - stock * normal(-d1);
}

template <typename T>
__global__ void prices(const T *stock, const T *strike, const T *years, T *call, T *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) price(stock[i], strike[i], years[i], &call[i], &put[i]);
}

template <typename T> static double try_type()
{
    std::vector<T> stock = random_values<T>(COUNT, 27), strike = random_values<T>(COUNT, 28);
    std::vector<T> years = random_values<T>(COUNT, 29), call(COUNT), put(COUNT);
    for (int i = 0; i < COUNT; i++) {
        stock[i] = 5 + 25 * stock[i], strike[i] = 1 + 99 * strike[i];
        years[i] = (T)0.25 + 9 * years[i];
        double c, p;
        price<double>(stock[i], strike[i], years[i], &c, &p);
        call[i] = (T)c, put[i] = (T)p;
    }
    Buffer<T> s(stock), x(strike), y(years), c(COUNT), p(COUNT);
    prices<<<COUNT / 128, 128>>>(s.device, x.device, y.device, c.device, p.device, COUNT);
    LAUNCHED();
    return std::max(difference(c.get(), call), difference(p.get(), put));
}

int main()
{
    double single = try_type<float>(), both = try_type<double>();
    return verdict(single < 1e-5 && both < 1e-14, "%d options, float %.1e, double %.1e", COUNT,
                   single, both);
}
