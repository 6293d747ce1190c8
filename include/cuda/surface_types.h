// Surface objects: handles of arrays that kernels read and write.
#ifndef HEDDLE_CUDA_SURFACE_TYPES_H
#define HEDDLE_CUDA_SURFACE_TYPES_H

typedef unsigned long long cudaSurfaceObject_t;

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};

enum cudaSurfaceFormatMode {
    cudaFormatModeForced = 0,
    cudaFormatModeAuto = 1,
};

#endif
