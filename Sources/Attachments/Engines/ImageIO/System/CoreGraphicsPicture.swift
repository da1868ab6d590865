#if canImport(ImageIO)
    import AttachmentContainer
    import AttachmentModel
    import AttachmentPlanning
    import CoreGraphics
    import Foundation
    import ImageIO

    /// A picture in sRGB or Display P3, eight bits a channel.
    struct CoreGraphicsPicture: SystemPicture {
        let size: PixelSize
        let isOpaque: Bool
        private let image: CGImage
        private let space: CGColorSpace

        /// Draws a decoded picture at its exact size, which ImageIO may miss by a pixel.
        init(
            _ image: CGImage, at size: PixelSize, in colourSpace: ProcessingSettings.ColourSpace
        ) throws(SystemFault) {
            let isWide = image.colorSpace?.isWideGamutRGB ?? false
            let name =
                colourSpace == .displayP3 && isWide ? CGColorSpace.displayP3 : CGColorSpace.sRGB
            guard let space = CGColorSpace(name: name) else { throw Self.noMemory }
            let (width, height) = (Double(image.width), Double(image.height))
            // Proportions that differ by more than rounding are of another picture, or of this one
            // turned.
            let isSame =
                abs(width * Double(size.height) - height * Double(size.width))
                <= 2 * max(width, height, Double(size.width), Double(size.height))
            guard isSame else {
                throw SystemFault(
                    .damaged, "the system decoded it at \(image.width) × \(image.height) pixels")
            }
            let whole = PixelPart(
                left: 0, top: 0, size: PixelSize(width: image.width, height: image.height))
            try self.init(drawing: whole, of: image, to: size, space, isOpaque: image.isOpaque)
        }

        private init(
            drawing part: PixelPart, of image: CGImage, to size: PixelSize, _ space: CGColorSpace,
            isOpaque: Bool
        ) throws(SystemFault) {
            let canvas = try Canvas(size, space, isOpaque: isOpaque)
            canvas.draw(part, of: image)
            guard let drawn = canvas.context.makeImage() else { throw Self.noMemory }
            self.size = size
            self.isOpaque = isOpaque || canvas.isOpaque
            self.image = drawn
            self.space = space
        }

        func drawn(_ part: PixelPart, to size: PixelSize) throws(SystemFault) -> Self {
            try Self(drawing: part, of: image, to: size, space, isOpaque: isOpaque)
        }

        func rgba() throws(SystemFault) -> [UInt8] {
            guard let sRGB = CGColorSpace(name: CGColorSpace.sRGB) else { throw Self.noMemory }
            let canvas = try Canvas(size, sRGB, isOpaque: false)
            canvas.draw(PixelPart(left: 0, top: 0, size: size), of: image)
            return canvas.straightPixels
        }

        func encoded(as encoding: Encoding) throws(SystemFault) -> Data {
            var options: [CFString: Any] = [:]
            let format: AttachmentFormat
            switch encoding {
            case .jpeg(let quality), .fullChromaJPEG(let quality):
                format = .jpeg
                options[kCGImageDestinationLossyCompressionQuality] = Double(quality) / 100
            case .png, .palettePNG: format = .png
            }
            let bytes = NSMutableData()
            guard
                let destination = CGImageDestinationCreateWithData(
                    bytes as CFMutableData, format.uniformType as CFString, 1, nil)
            else { throw Self.noMemory }
            CGImageDestinationAddImage(destination, untagged, options as CFDictionary)
            guard CGImageDestinationFinalize(destination) else { throw Self.noMemory }
            return Data(referencing: bytes)
        }

        /// sRGB without a profile, which every display assumes.
        private var untagged: CGImage {
            guard space.name == CGColorSpace.sRGB else { return image }
            return image.copy(colorSpace: CGColorSpaceCreateDeviceRGB()) ?? image
        }

        private static var noMemory: SystemFault {
            SystemFault(.memory, "Core Graphics has no memory for it")
        }
    }

    extension CGImage {
        fileprivate var isOpaque: Bool {
            switch alphaInfo {
            case .none, .noneSkipFirst, .noneSkipLast: true
            default: false
            }
        }
    }
#endif
