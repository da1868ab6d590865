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
    }
#endif
