package import AttachmentPipeline

#if SYSTEM_CODECS
    package import AttachmentContainer
    import CAV1

    /// Encodes stills by libaom, which the worker with libvips links for libheif anyway.
    package struct LibaomEncoder: StillEncoder {
        package init() {}

        package let library = "libaom \(String(cString: thimble_av1_version()))"

        /// Measured of libaom 3.6: 5.7 MB at 256 pixels a side and 4:4:4, 3.5 MB at 180 and 4:2:0, for
        /// noise and for a gradient.
        package let demand = ByteCount(6_500_000)

        package func encode(
            _ planes: StillPlanes, atMost bytes: Int, isCancelled: @escaping () -> Bool
        ) throws(StillFailure) -> (unit: [UInt8], encodes: Int) {
            var unit = [UInt8](repeating: 0, count: bytes + Self.mostBytesOfHeaders)
            var still = thimble_av1_still()
            let status = unit.withUnsafeMutableBufferPointer { unit in
                still.unit = unit.baseAddress
                still.capacity = unit.count
                return Self.encode(planes, bytes, &still, Cancellation(isCancelled))
            }
            switch status {
            case THIMBLE_AV1_OK:
                return (Array(unit.prefix(still.length)), Int(still.encodes))
            case THIMBLE_AV1_OVER_BUDGET: throw .overBudget
            case THIMBLE_AV1_CANCELLED: throw .cancelled
            case THIMBLE_AV1_NO_MEMORY: throw .noMemory
            default: throw .failed(still.reason.map { String(cString: $0) } ?? "unknown error")
            }
        }

        /// Delimiter, sequence header, and the head of the frame's unit have 17 at most.
        private static let mostBytesOfHeaders = 32

        private final class Cancellation {
            let isRequested: () -> Bool
            init(_ isRequested: @escaping () -> Bool) { self.isRequested = isRequested }
        }

        private static func encode(
            _ planes: StillPlanes, _ bytes: Int, _ still: inout thimble_av1_still,
            _ cancellation: Cancellation
        ) -> thimble_av1_status {
            // Lives until the call returns, and so do the planes.
            withExtendedLifetime(cancellation) {
                planes.samples[0].withUnsafeBufferPointer { luma in
                    planes.samples[1].withUnsafeBufferPointer { blue in
                        planes.samples[2].withUnsafeBufferPointer { red in
                            let chroma = planes.chromaSize.width
                            var picture = thimble_av1_picture(
                                planes: (luma.baseAddress, blue.baseAddress, red.baseAddress),
                                strides: (planes.size.width, chroma, chroma),
                                width: UInt32(planes.size.width),
                                height: UInt32(planes.size.height),
                                halves_chroma: planes.halvesChroma)
                            return thimble_av1_encode(
                                &picture, bytes, &still,
                                { context in
                                    guard let context else { return true }
                                    return Unmanaged<Cancellation>.fromOpaque(context)
                                        .takeUnretainedValue().isRequested()
                                },
                                Unmanaged.passUnretained(cancellation).toOpaque())
                        }
                    }
                }
            }
        }
    }
#endif

/// The encoder that this build has for inline pictures.
package enum InlineEncoder {
    /// libaom; nil without the system's codecs.
    package static var linked: (any StillEncoder)? {
        #if SYSTEM_CODECS
            LibaomEncoder()
        #else
            nil
        #endif
    }

    /// Name and version of its library; nil without one.
    package static var library: String? { linked?.library }
}
