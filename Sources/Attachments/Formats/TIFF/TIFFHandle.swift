#if SYSTEM_CODECS
    internal import CTIFF

    /// An open TIFF file; all calls to libtiff go through this class.
    ///
    /// libtiff's memory is bounded. Single allocations have a ceiling, and the reduced directory keeps
    /// them few. Compressed bytes are in our memory, file-backed if large.
    final class TIFFHandle {
        /// In bytes: libtiff's arrays for `TIFFCoding.unitCeiling`; its tables are smaller (LZW:
        /// 82 KB).
        private static let allocationCeiling = 8 * TIFFCoding.unitCeiling + 4096

        let tiff: OpaquePointer
        let source: TIFFSource
        /// Buffer for compressed strips or tiles, which libtiff does not free.
        var compressed: FrameMemory?
        var compressedCapacity = 0
        let scratch: ScratchSpace
        let isTolerant: Bool

        private let messages = TIFFMessages()
        private let notes: DecodingNotes
        // Owned by this value, whose `deinit` closes libtiff first.
        private let receiver: UnsafeMutablePointer<ThimbleTIFFMessages>

        /// A tolerant handle leaves damaged parts blank.
        init(
            _ source: TIFFSource, scratch: ScratchSpace, isTolerant: Bool, notes: DecodingNotes
        ) throws(DecodingFault) {
            (self.source, self.scratch, self.isTolerant) = (source, scratch, isTolerant)
            self.notes = notes
            receiver = .allocate(capacity: 1)
            // `messages` and `source` outlive the libtiff handle.
            receiver.initialize(
                to: ThimbleTIFFMessages(
                    receive: messageCallback,
                    context: Unmanaged.passUnretained(messages).toOpaque()))
            let opened = thimble_tiff_open(
                Unmanaged.passUnretained(source).toOpaque(), readCallback, seekCallback,
                sizeCallback,
                receiver, tmsize_t(Self.allocationCeiling))
            guard let opened else {
                receiver.deallocate()
                throw source.fault ?? messages.fault(at: 0)
            }
            tiff = opened
            messages.harmless.forEach(notes.add)
        }

        deinit {
            TIFFClose(tiff)
            receiver.deallocate()
        }

        /// Calls libtiff; without tolerance, a message about damage is a fault despite success.
        func call(at offset: Int, _ body: () -> Bool) throws(DecodingFault) {
            messages.clear()
            source.clearFault()
            let isDone = body()
            if let fault = source.fault { throw fault }
            guard isDone, isTolerant || messages.damage == nil else {
                throw messages.fault(at: offset)
            }
            messages.harmless.forEach(notes.add)
        }

        /// Requests RGB for YCbCr in JPEG; this changes the row size.
        func expectRGB() { _ = thimble_tiff_expect_rgb(tiff) }

        /// A 16-bit tag or its default; nil without either.
        func integer16(_ tag: UInt16) -> Int? {
            var value: UInt16 = 0
            return thimble_tiff_get_16(tiff, UInt32(tag), &value) == 1 ? Int(value) : nil
        }

        func integer32(_ tag: UInt16) -> Int? {
            var value: UInt32 = 0
            return thimble_tiff_get_32(tiff, UInt32(tag), &value) == 1 ? Int(value) : nil
        }

        /// Kinds of the extra samples (TIFF 6.0, section 18).
        var extraSamples: [UInt16] {
            var count: UInt16 = 0
            var kinds: UnsafePointer<UInt16>?
            guard thimble_tiff_get_extra_samples(tiff, &count, &kinds) == 1, let kinds else {
                return []
            }
            // libtiff's memory, valid until the directory changes.
            return Array(UnsafeBufferPointer(start: kinds, count: Int(count)))
        }

        /// 16-bit colours of the palette, `1 << bits` of them; nil if missing.
        func colourMap(bits: Int) -> [(red: UInt16, green: UInt16, blue: UInt16)]? {
            var red: UnsafePointer<UInt16>?
            var green: UnsafePointer<UInt16>?
            var blue: UnsafePointer<UInt16>?
            guard thimble_tiff_get_colour_map(tiff, &red, &green, &blue) == 1, let red, let green,
                let blue
            else { return nil }
            return (0..<1 << bits).map { (red[$0], green[$0], blue[$0]) }
        }
    }

    private let messageCallback: ThimbleTIFFReceiver = { context, isError, module, text in
        guard let context, let module, let text else { return }
        Unmanaged<TIFFMessages>.fromOpaque(context).takeUnretainedValue().add(
            isError: isError != 0, module: String(cString: module), text: String(cString: text))
    }

    /// Never -1: libtiff 4.5 adds the result to its position in a buffer.
    private let readCallback: TIFFReadWriteProc = { client, bytes, count in
        guard let client, let bytes, count > 0 else { return 0 }
        let source = Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue()
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        return tmsize_t(source.read(into: buffer))
    }

    private let seekCallback: TIFFSeekProc = { client, offset, whence in
        guard let client else { return .max }
        let source = Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue()
        return source.seek(offset, whence: whence).map(UInt64.init) ?? .max
    }

    private let sizeCallback: TIFFSizeProc = { client in
        guard let client else { return 0 }
        return UInt64(Unmanaged<TIFFSource>.fromOpaque(client).takeUnretainedValue().length)
    }
#endif
