// Functions that programs can import and that the runtime does not support, by topic. Implementing
// one removes it here.
#ifndef HEDDLE_CUDART_UNSUPPORTED_NAMES_H
#define HEDDLE_CUDART_UNSUPPORTED_NAMES_H

// Graphs of work.
#define UNSUPPORTED_GRAPHS(X)                                                                      \
    X(cudaDeviceGetGraphMemAttribute) X(cudaDeviceGraphMemTrim) X(cudaDeviceSetGraphMemAttribute)  \
    X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode)          \
    X(cudaGraphAddMemcpyNodeFromSymbol) X(cudaGraphAddMemcpyNodeToSymbol) X(cudaGraphAddNode)      \
    X(cudaGraphConditionalHandleCreate)                                                            \
    X(cudaGraphDebugDotPrint) X(cudaGraphEventRecordNodeGetEvent)                                  \
    X(cudaGraphEventRecordNodeSetEvent) X(cudaGraphEventWaitNodeGetEvent)                          \
    X(cudaGraphEventWaitNodeSetEvent) X(cudaGraphExecChildGraphNodeSetParams)                      \
    X(cudaGraphExecEventRecordNodeSetEvent) X(cudaGraphExecEventWaitNodeSetEvent)                  \
    X(cudaGraphExecExternalSemaphoresSignalNodeSetParams)                                          \
    X(cudaGraphExecExternalSemaphoresWaitNodeSetParams)                                            \
    X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) X(cudaGraphExecMemcpyNodeSetParamsToSymbol)      \
    X(cudaGraphExecNodeSetParams) X(cudaGraphExternalSemaphoresSignalNodeGetParams)                \
    X(cudaGraphExternalSemaphoresSignalNodeSetParams)                                              \
    X(cudaGraphExternalSemaphoresWaitNodeGetParams)                                                \
    X(cudaGraphExternalSemaphoresWaitNodeSetParams) X(cudaGraphKernelNodeCopyAttributes)           \
    X(cudaGraphKernelNodeGetAttribute) X(cudaGraphKernelNodeSetAttribute)                          \
    X(cudaGraphMemAllocNodeGetParams) X(cudaGraphMemFreeNodeGetParams)                             \
    X(cudaGraphMemcpyNodeSetParamsFromSymbol) X(cudaGraphMemcpyNodeSetParamsToSymbol)              \
    X(cudaGraphNodeFindInClone) X(cudaGraphNodeSetParams) X(cudaGraphReleaseUserObject)            \
    X(cudaGraphRemoveDependencies) X(cudaGraphRetainUserObject)                                    \
    X(cudaStreamUpdateCaptureDependencies) X(cudaStreamUpdateCaptureDependencies_ptsz)             \
    X(cudaUserObjectCreate) X(cudaUserObjectRelease) X(cudaUserObjectRetain)                       \
    X(cudaGraphRemoveDependencies_v2) X(cudaGraphAddNode_v2)                                       \
    X(cudaStreamUpdateCaptureDependencies_v2) X(cudaStreamUpdateCaptureDependencies_v2_ptsz)

// Buffers and images shared with graphics.
#define UNSUPPORTED_GRAPHICS(X)                                                                    \
    X(cudaEGLStreamConsumerAcquireFrame) X(cudaEGLStreamConsumerConnect)                           \
    X(cudaEGLStreamConsumerConnectWithFlags) X(cudaEGLStreamConsumerDisconnect)                    \
    X(cudaEGLStreamConsumerReleaseFrame) X(cudaEGLStreamProducerConnect)                           \
    X(cudaEGLStreamProducerDisconnect) X(cudaEGLStreamProducerPresentFrame)                        \
    X(cudaEGLStreamProducerReturnFrame) X(cudaEventCreateFromEGLSync) X(cudaGLGetDevices)          \
    X(cudaGLMapBufferObject) X(cudaGLMapBufferObjectAsync) X(cudaGLRegisterBufferObject)           \
    X(cudaGLSetBufferObjectMapFlags) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject)               \
    X(cudaGLUnmapBufferObjectAsync) X(cudaGLUnregisterBufferObject)                                \
    X(cudaGraphicsEGLRegisterImage) X(cudaGraphicsGLRegisterBuffer)                                \
    X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources)                                     \
    X(cudaGraphicsResourceGetMappedEglFrame) X(cudaGraphicsResourceGetMappedMipmappedArray)        \
    X(cudaGraphicsResourceGetMappedPointer) X(cudaGraphicsResourceSetMapFlags)                     \
    X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsUnmapResources)                         \
    X(cudaGraphicsUnregisterResource) X(cudaGraphicsVDPAURegisterOutputSurface)                    \
    X(cudaGraphicsVDPAURegisterVideoSurface) X(cudaVDPAUGetDevice) X(cudaVDPAUSetVDPAUDevice)

