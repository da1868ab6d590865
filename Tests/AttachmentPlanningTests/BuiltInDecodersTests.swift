import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Builds without some decoders") struct BuiltInDecodersTests {
    private static let size = PixelSize(width: 1600, height: 1200)

    private static let codings: [(coding: any PictureCoding, library: DecoderLibrary?)] = [
        (JPEGCoding(.baseline), nil), (JPEGCoding(.progressive), nil), (PNGCoding(), nil),
        (PNGCoding(isInterlaced: true), nil), (GIFCoding(), nil), (WebPCoding.lossless, nil),
        (WebPCoding.lossy, .libwebp),
        (TIFFCoding.strips(PixelSize(width: 1600, height: 16)), .libtiff),
        (HEIFCoding(isAV1: false, .single, frames: []), .libde265),
        (HEIFCoding(isAV1: true, .single, frames: []), .dav1d),
    ]

    private func header(_ coding: any PictureCoding, frames: Int = 1) -> AttachmentHeader {
        AttachmentHeader(
            coding, storedSize: Self.size, colourModel: .rgb, frameCount: frames,
            fileBytes: .megabytes(1))
    }

    private func planner(_ decoders: BuiltInDecoders) -> Planner {
        Planner(settings: ProcessingSettings(), decoders: decoders)
    }

    @Test("This build, with the system's codecs, has every decoder")
    func complete() {
        #expect(BuiltInDecoders.built == .all)
        for (coding, library) in Self.codings {
            #expect(coding.decoderLibrary == library)
            #expect(planner(.all).canDecode(header(coding)))
        }
    }

    @Test("Without a library its format has no bounded decoder, and others are planned as before")
    func without() throws {
        for missing in DecoderLibrary.allCases {
            var decoders = BuiltInDecoders.all
            decoders.libraries.remove(missing)
            let planner = planner(decoders)
            for (coding, library) in Self.codings {
                let header = header(coding)
                let steps = planner.ladder(header).steps
                guard library == missing else {
                    #expect(steps == self.planner(.all).ladder(header).steps)
                    continue
                }
                #expect(steps.allSatisfy { $0.plan.decoder == .library })
                #expect(steps.allSatisfy { $0.plan.engine == .libvips })
                #expect(planner.canDecode(header))
            }
        }
    }

    @Test("The framework decodes with libvips alone, and refuses what it cannot predict or decode")
    func framework() {
        let planner = planner(.vipsFramework)
        for (coding, library) in Self.codings {
            let header = header(coding)
            #expect(planner.canDecode(header) == (library == nil || library == .libwebp))
            guard planner.canDecode(header) else { continue }
            let steps = planner.ladder(header).steps
            #expect(!steps.isEmpty && steps.allSatisfy { $0.plan.engine == .libvips })
            #expect(steps.allSatisfy { $0.plan.decoder != .animation })
        }
    }

    @Test("Without the engine of rows animations are stills, by libvips")
    func animations() {
        for coding in [GIFCoding(), WebPCoding.lossy] as [any PictureCoding] {
            let header = header(coding, frames: 12)
            #expect(planner(.all).ladder(header).steps[0].plan.rung == .animated)
            let steps = planner(.vipsFramework).ladder(header).steps
            #expect(steps.allSatisfy { $0.plan.rung != .animated && $0.plan.engine == .libvips })
        }
    }
}
