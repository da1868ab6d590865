#if os(Linux)
    import CEscapes
    import Foundation
    import WorkerProtocol

    /// Operation that a worker must still be able to perform.
    struct Duty: Sendable {
        let name: String
        /// Performs it; returns 0 or an error number.
        let perform: @Sendable (Playground) -> CInt

        static let all: [Duty] = [
            Duty(name: "write, read and empty a file that it was handed") { playground in
                var byte: UInt8 = 7
                guard write(playground.output, "x", 1) == 1,
                    pread(playground.output, &byte, 1, 0) == 1, byte == UInt8(ascii: "x"),
                    ftruncate(playground.output, 0) == 0
                else { return errno == 0 ? EIO : errno }
                return 0
            },
            Duty(name: "take room for a file that it was handed, and map it") { playground in
                let error = posix_fallocate(playground.output, 0, 4096)
                guard error == 0 else { return error }
                let block = mmap(
                    nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, playground.output, 0)
                guard let block, block != MAP_FAILED else { return errno }
                return munmap(block, 4096) == 0 ? 0 : errno
            },
            Duty(name: "ask for the length of a file that it was handed") { playground in
                var status = stat()
                return fstat(playground.input, &status) == 0 ? 0 : errno
            },
            Duty(name: "start a thread") { _ in
                var thread = pthread_t()
                let error = pthread_create(&thread, nil, { _ in nil }, nil)
                if error == 0 { pthread_join(thread, nil) }
                return error
            },
            Duty(name: "take memory and give it back") { _ in
                let block = mmap(
                    nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                guard let block, block != MAP_FAILED else { return errno }
                return munmap(block, 1 << 20) == 0 ? 0 : errno
            },
        ]
    }
#endif
