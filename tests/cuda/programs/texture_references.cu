// Texture references, as programs for CUDA 11 have them: a sparse product whose vector is a linear
// texture, also of doubles as pairs of words; an offset into an allocation; another array bound in
// between; bytes read as normalised floats; pitched rows, an array, and the C form of the API.
#include "check.h"
#include "heddle/texture_references.h" // or -DHEDDLE_TEXTURE_REFERENCES

enum { ROWS = 500, WIDTH = 40, HEIGHT = 30 };

texture<float, 1> vector_texture;
static texture<int2, 1, cudaReadModeElementType> pairs_texture;
texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> bytes_texture;
texture<float, cudaTextureType2D> image_texture(0, cudaFilterModeLinear);
texture<float> plain; // fetched through a function object

struct Reader {
    __device__ float operator()(int at) const { return tex1Dfetch(plain, at); }
};

__global__ void product(const int *first, const int *columns, const float *values, float *y,
                        double *z)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= ROWS) return;
    float sum = 0;
    double exact = 0;
    for (int i = first[row]; i < first[row + 1]; i++) {
        int2 words = tex1Dfetch(pairs_texture, columns[i]);
        sum += values[i] * tex1Dfetch(vector_texture, columns[i]);
        exact += values[i] * __hiloint2double(words.y, words.x);
    }
    y[row] = sum;
    z[row] = exact;
}

__global__ void read(float *out, float *unit)
{
    Reader reader;
    float4 pixel = tex1Dfetch(bytes_texture, (int)threadIdx.x);
    out[threadIdx.x] = reader((int)threadIdx.x);
    unit[threadIdx.x] = pixel.x + 2 * pixel.y + pixel.z - pixel.w;
}

__global__ void sample(float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < WIDTH) out[y * WIDTH + x] = tex2D(image_texture, (float)x + 1.0f, (float)y + 0.5f);
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
    Buffer<float> values_there(values), x_there(x), y(ROWS);
    Buffer<double> doubles_there(doubles), z(ROWS);
    size_t offset = 7;
    CUDA(cudaBindTexture(&offset, vector_texture, x_there, ROWS * sizeof(float)));
    CUDA(cudaBindTexture(0, pairs_texture, doubles_there.device, cudaCreateChannelDesc<int2>(),
                         ROWS * sizeof(double)));
    product<<<blocks_for(ROWS, 128), 128>>>(firsts, columns_there, values_there, y, z);
    LAUNCHED();
    CUDA(cudaUnbindTexture(vector_texture));
    CUDA(cudaUnbindTexture(pairs_texture));
    return offset == 0 && difference(y.get(), wanted) < 1e-6 &&
           difference(z.get(), wanted_doubles) < 1e-15;
}

// The C form of the API, from the middle of an array, without a size, and then another array.
static bool plains()
{
    std::vector<float> counted(16), other(16, 3);
    std::vector<uchar4> pixels(16);
    for (int i = 0; i < 16; i++) {
        counted[i] = (float)i;
        pixels[i] = make_uchar4(255, 0, (unsigned char)(17 * i), 51);
    }
    Buffer<float> a(counted), b(other), out(16), unit(16);
    Buffer<uchar4> there(pixels);
    bytes_texture.filterMode = cudaFilterModePoint;
    bytes_texture.normalized = false;
    CUDA(cudaBindTexture(NULL, bytes_texture, there));
    CUDA(cudaBindTexture(NULL, &plain, a.device + 8, &plain.channelDesc, 0xffffffff));
    read<<<1, 16>>>(out, unit);
    LAUNCHED();
    std::vector<float> got = out.get(), light = unit.get();
    bool right = true;
    for (int i = 0; i < 16; i++) // behind the allocation a fetch gives 0
        right &= got[i] == (i < 8 ? 8 + (float)i : 0) &&
                 std::fabs(light[i] - (1 + 17 * i / 255.0f - 0.2f)) < 1e-6f;
    CUDA(cudaBindTexture(NULL, plain, b, 16 * sizeof(float)));
    read<<<1, 16>>>(out, unit);
    LAUNCHED();
    for (float value : out.get()) right &= value == 3;
    const textureReference *found;
    CUDA(cudaGetTextureReference(&found, &plain));
    return right && found == &plain;
}

// Texel x is x at any row; half way to the next one it is x + 0.5, in memory and in an array.
static bool rows()
{
    std::vector<float> image(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) image[i] = (float)(i % WIDTH);
    float *pitched;
    size_t pitch;
    cudaArray_t array;
    CUDA(cudaMallocPitch(&pitched, &pitch, WIDTH * sizeof(float), HEIGHT));
    CUDA(cudaMemcpy2D(pitched, pitch, image.data(), WIDTH * sizeof(float), WIDTH * sizeof(float),
                      HEIGHT, cudaMemcpyHostToDevice));
    CUDA(cudaMallocArray(&array, &image_texture.channelDesc, WIDTH, HEIGHT));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, image.data(), WIDTH * sizeof(float),
                             WIDTH * sizeof(float), HEIGHT, cudaMemcpyHostToDevice));
    bool right = true;
    for (int bound = 0; bound < 2; bound++) {
        Buffer<float> out(image.size());
        size_t offset;
        if (bound) CUDA(cudaBindTextureToArray(image_texture, array));
        else CUDA(cudaBindTexture2D(&offset, image_texture, pitched, WIDTH, HEIGHT, pitch));
        sample<<<dim3(blocks_for(WIDTH, 32), HEIGHT), 32>>>(out);
        LAUNCHED();
        std::vector<float> got = out.get();
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            right &= got[i] == (i % WIDTH < WIDTH - 1 ? (float)(i % WIDTH) + 0.5f : WIDTH - 1);
    }
    CUDA(cudaUnbindTexture(image_texture));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFree(pitched));
    return right;
}

int main()
{
    bool sums = products(), memory = plains(), image = rows();
    return verdict(sums && memory && image, "products %d, plain memory %d, rows and array %d",
                   sums, memory, image);
}
