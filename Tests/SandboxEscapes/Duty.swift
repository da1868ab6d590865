#if os(Linux)
    import CEscapes
    import Foundation
    import ProcessSandbox

    /// Something that a worker must still be able to do.
    struct Duty: Sendable {
        /// Its name in the tests.
        let name: String
        /// Does it: 0, or the number of the error.
        let perform: @Sendable (Playground) -> CInt

        static let all: [Duty] = [
            Duty(name: "make, write, read and empty a file") { playground in
                let path = "\(playground.incoming)/mine"
                let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
                guard descriptor >= 0 else { return errno }
                defer { close(descriptor) }
                var byte: UInt8 = 7
                guard write(descriptor, "x", 1) == 1, pread(descriptor, &byte, 1, 0) == 1,
                    byte == UInt8(ascii: "x"), fsync(descriptor) == 0,
                    ftruncate(descriptor, 0) == 0
                else { return errno == 0 ? EIO : errno }
                return 0
            },
            Duty(name: "move a file to what is stored") { playground in
                guard mkdir("\(playground.stored)/ab", 0o700) == 0 else { return errno }
                return rename("\(playground.incoming)/mine", "\(playground.stored)/ab/mine") == 0
                    ? 0 : errno
            },
            Duty(name: "mark what is stored as used now") { playground in
                utimensat(AT_FDCWD, "\(playground.stored)/file", nil, 0) == 0 ? 0 : errno
            },
            Duty(name: "make a stored folder durable") { playground in
                escape_open("\(playground.stored)/ab", O_RDONLY | O_DIRECTORY)
            },
            Duty(name: "list and remove files") { playground in
                guard let names = opendir(playground.incoming) else { return errno }
                closedir(names)
                return unlink("\(playground.incoming)/mine3") == 0 ? 0 : errno
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

    extension Playground {
        /// What the sandbox leaves open of it.
        var allowed: [AllowedPath] {
            [
                AllowedPath(
                    incoming,
                    [
                        .readFiles, .writeFiles, .openFolders, .makeFiles, .removeFiles,
                        .moveFiles,
                    ]),
                AllowedPath(
                    stored, [.openFolders, .makeFiles, .makeFolders, .removeFiles, .moveFiles]),
            ]
        }
    }
#endif
