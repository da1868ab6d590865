#if canImport(ImageIO)
    import AttachmentContainer
    import AttachmentModel
    import Foundation
    import ImageIO

    extension AttachmentFile {
        /// The attachment for ImageIO: mapped, or decrypted where it is read; nil if unrecognised.
        func imageSource(_ options: CFDictionary) throws(SystemFault) -> CGImageSource? {
            guard isEncrypted else {
                return CGImageSourceCreateWithData(try mappedBytes() as CFData, options)
            }
            guard let provider = decryptingProvider() else {
                throw SystemFault(.memory, "Core Graphics has no memory for it")
            }
            return CGImageSourceCreateWithDataProvider(provider, options)
        }

        /// File-backed pages, which are no footprint.
        private func mappedBytes() throws(SystemFault) -> NSData {
            let length = length.bytes
            let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0)
            guard length > 0, let start, start != MAP_FAILED else {
                throw SystemFault(.memory, "the file cannot be mapped")
            }
            return NSData(bytesNoCopy: start, length: length) { start, length in
                munmap(start, length)
            }
        }

        /// Direct access: ImageIO asks for bytes at a position, and no whole plaintext exists.
        private func decryptingProvider() -> CGDataProvider? {
            var callbacks = CGDataProviderDirectCallbacks(
                version: 0, getBytePointer: nil, releaseBytePointer: nil,
                getBytesAtPosition: { context, buffer, position, count in
                    guard let context, let start = Int(exactly: position) else { return 0 }
                    return Unmanaged<AttachmentFile>.fromOpaque(context).takeUnretainedValue()
                        .fill(UnsafeMutableRawBufferPointer(start: buffer, count: count), at: start)
                },
                releaseInfo: { context in
                    // Balances the reference below.
                    if let context { Unmanaged<AttachmentFile>.fromOpaque(context).release() }
                })
            let context = Unmanaged.passRetained(self)
            let provider = CGDataProvider(
                directInfo: context.toOpaque(), size: off_t(length.bytes), callbacks: &callbacks)
            if provider == nil { context.release() }
            return provider
        }

        /// Fills a buffer; fewer bytes at the end of the file or after a failed read, which ImageIO takes
        /// for the end.
        private func fill(_ buffer: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
            var count = 0
            while count < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                guard let taken = try? openFile.read(into: rest, at: position + count), taken > 0
                else { break }
                count += taken
            }
            return count
        }
    }
#endif
