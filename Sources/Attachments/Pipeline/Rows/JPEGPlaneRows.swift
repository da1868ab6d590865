#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats
    internal import CJPEG
    import Foundation

    /// The planes of a JPEG as coded, YCbCr with its subsampling or grey, or its inks as CMYK.
    final class JPEGPlaneRows: PlaneRows {
        let layout: PlaneLayout
        let profile: [UInt8]?
        /// Most rows of each plane in a call.
        let rowsAtOnce: [Int]
        private let reader: OpaquePointer
        private let stream: ByteStream
        private let blocks: JPEGBlockRows?
        private let decodingNotes: DecodingNotes
        private var isFinished = false
        /// Rows of every plane in a row of MCUs.
        private var rows = Array(repeating: thimble_jpeg_rows(), count: Int(thimble_jpeg_planes))

        /// Reads the header; `loadShrink` is the divisor of both sides: 1, 2, 4 or 8.
        ///
        /// With coefficients, the stream is their header.
        init(
            _ stream: ByteStream, _ coefficients: JPEGCoefficients? = nil, loadShrink: Int,
            keepsProfile: Bool, _ strictness: DecodeStrictness,
            notes: DecodingNotes = DecodingNotes()
        ) throws(DecodingFault) {
            let blocks = coefficients.map(JPEGBlockRows.init)
            // Stream and blocks outlive the reader, because all belong to this object.
            let made = thimble_jpeg_reader_new(
                { context, bytes, count in
                    guard let context else { return -1 }
                    return Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue()
                        .read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
                }, Unmanaged.passUnretained(stream).toOpaque(), strictness.ofJPEG)
            guard let made else { throw .noMemoryForJPEG }
            blocks?.give(to: made)
            var planes = Array(repeating: thimble_jpeg_plane(), count: Int(thimble_jpeg_planes))
            var count: CInt = 0
            let status = thimble_jpeg_reader_start(
                made, CInt(8 / loadShrink), keepsProfile, &planes, &count)
            guard status == THIMBLE_JPEG_OK else {
                let fault = stream.fault(status, message: thimble_jpeg_reader_message(made))
                thimble_jpeg_reader_free(made)
                throw fault
            }
            reader = made
            self.blocks = blocks
            decodingNotes = notes
            self.stream = stream
            layout = PlaneLayout(
                // The largest sample is no ink, as Adobe's programs write. All readers assume it without
                // Adobe's marker too.
                colours: planes[0].bands == 4 ? .invertedCMYK : count == 1 ? .grey : .yCbCr,
                planes: planes.prefix(Int(count)).map {
                    PlaneLayout.Plane(
                        PixelSize(width: Int($0.width), height: Int($0.height)),
                        covered: ($0.covered_width, $0.covered_height))
                })
            rowsAtOnce = planes.prefix(Int(count)).map { Int($0.rows) }
            var length = 0
            let bytes = keepsProfile ? thimble_jpeg_reader_profile(made, &length) : nil
            profile = bytes.map { Array(UnsafeBufferPointer(start: $0, count: length)) }
            free(bytes)
        }

        func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
            guard !isFinished else { return false }
            let status = thimble_jpeg_reader_next(reader, &rows)
            if status != THIMBLE_JPEG_OK { isFinished = true }
            try check(status)
            guard rows[0].count > 0 else {
                isFinished = true
                decodingNotes.add(thimble_jpeg_reader_notes(reader))
                return false
            }
            for plane in layout.planes.indices {
                for index in 0..<Int(rows[plane].count) {
                    // The reader has written that many rows.
                    if let first = rows[plane].first {
                        row(plane, UnsafeRawPointer(first + index * rows[plane].stride))
                    }
                }
            }
            return true
        }

        /// Numbers the row of units that is read next, for a stream that leaves out rows before it.
        func place(atUnitRow row: Int) { thimble_jpeg_reader_place(reader, CInt(row)) }

        /// True once a fault was found that lost no pixel, other than restart markers out of order.
        var hasFaults: Bool {
            thimble_jpeg_reader_notes(reader) & ~THIMBLE_JPEG_RESTARTS.rawValue != 0
        }

        /// Reads up to the next marker; true if bytes before it or before restart markers were skipped.
        ///
        /// To be called after the last row of a restart interval.
        func hasSkippedBytes() -> Bool {
            isFinished || thimble_jpeg_reader_skipped_bytes(reader)
        }

        private func check(_ status: thimble_jpeg_status) throws(DecodingFault) {
            guard status == THIMBLE_JPEG_OK else {
                throw blocks?.fault
                    ?? stream.fault(status, message: thimble_jpeg_reader_message(reader))
            }
        }

        deinit {
            thimble_jpeg_reader_free(reader)
        }
    }

    extension DecodeStrictness {
        fileprivate var ofJPEG: thimble_jpeg_strictness {
            switch self {
            case .tolerant: THIMBLE_JPEG_TOLERANT
            case .error, .loss: THIMBLE_JPEG_LOSS
            case .warning: THIMBLE_JPEG_WARNING
            }
        }
    }

    extension DecodingNotes {
        fileprivate func add(_ notes: UInt32) {
            for (note, fault) in Self.ofJPEG where notes & note.rawValue != 0 { add(fault) }
        }

        private static var ofJPEG: [(thimble_jpeg_note, HarmlessFault)] {
            [
                (THIMBLE_JPEG_ADOBE_TRANSFORM, .adobeTransform),
                (THIMBLE_JPEG_JFIF_VERSION, .jfifVersion),
                (THIMBLE_JPEG_MISSING_END, .missingEnd),
                (THIMBLE_JPEG_REPEATED_COMPONENTS, .repeatedComponents),
                (THIMBLE_JPEG_RESTARTS, .restartOrder),
                (THIMBLE_JPEG_SCAN_PARAMETERS, .scanParameters),
                (THIMBLE_JPEG_STRAY_BYTES, .strayBytes),
            ]
        }
    }

    extension ByteStream {
        fileprivate func fault(
            _ status: thimble_jpeg_status, message: UnsafePointer<CChar>?
        ) -> DecodingFault {
            if let fault { return fault }
            let message = message.map { String(cString: $0) } ?? ""
            return switch status {
            case THIMBLE_JPEG_TRUNCATED: DecodingFault(.truncated, at: offset, message)
            case THIMBLE_JPEG_UNSUPPORTED: DecodingFault(.unsupported, at: offset, message)
            case THIMBLE_JPEG_NO_MEMORY: .noMemoryForJPEG
            default: DecodingFault(.corrupt, at: offset, message)
            }
        }
    }

    extension DecodingFault {
        fileprivate static let noMemoryForJPEG = DecodingFault(
            .overCeiling, at: 0, "there is no memory for libjpeg")
    }
#endif
