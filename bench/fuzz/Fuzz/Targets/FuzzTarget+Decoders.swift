import AttachmentContainer
import AttachmentFormats
import AttachmentJPEGXL
import AttachmentModel
import Foundation

extension FuzzTarget {
    /// Header parsers.
    static let headers = [
        FuzzTarget("probe") { input in
            input.withFile { file in
                _ = try? probed(file)
            }
        }
    ]

    /// Reads the header of an open file.
    static func probed(_ file: OpenFile) throws(AttachmentError) -> ProbedAttachment {
        try Probe().attachment(AttachmentFile(descriptor: dup(file.descriptor), path: "input"))
    }

    static let decoders = [
        simpler("progressive-jpeg") { file, isTolerant throws(DecodingFault) in
            try ProgressiveJPEGStream(
                file, loadShrink: 1 << (file.length & 3),
                isTolerant: isTolerant)
        },
        // Damage is always a fault; the modes differ in where the coefficients lie.
        simpler("turned-jpeg") { file, isTolerant throws(DecodingFault) in
            try TurnedJPEGStream(
                file, Orientation(rawValue: 2 + file.length % 7) ?? .mirrored, ceiling: most,
                scratch: isTolerant ? scratch : nil, isCancelled: { false })
        },
        simpler("interlaced-png") { file, isTolerant throws(DecodingFault) in
            try InterlacedPNGStream(file, isTolerant: isTolerant)
        },
        simpler("stripped-jpeg") { file, _ in
            StrippedJPEGStream(file)
        },
        simpler("stripped-png") { file, _ in
            StrippedPNGStream(file)
        },
        rows("lossless-webp") { file, isTolerant throws(DecodingFault) in
            try LosslessWebPRows(
                file, scratch: scratch, isTolerant: isTolerant)
        },
        rows("lossy-webp") { file, isTolerant throws(DecodingFault) in
            guard case .picture(let header) = try? probed(file) else {
                throw DecodingFault(.corrupt, at: 0, "it has no header")
            }
            let size = header.storedSize
            let divisor = 1 << (file.length & 1)
            return try LossyWebPRows(
                file, width: max(1, size.width / divisor),
                height: max(1, size.height / divisor), scratch: scratch, isTolerant: isTolerant)
        },
        FuzzTarget("lossy-webp-planes") { input in
            strictlyAndTolerantly(input) { file, isTolerant throws(DecodingFault) in
                try readRows(
                    of: LossyWebPPlanes(
                        file, loadShrink: 1 << (file.length & 3), scratch: scratch,
                        isTolerant: isTolerant))
            }
        },
        rows("webp-alpha") { file, isTolerant throws(DecodingFault) in
            try WebPAlphaRows(
                file, scratch: scratch, isTolerant: isTolerant)
        },
        rows("gif") { file, isTolerant throws(DecodingFault) in
            try GIFRows(file, tolerating: isTolerant ? .everything : .harmless)
        },
        FuzzTarget("heif") { input in readHEIF(input) },
        rows("tiff") { file, isTolerant throws(DecodingFault) in
            try TIFFRows(
                file, scratch: scratch, isTolerant: isTolerant)
        },
        rows("bmp") { file, isTolerant throws(DecodingFault) in
            try BMPRows(file, isTolerant: isTolerant)
        },
        rows("png-rows") { file, isTolerant throws(DecodingFault) in
            guard
                let attachment = try? AttachmentFile(
                    descriptor: dup(file.descriptor), path: "input")
            else { throw DecodingFault(.unreadable, at: 0, "it cannot be opened") }
            return try PNGRows(
                DecoderInput(
                    attachment, for: .rows, isTolerant: isTolerant, isPreview: false,
                    requestedSize: PixelSize(width: 1, height: 1), loadShrink: 1,
                    scratch: scratch, isCancelled: { false }))
        },
        rows("jpeg-xl") { file, isTolerant throws(DecodingFault) in
            guard case .picture(let header) = try? probed(file),
                let coding = header.coding as? JPEGXLCoding,
                let attachment = try? AttachmentFile(
                    descriptor: dup(file.descriptor), path: "input")
            else { throw DecodingFault(.corrupt, at: 0, "it has no header") }
            let input = DecoderInput(
                attachment, for: .rows, isTolerant: isTolerant, isPreview: false,
                requestedSize: header.storedSize, loadShrink: 1, scratch: scratch,
                isCancelled: { false })
            return try JPEGXLRows(header, coding, in: input)
        },
    ]

