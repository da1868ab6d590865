#if canImport(ImageIO)
    import AttachmentContainer
    import CoreGraphics
    import Foundation

    /// A bitmap to draw on: eight bits a channel, RGBA, premultiplied; alpha is skipped if opaque.
    struct Canvas {
        let context: CGContext
        private let size: PixelSize

        init(
            _ size: PixelSize, _ space: CGColorSpace, isOpaque: Bool
        ) throws(SystemFault) {
            let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipLast : .premultipliedLast
            guard
                let context = CGContext(
                    data: nil, width: size.width, height: size.height, bitsPerComponent: 8,
                    bytesPerRow: 4 * size.width, space: space, bitmapInfo: alpha.rawValue)
            else { throw SystemFault(.memory, "Core Graphics has no memory for it") }
            context.interpolationQuality = .high
            self.context = context
            self.size = size
        }

        /// Draws a part of an image over the whole canvas.
        func draw(_ part: PixelPart, of image: CGImage) {
            let across = Double(size.width) / Double(part.size.width)
            let down = Double(size.height) / Double(part.size.height)
            // The origin is the lower left corner.
            let below = image.height - part.top - part.size.height
            context.draw(
                image,
                in: CGRect(
                    x: -Double(part.left) * across, y: -Double(below) * down,
                    width: Double(image.width) * across, height: Double(image.height) * down))
        }

        private var bytes: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: context.data, count: 4 * size.pixelCount)
        }

        var isOpaque: Bool {
            let bytes = bytes
            guard bytes.count == 4 * size.pixelCount else { return false }
            return stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        }

        /// Pixels with alpha last, not premultiplied.
        var straightPixels: [UInt8] {
            var pixels = Array(bytes)
            for first in stride(from: 0, to: pixels.count - 3, by: 4) {
                let alpha = Int(pixels[first + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in first..<first + 3 {
                    pixels[channel] = UInt8(
                        min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
                }
            }
            return pixels
        }
    }
#endif
