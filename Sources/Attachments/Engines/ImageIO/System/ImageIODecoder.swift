#if canImport(ImageIO)
    import AttachmentContainer
    import AttachmentModel
    import Foundation
    import ImageIO

    /// Decodes with ImageIO in this process, and with Quick Look in one of the system's.
    struct ImageIODecoder: SystemDecoding {
        var version: String { ProcessInfo.processInfo.operatingSystemVersionString }

        func decode(_ request: ThumbnailRequest) throws(SystemFault) -> CoreGraphicsPicture {
            let image =
                switch request.source {
                case .picture(let factor): try knownThumbnail(request, factor: factor)
                case .embedded: try knownThumbnail(request, factor: 1)
                case .service: try QuickLookThumbnail(request).image()
                }
            return try CoreGraphicsPicture(
                image, at: request.size, in: request.colourSpace)
        }

        /// Says of a failure whether this version of the system decodes the format at all.
        private func knownThumbnail(
            _ request: ThumbnailRequest, factor: Int
        ) throws(SystemFault) -> CGImage {
            do throws(SystemFault) {
                return try thumbnail(request, factor: factor)
            } catch {
                let known = CGImageSourceCopyTypeIdentifiers() as? [String] ?? []
                let type = request.format.uniformType
                guard error.code == .damaged, !known.isEmpty, !known.contains(type) else {
                    throw error
                }
                throw SystemFault(.unknownFormat, "version \(version) does not decode \(type)")
            }
        }

        private func thumbnail(
            _ request: ThumbnailRequest, factor: Int
        ) throws(SystemFault) -> CGImage {
            let hint: [CFString: Any] = [
                kCGImageSourceTypeIdentifierHint: request.format.uniformType as CFString,
                kCGImageSourceShouldCache: false,
            ]
            guard let source = try request.file.imageSource(hint as CFDictionary) else {
                throw SystemFault(.damaged, "ImageIO does not recognise it")
            }
            let isComplete =
                CGImageSourceGetStatus(source) == .statusComplete
                && CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete
            guard isComplete || request.isTolerant else {
                throw SystemFault(.damaged, "the file ends early, or is damaged")
            }
            let isEmbedded = request.source == .embedded
            var options: [CFString: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways: !isEmbedded,
                kCGImageSourceCreateThumbnailFromImageIfAbsent: false,
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceThumbnailMaxPixelSize: max(request.size.width, request.size.height),
                kCGImageSourceShouldCache: false,
            ]
            if factor > 1 { options[kCGImageSourceSubsampleFactor] = factor }
            guard
                let image = CGImageSourceCreateThumbnailAtIndex(
                    source, 0, options as CFDictionary)
            else {
                throw SystemFault(
                    .damaged,
                    isEmbedded ? "its preview cannot be read" : "ImageIO does not decode it")
            }
            return image
        }
    }

    extension AttachmentFormat {
        /// Apple's uniform type identifiers (Uniform Type Identifiers, System-Declared Types).
        var uniformType: String {
            switch self {
            case .jpeg: "public.jpeg"
            case .png: "public.png"
            case .gif: "com.compuserve.gif"
            case .heic: "public.heic"
            case .avif: "public.avif"
            case .tiff: "public.tiff"
            case .bmp: "com.microsoft.bmp"
            case .jpegXL: "public.jpeg-xl"
            case .webp: "org.webmproject.webp"
            default: "public.image"
            }
        }
    }
#endif