    /// Scratch space of decoders.
    ///
    /// The limit is far below the demand of pictures with large declared sizes.
    static let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 4 << 20)

    /// Limit on the bytes decoded per input, which keeps the rate of inputs high.
    private static let most = 1 << 20

    private static func rows(
        _ name: String,
        open: @escaping @Sendable (OpenFile, Bool) throws(DecodingFault) -> any DecodedRows
    ) -> FuzzTarget {
        FuzzTarget(name) { input in readRows(of: input, open) }
    }

    /// Reads rows strictly and tolerantly.
    private static func readRows(
        of input: FuzzInput, _ open: (OpenFile, Bool) throws(DecodingFault) -> any DecodedRows
    ) {
        strictlyAndTolerantly(input) { file, isTolerant throws(DecodingFault) in
            let rows = try open(file, isTolerant)
            let layout = rows.layout
            try withBuffer(of: layout.rowBytes) { row throws(DecodingFault) in
                let count = min(layout.height, max(1, most / layout.rowBytes))
                for _ in 0..<count { try rows.readRow(into: row) }
            }
        }
    }

    /// Reads the rows of a HEIF or AVIF file.
    static func readHEIF(_ input: FuzzInput) {
        readRows(of: input) { file, isTolerant throws(DecodingFault) in
            try HEIFRows(
                in: file, scratch: scratch, isTolerant: isTolerant, heapCeiling: 16 << 20,
                isCancelled: { false })
        }
    }

    /// Reads every row of every plane, in order and in full.
    private static func readRows(of source: any DecodedPlanes) throws(DecodingFault) {
        let (planes, bands) = (source.planes, source.hasAlpha ? 2 : 1)
        var (rows, bytes) = (planes.map { _ in 0 }, 0)
        while bytes < most,
            try source.next({ plane, row in
                let row = UnsafeRawBufferPointer(start: row, count: bands * planes[plane].width)
                bytes += row.count + Int(row[row.count - 1] & 1)
                rows[plane] += 1
            })
        {}
        precondition(bytes >= most || rows == planes.map(\.height))
    }

    private static func simpler(
        _ name: String,
        open: @escaping @Sendable (OpenFile, Bool) throws(DecodingFault) -> any SimplerFile
    ) -> FuzzTarget {
        FuzzTarget(name) { input in
            strictlyAndTolerantly(input) { file, isTolerant throws(DecodingFault) in
                let stream = try open(file, isTolerant)
                try withBuffer(of: 1 << 12) { buffer throws(DecodingFault) in
                    var count = 0
                    while count < most, case let new = try stream.read(into: buffer), new > 0 {
                        count += new
                    }
                }
            }
        }
    }

    /// Decodes an input in strict and tolerant mode and checks the faults.
    private static func strictlyAndTolerantly(
        _ input: FuzzInput, _ read: (OpenFile, Bool) throws(DecodingFault) -> Void
    ) {
        guard !input.bytes.isEmpty else { return }
        input.withFile { file in
            for isTolerant in [false, true] {
                do throws(DecodingFault) {
                    try read(file, isTolerant)
                } catch {
                    precondition(error.offset >= 0 && !error.reason.isEmpty)
                }
            }
        }
    }

    private static func withBuffer(
        of count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { buffer.deallocate() }
        try body(buffer)
    }
}
