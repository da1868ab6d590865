internal import AttachmentContainer
package import AttachmentModel

/// Coding of a JPEG (ITU-T T.81).
package struct JPEGCoding: PictureCoding {
    package enum Process: String, Sendable {
        /// All components in one scan: decodes row by row.
        case baseline
        /// Several scans: the library holds every coefficient.
        case progressive
        /// Sequential with one component per scan: held whole, like progressive.
        case nonInterleaved = "non-interleaved"
        /// Arithmetic entropy coding, sequential or progressive; the costlier is assumed.
        case arithmetic
    }

    package let process: Process
    package let sampling: JPEGSampling
    package let quality: Int?
    /// Family of the quantisation tables; `standard` for other encoders.
    package let tables: JPEGQuantisation
    /// Units between restart markers (T.81, B.2.4.4); 0 without markers.
    package let restartInterval: Int

    package init(
        _ process: Process, _ sampling: JPEGSampling = .yCbCr420, quality: Int? = nil,
        tables: JPEGQuantisation = .standard, restartInterval: Int = 0
    ) {
        self.process = process
        self.sampling = sampling
        (self.quality, self.tables) = (quality, tables)
        self.restartInterval = restartInterval
    }

    package var format: AttachmentFormat { .jpeg }
    package var name: String { process.rawValue }
    package var subsamplingName: String? { sampling.name }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind {
        switch process {
        case .baseline, .arithmetic: .none
        case .progressive, .nonInterleaved: header.bitsPerSample == 8 ? .rows : .none
        }
    }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        ProgressiveJPEGDemand.bytes(width: header.storedSize.width, sampling: sampling)
            + Self.libraryTables
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? {
        let isGrey = sampling.components.count == 1
        guard header.bitsPerSample == 8, process == .baseline || kind == .rows else { return nil }
        if header.colourModel == .cmyk {
            // libjpeg holds a row of units, two more groups of rows, and upsampled ones.
            return RowSource(header, rowsAtOnce: 12 * sampling.unitHeight, isReducible: true)
        }
        guard isGrey || sampling.isYCbCr else { return nil }
        return RowSource(
            planes: isGrey
                ? [1] : sampling.components.map { Double($0.horizontal) / sampling.unitWidth },
            rowsAtOnce: 8 * sampling.unitHeight, isReducible: true)
    }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { process != .baseline }

    package func rowGroups(of header: AttachmentHeader) -> RowGroups? {
        guard let groups = restartGroups(of: header) else { return nil }
        return RowGroups(
            count: groups.count, rows: groups.unitRows * 8 * Int(sampling.unitHeight),
            samples: sampling.samplesPerPixel, planes: sampling.components.count,
            padding: 8 * Int(sampling.unitWidth), decoder: Self.secondLibraryDecoder)
    }

    /// Groups that can be decoded in any order; nil without restart markers between rows of units, and
    /// for inks, whose conversion takes more time.
    func restartGroups(of header: AttachmentHeader) -> JPEGRestartGroups? {
        guard process == .baseline, header.bitsPerSample == 8, header.colourModel != .cmyk else {
            return nil
        }
        return JPEGRestartGroups(
            size: header.storedSize, sampling: sampling, interval: restartInterval)
    }

    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        // libjpeg holds every coefficient, two bytes each (T.81: one per sample).
        let coefficients =
            2 * Double(header.storedSize.pixelCount) * sampling.samplesPerPixel * Self.blockPadding
        return LibraryDemand(
            decoder: Self.libraryTables, picture: process == .baseline ? 0 : coefficients)
    }

    /// Every coefficient of several scans is held, two bytes each.
    package func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding {
        ImageIODecoding(
            isSubsampled: true,
            heldBytes: process == .baseline ? 0 : 2 * sampling.samplesPerPixel * Self.blockPadding)
    }

    package var shrinkOnLoad: ShrinkOnLoad { .divisors }
    /// libjpeg decodes up to 16 rows at once.
    package var rowBuffering: RowBuffering { RowBuffering(atOnce: 16) }

    package func isDisplayReady(_ header: AttachmentHeader) -> Bool {
        process == .baseline && header.colourModel != .cmyk
    }

    package var rate: DecodingRate {
        process == .baseline
            ? DecodingRate(pixel: 0.79, byte: 29.8, bytesPerPixel: 1)
            : DecodingRate(pixel: 5.1, byte: 81.2, bytesPerPixel: 1)
    }

    /// Tables and buffers of libjpeg, in bytes.
    static let libraryTables = 400_000.0
    /// Tables and buffers of another decoder, in bytes, without its rows: 16 KB to read into, 34 KB
    /// of tables of libjpeg and 42 KB of ours, and a quarter as much again.
    private static let secondLibraryDecoder = 120_000.0
    /// Padding of blocks to whole units, which matters in small pictures.
    private static let blockPadding = 1.05
}
