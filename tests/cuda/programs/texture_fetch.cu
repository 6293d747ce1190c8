// Textures of linear memory: a sparse product that reads its vector of floats, or of doubles as
// pairs of words; reads behind the end; pitched rows of pixels of four bytes; bytes normalised to
// 0 to 1.
#include "check.h"

enum { ROWS = 500, WIDTH = 40, HEIGHT = 30 };

__global__ void product(const int *first, const int *columns, const float *values,
                        cudaTextureObject_t x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= ROWS) return;
    float sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++)
        sum += values[i] * tex1Dfetch<float>(x, columns[i]);
    y[row] = sum;
}

__global__ void product_of_doubles(const int *first, const int *columns, const float *values,
                                   cudaTextureObject_t x, double *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= ROWS) return;
    double sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++) {
        int2 words = tex1Dfetch<int2>(x, columns[i]);
        sum += values[i] * __hiloint2double(words.y, words.x);
    }
    y[row] = sum;
}

__global__ void ends(cudaTextureObject_t x, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(x, ROWS - 2 + (int)threadIdx.x);
}

__global__ void negative(cudaTextureObject_t image, uchar4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= WIDTH) return;
    uchar4 pixel = tex2D<uchar4>(image, x, y), right = tex2D<uchar4>(image, x + 1, y);
    out[y * WIDTH + x] = make_uchar4(255 - pixel.x, pixel.y ^ right.y, right.z, pixel.w);
}

__global__ void brightness(cudaTextureObject_t image, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= WIDTH) return;
    float4 pixel = tex2D<float4>(image, x + 0.5f, y + 0.5f);
    out[y * WIDTH + x] = pixel.x + 2 * pixel.y + pixel.z + pixel.w;
}

template <typename T> static cudaTextureObject_t over(const void *memory, size_t bytes)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static cudaTextureObject_t over_rows(void *memory, size_t pitch, cudaTextureReadMode mode)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = mode;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static bool products()
{
    Random random(3);
    std::vector<int> first(1, 0), columns;
    std::vector<float> values, x = random_values<float>(ROWS, 8), wanted;
    std::vector<double> doubles(x.begin(), x.end()), wanted_doubles;
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;
        double exact = 0;
        for (int i = random.below(9); i > 0; i--) {
            columns.push_back((int)random.below(ROWS));
            values.push_back((float)(1 + random.below(8)) / 8);
            sum += values.back() * x[columns.back()];
            exact += values.back() * doubles[columns.back()];
        }
        first.push_back((int)columns.size());
        wanted.push_back(sum);
        wanted_doubles.push_back(exact);
    }
    Buffer<int> firsts(first), columns_there(columns);
    Buffer<float> values_there(values), x_there(x), y(ROWS), end(4);
    Buffer<double> doubles_there(doubles), z(ROWS);
    cudaTextureObject_t floats = over<float>(x_there, ROWS * sizeof(float)),
                        pairs = over<int2>(doubles_there, ROWS * sizeof(double));
    product<<<blocks_for(ROWS, 128), 128>>>(firsts, columns_there, values_there, floats, y);
    LAUNCHED();
    product_of_doubles<<<blocks_for(ROWS, 128), 128>>>(firsts, columns_there, values_there, pairs,
                                                       z);
    LAUNCHED();
    ends<<<1, 4>>>(floats, end);
    LAUNCHED();
    std::vector<float> last = end.get();
    CUDA(cudaDestroyTextureObject(floats));
    CUDA(cudaDestroyTextureObject(pairs));
    return difference(y.get(), wanted) < 1e-6 && difference(z.get(), wanted_doubles) < 1e-15 &&
           last[1] == x[ROWS - 1] && last[2] == 0 && last[3] == 0;
}

static bool pixels()
{
    Random random(4);
    std::vector<uchar4> image(WIDTH * HEIGHT);
    for (size_t i = 0; i < image.size(); i++) {
        unsigned bits = random.next();
        image[i] = make_uchar4(bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24);
    }
    void *rows;
    size_t pitch;
    CUDA(cudaMallocPitch(&rows, &pitch, WIDTH * sizeof(uchar4), HEIGHT));
    CUDA(cudaMemcpy2D(rows, pitch, image.data(), WIDTH * sizeof(uchar4), WIDTH * sizeof(uchar4),
                      HEIGHT, cudaMemcpyHostToDevice));
    cudaTextureObject_t bytes = over_rows(rows, pitch, cudaReadModeElementType),
                        unit = over_rows(rows, pitch, cudaReadModeNormalizedFloat);
    Buffer<uchar4> out(image.size());
    Buffer<float> light(image.size());
    negative<<<dim3(blocks_for(WIDTH, 32), HEIGHT), 32>>>(bytes, out);
    LAUNCHED();
    brightness<<<dim3(blocks_for(WIDTH, 32), HEIGHT), 32>>>(unit, light);
    LAUNCHED();
    std::vector<uchar4> got = out.get();
    std::vector<float> bright = light.get();
    bool same = true;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uchar4 pixel = image[y * WIDTH + x], is = got[y * WIDTH + x],
                   right = image[y * WIDTH + (x + 1 < WIDTH ? x + 1 : x)];
            same &= is.x == 255 - pixel.x && is.y == (pixel.y ^ right.y) && is.z == right.z &&
                    is.w == pixel.w;
            float sum = (pixel.x + 2 * pixel.y + pixel.z + pixel.w) / 255.0f;
            same &= std::fabs(bright[y * WIDTH + x] - sum) < 1e-5f;
        }
    CUDA(cudaDestroyTextureObject(bytes));
    CUDA(cudaDestroyTextureObject(unit));
    CUDA(cudaFree(rows));
    return same;
}

int main()
{
    bool rows = products(), image = pixels();
    return verdict(rows && image, "products %s, pixels %s", rows ? "right" : "wrong",
                   image ? "right" : "wrong");
}