// Memory, semaphores and events shared with other processes or devices.
#define UNSUPPORTED_EXTERNAL(X)                                                                    \
    X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore)                                   \
    X(cudaDeviceGetNvSciSyncAttributes) X(cudaExternalMemoryGetMappedBuffer)                       \
    X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaImportExternalMemory)                       \
    X(cudaImportExternalSemaphore) X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle)               \
    X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) X(cudaIpcOpenMemHandle)                       \
    X(cudaMemPoolExportPointer) X(cudaMemPoolExportToShareableHandle)                              \
    X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer)                            \
    X(cudaSignalExternalSemaphoresAsync) X(cudaSignalExternalSemaphoresAsync_ptsz)                 \
    X(cudaWaitExternalSemaphoresAsync) X(cudaWaitExternalSemaphoresAsync_ptsz)                     \
    X(cudaSignalExternalSemaphoresAsync_v2) X(cudaSignalExternalSemaphoresAsync_v2_ptsz)           \
    X(cudaWaitExternalSemaphoresAsync_v2) X(cudaWaitExternalSemaphoresAsync_v2_ptsz)

// Mipmapped arrays, sparse arrays.
#define UNSUPPORTED_MIPMAPS(X)                                                                     \
    X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) X(cudaArrayGetSparseProperties)         \
    X(cudaFreeMipmappedArray) X(cudaGetMipmappedArrayLevel) X(cudaMallocMipmappedArray)            \
    X(cudaMipmappedArrayGetMemoryRequirements) X(cudaMipmappedArrayGetSparseProperties)            \
    X(cudaBindTextureToMipmappedArray)

// Modules that a program loads while it runs, and access to the driver.
#define UNSUPPORTED_LIBRARIES(X)                                                                   \
    X(__cudaGetProcAddress) X(__cudaRegisterHostVar) X(__cudaRegisterUnifiedTable)                 \
    X(cudaGetDriverEntryPoint) X(cudaGetDriverEntryPointByVersion)                                 \
    X(cudaGetDriverEntryPointByVersion_ptsz) X(cudaGetDriverEntryPoint_ptsz)                       \
    X(cudaGetExportTable) X(cudaLibraryEnumerateKernels) X(cudaLibraryGetGlobal)                   \
    X(cudaLibraryGetKernel) X(cudaLibraryGetKernelCount) X(cudaLibraryGetManaged)                  \
    X(cudaLibraryGetUnifiedFunction) X(cudaLibraryLoadData) X(cudaLibraryLoadFromFile)             \
    X(cudaLibraryUnload)

// Many copies or ranges in one call.
#define UNSUPPORTED_BATCHES(X)                                                                     \
    X(cudaMemDiscardAndPrefetchBatchAsync) X(cudaMemDiscardAndPrefetchBatchAsync_ptsz)             \
    X(cudaMemDiscardBatchAsync) X(cudaMemDiscardBatchAsync_ptsz) X(cudaMemPrefetchBatchAsync)      \
    X(cudaMemPrefetchBatchAsync_ptsz) X(cudaMemcpy3DBatchAsync) X(cudaMemcpy3DBatchAsync_ptsz)     \
    X(cudaMemcpyBatchAsync) X(cudaMemcpyBatchAsync_ptsz)

// Logs, notifications and capabilities of the driver.
#define UNSUPPORTED_LOGS(X)                                                                        \
    X(cudaDeviceGetHostAtomicCapabilities) X(cudaDeviceGetP2PAtomicCapabilities)                   \
    X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceUnregisterAsyncNotification)                \
    X(cudaLogsCurrent) X(cudaLogsDumpToFile) X(cudaLogsDumpToMemory) X(cudaLogsRegisterCallback)   \
    X(cudaLogsUnregisterCallback)

// Several devices at once.
#define UNSUPPORTED_DEVICES(X)                                                                     \
    X(cudaLaunchCooperativeKernelMultiDevice)

#endif
