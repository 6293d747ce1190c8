// The Mandelbrot set: the lanes of a warp leave their loop after different numbers of steps.
#include "check.h"

enum { WIDTH = 64, HEIGHT = 40, MOST = 60 };

__host__ __device__ inline int steps(int px, int py)
{
    double cx = -2.2 + 3.0 * px / WIDTH, cy = -1.2 + 2.4 * py / HEIGHT, x = 0, y = 0;
    int n = 0;
    for (; n < MOST; n++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4) break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    return n;
}

__global__ void draw(int *image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < HEIGHT) image[y * WIDTH + x] = steps(x, y);
}

int main()
{
    Buffer<int> image(WIDTH * HEIGHT);
    draw<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(image);
    LAUNCHED();
    std::vector<int> got = image.get();
    int other = 0, inside = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        other += got[i] != steps(i % WIDTH, i / WIDTH); // fma may differ at the edge
        inside += got[i] == MOST;
    }
    return verdict(other <= 4 && inside > 100, "%d points inside, %d differ", inside, other);
}
