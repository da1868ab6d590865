#if SYSTEM_CODECS
    internal import CTIFF

    /// Strips and tiles ("units"), which libtiff numbers alike.
    extension TIFFHandle {
        var isTiled: Bool { TIFFIsTiled(tiff) != 0 }

        /// Decoded size of a strip or tile, in bytes; of one plane if planes are separate.
        var unitBytes: Int { Int(isTiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff)) }

        var unitRowBytes: Int { Int(isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff)) }

        func offset(of unit: Int) -> Int {
            Int(clamping: TIFFGetStrileOffset(tiff, UInt32(clamping: unit)))
        }

        func byteCount(of unit: Int) -> Int {
            Int(clamping: TIFFGetStrileByteCount(tiff, UInt32(clamping: unit)))
        }

        /// After a fault, `memory` holds the decoded part.
        func decode(
            _ unit: Int, into memory: UnsafeMutableRawBufferPointer, _ compression: TIFFCompression
        ) throws(DecodingFault) {
            try rejectMissing(unit)
            let number = UInt32(clamping: unit)
            let isTiled = isTiled
            let expected = unitBytes
            // Complete uncompressed bytes are read directly into place.
            let isDirect = compression == .none && byteCount(of: unit) >= expected
            if !isDirect { try makeRoom(for: unit, compression) }
            let size = isDirect ? tmsize_t(expected) : -1
            try call(at: offset(of: unit)) {
                isTiled
                    ? TIFFReadEncodedTile(tiff, number, memory.baseAddress, size) >= 0
                    : TIFFReadEncodedStrip(tiff, number, memory.baseAddress, size) >= 0
            }
        }

        /// Decodes the next row of a picture in strips into `unitRowBytes`; faults state `offset`.
        func decodeRow(
            _ row: Int, into memory: UnsafeMutableRawPointer, at offset: Int
        ) throws(DecodingFault) {
            try call(at: offset) { TIFFReadScanline(tiff, memory, UInt32(clamping: row), 0) == 1 }
        }

        func prepare(_ unit: Int, _ compression: TIFFCompression) throws(DecodingFault) {
            try rejectMissing(unit)
            try makeRoom(for: unit, compression)
        }

        /// Allocates room for the compressed bytes, which libtiff, as built by Debian, reads at once
        /// even for a single row; its own buffer would be on the heap.
        private func makeRoom(for unit: Int, _ compression: TIFFCompression) throws(DecodingFault) {
            let offset = offset(of: unit)
            let count = byteCount(of: unit)
            if compression == .jpeg {
                try source.rejectMultipleScans(in: offset, count)
            }
            let needed = Self.bytesRead(of: count, decodedBytes: unitBytes)
            guard needed > compressedCapacity else { return }
            // A quarter more, so that few of the following units need a larger buffer.
            let (capacity, overflow) = needed.addingReportingOverflow(needed / 4)
            guard !overflow else {
                throw DecodingFault(.limit, at: offset, "a strip or tile of \(count) bytes")
            }
            let memory = try FrameMemory(
                bytes: capacity, heapLimit: FrameMemory.unitsOnHeap, scratch: scratch)
            memory.file?.adviseSequentialReads()
            try call(at: offset) {
                TIFFReadBufferSetup(tiff, memory.bytes.baseAddress, tmsize_t(capacity)) == 1
            }
            // Only now: libtiff used the previous buffer until the call.
            compressed = memory
            compressedCapacity = capacity
        }

        private func rejectMissing(_ unit: Int) throws(DecodingFault) {
            let offset = offset(of: unit)
            guard
                isTolerant
                    || offset <= source.length && byteCount(of: unit) <= source.length - offset
            else {
                throw DecodingFault(.truncated, at: offset, "a strip or tile exceeds the file")
            }
        }

        /// Above 1 MB, at most ten times the decoded size and 4096 (libtiff 4.5, `TIFFFillStrip`).
        private static func bytesRead(of count: Int, decodedBytes: Int) -> Int {
            guard count > 1 << 20, decodedBytes > 0, (count - 4096) / 10 > decodedBytes else {
                return count
            }
            // Less than `count`: cannot overflow.
            return decodedBytes * 10 + 4096
        }
    }
#endif
