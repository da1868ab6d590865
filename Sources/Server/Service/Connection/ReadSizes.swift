import NIOCore

/// Reads of heads and small bodies: at most 16 KiB, whose buffer the connection keeps for its next read.
enum SmallReads {
    static var allocator: any RecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 << 10)
    }
}

/// Reads of the bodies of uploads, whose number the service limits: at most 64 KiB.
///
/// Each part of a body wakes the task of its request, at about the cost of hashing 16 KiB. No buffer
/// outlives its part, so that a connection keeps only its small one.
struct LargeReads: RecvByteBufferAllocator {
    private static let length = 64 << 10

    /// Parts that wait for the task of a request: 192 KiB of a body, at most.
    static let backPressure =
        NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
            lowWatermark: 1, highWatermark: 3)

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: Self.length)
    }

    /// True keeps `NIOPooledRecvBufferAllocator` from using a buffer again.
    func record(actualReadBytes: Int) -> Bool { true }

    func nextBufferSize() -> Int? { nil }
}

extension Channel {
    /// Changes the size of the next reads, from any thread; a closed connection has none.
    func setReads(_ allocator: any RecvByteBufferAllocator) {
        setOption(.recvAllocator, value: allocator).whenFailure { _ in }
    }
}
