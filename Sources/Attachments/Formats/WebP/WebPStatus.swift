#if SYSTEM_CODECS
    internal import CWebP

    /// A status of libwebp's decoder for faulty bytes, and its loss; libwebp has no warnings.
    ///
    /// It decodes lossy pictures. Lossless ones and alpha are decoded by our reader, with the same
    /// losses.
    package struct WebPStatus: Sendable {
        package let name: String
        package let loss: FaultLoss
        private let code: UInt32

        package static let known = [
            WebPStatus("VP8_STATUS_BITSTREAM_ERROR", VP8_STATUS_BITSTREAM_ERROR, .pixels),
            // At the end of the data.
            WebPStatus("VP8_STATUS_SUSPENDED", VP8_STATUS_SUSPENDED, .rest),
            WebPStatus("VP8_STATUS_NOT_ENOUGH_DATA", VP8_STATUS_NOT_ENOUGH_DATA, .rest),
            WebPStatus("VP8_STATUS_UNSUPPORTED_FEATURE", VP8_STATUS_UNSUPPORTED_FEATURE, .picture),
        ]

        private init(_ name: String, _ status: VP8StatusCode, _ loss: FaultLoss) {
            (self.name, self.loss, code) = (name, loss, status.rawValue)
        }

        static func loss(of status: VP8StatusCode) -> FaultLoss {
            known.first { $0.code == status.rawValue }?.loss ?? .pixels
        }
    }
#endif
