#if canImport(CoreGraphics)
    import AttachmentContainer
    package import CoreGraphics
    import Foundation

    extension AttachmentFile {
        /// Direct access: ImageIO asks for bytes at a position, and no whole plaintext exists.
        package func decryptingProvider() -> CGDataProvider? {
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
