// A wavelet transform in two steps on a sliding window of rows. The window is an object in shared
// memory of a template class; its methods are templates of functors and of a flag for the image's
// edge.
#include "check.h"

template <typename T, int WIDTH, int ROWS> class Window {
  public:
    enum { STRIDE = WIDTH / 2 + 1, ODD = STRIDE * ROWS + 16 }; // even columns, then odd ones
    __device__ static int place(int row, int column)
    {
        return row * STRIDE + column / 2 + (column & 1) * ODD;
    }
    __device__ T &at(int row, int column) { return texels[place(row, column)]; }

    // Applies `step` to each element of one parity and its two neighbours in the row. All threads
    // call it.
    template <int PARITY, typename Step> __device__ void each_row(const Step &step)
    {
        for (int i = threadIdx.x; i < ROWS * WIDTH / 2; i += blockDim.x) {
            int row = i / (WIDTH / 2), column = i % (WIDTH / 2) * 2 + PARITY;
            int left = column ? column - 1 : 1, right = column + 1 < WIDTH ? column + 1 : WIDTH - 2;
            step(at(row, left), at(row, column), at(row, right));
        }
    }

  private:
    T texels[2 * ODD];
};

template <int WIDTH, int ROWS> class Transform {
    typedef Window<int, WIDTH, ROWS> Buffer;
    struct Predict {
        __device__ void operator()(int before, int &here, int behind) const
        {
            here -= (before + behind) / 2;
        }
    };
    struct Update {
        int round;
        __device__ explicit Update(int r) : round(r) {}
        __device__ void operator()(int before, int &here, int behind) const
        {
            here += (before + behind + round) / 4;
        }
    };
    Buffer window;

    template <bool CHECKED> __device__ void rows(const int *in, int *out, int first, int height)
    {
        for (int i = threadIdx.x; i < ROWS * WIDTH; i += blockDim.x) {
            int row = i / WIDTH, column = i % WIDTH;
            if (!CHECKED || first + row < height)
                window.at(row, column) = in[(first + row) * WIDTH + column];
        }
        __syncthreads();
        window.template each_row<1>(Predict());
        __syncthreads();
        window.template each_row<0>(Update(2));
        __syncthreads();
        for (int i = threadIdx.x; i < ROWS * WIDTH; i += blockDim.x) {
            int row = i / WIDTH, column = i % WIDTH;
            if (!CHECKED || first + row < height)
                out[(first + row) * WIDTH + column] = window.at(row, column);
        }
        __syncthreads();
    }

  public:
    __device__ static void run(const int *in, int *out, int height, int windows)
    {
        __shared__ Transform<WIDTH, ROWS> transform;
        for (int w = 0; w < windows; w++) {
            int first = (blockIdx.x * windows + w) * ROWS;
            if (first + ROWS > height)
                transform.template rows<true>(in, out, first, height);
            else
                transform.template rows<false>(in, out, first, height);
        }
    }
};

template <int WIDTH, int ROWS>
__launch_bounds__(WIDTH, (16 << 10) / sizeof(Transform<WIDTH, ROWS>) < 8
                             ? (16 << 10) / sizeof(Transform<WIDTH, ROWS>) : 8)
__global__ void transform_rows(const int *in, int *out, int height, int windows)
{
    Transform<WIDTH, ROWS>::run(in, out, height, windows);
}

template <int WIDTH, int ROWS> static bool right(int height)
{
    std::vector<int> image(WIDTH * height), wanted;
    Random random(WIDTH);
    for (int &pixel : image) pixel = (int)random.below(256) - 128;
    wanted = image;
    for (int y = 0; y < height; y++) {
        int *row = &wanted[y * WIDTH];
        for (int x = 1; x < WIDTH; x += 2)
            row[x] -= (row[x - 1] + row[x + 1 < WIDTH ? x + 1 : WIDTH - 2]) / 2;
        for (int x = 0; x < WIDTH; x += 2) row[x] += (row[x ? x - 1 : 1] + row[x + 1] + 2) / 4;
    }
    Buffer<int> in(image), out(image.size());
    transform_rows<WIDTH, ROWS><<<blocks_for(height, ROWS * 2), WIDTH>>>(in, out, height, 2);
    LAUNCHED();
    return out.get() == wanted;
}

int main()
{
    bool narrow = right<64, 6>(45), wide = right<128, 8>(64);
    return verdict(narrow && wide, "64 x 45 %s, 128 x 64 %s", narrow ? "right" : "wrong",
                   wide ? "right" : "wrong");
}
