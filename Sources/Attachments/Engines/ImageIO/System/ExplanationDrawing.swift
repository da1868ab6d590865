#if canImport(ImageIO)
    import AttachmentContainer
    import AttachmentModel
    import AttachmentPlanning
    import CoreGraphics
    import CoreText
    package import Foundation

    /// A drawing that takes the place of a picture: a symbol above a text, white on dark grey.
    ///
    /// It holds two canvases of one megabyte, and no picture is decoded for it.
    package struct ExplanationDrawing {
        /// The symbols.
        package enum Symbol: Sendable {
            /// A camera, crossed out.
            case camera
            /// A picture, crossed out.
            case picture
            /// A closed lock.
            case lock
        }

        // The ratio of 8:5 fits between the expanded interface and its thumbnail.
        private static let size = PixelSize(width: 640, height: 400)
        private static let symbolFrame = CGRect(x: 250, y: 230, width: 140, height: 100)
        private static let textFrame = CGRect(x: 40, y: 30, width: 560, height: 170)
        private static let lineWidth = 8.0

        private let text: String
        private let symbol: Symbol

        package init(_ text: String, _ symbol: Symbol) { (self.text, self.symbol) = (text, symbol) }

        /// The drawing as a PNG.
        package func png() throws(SystemFault) -> Data {
            let noMemory = SystemFault(.memory, "Core Graphics has no memory for it")
            guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { throw noMemory }
            let context = try Canvas(Self.size, space, isOpaque: true).context
            // Dark enough for white text at 11:1 (WCAG 2.2, 1.4.3 asks for 4.5:1), in both appearances.
            context.setFillColor(red: 0.23, green: 0.23, blue: 0.24, alpha: 1)
            context.fill(CGRect(x: 0, y: 0, width: Self.size.width, height: Self.size.height))
            context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
            context.setStrokeColor(red: 1, green: 1, blue: 1, alpha: 1)
            context.setLineWidth(Self.lineWidth)
            draw(symbol, on: context)
            if let text = fittingText() { CTFrameDraw(text, context) }
            guard let image = context.makeImage() else { throw noMemory }
            return try CoreGraphicsPicture(image, at: Self.size, in: .sRGB).encoded(as: .png)
        }

        private func draw(_ symbol: Symbol, on context: CGContext) {
            let frame = Self.symbolFrame
            switch symbol {
            case .camera:
                context.stroke(frame)
                context.strokeEllipse(
                    in: CGRect(x: frame.midX - 28, y: frame.midY - 28, width: 56, height: 56))
            case .picture:
                context.stroke(frame)
                // Two hills.
                context.strokeLineSegments(between: [
                    CGPoint(x: frame.minX + 15, y: frame.minY + 15),
                    CGPoint(x: frame.minX + 50, y: frame.minY + 60),
                    CGPoint(x: frame.minX + 50, y: frame.minY + 60),
                    CGPoint(x: frame.minX + 85, y: frame.minY + 15),
                    CGPoint(x: frame.minX + 75, y: frame.minY + 28),
                    CGPoint(x: frame.minX + 95, y: frame.minY + 50),
                    CGPoint(x: frame.minX + 95, y: frame.minY + 50),
                    CGPoint(x: frame.minX + 125, y: frame.minY + 15),
                ])
            case .lock:
                context.strokeEllipse(
                    in: CGRect(x: frame.midX - 28, y: frame.midY - 14, width: 56, height: 64))
                // Over the lower half of the shackle.
                context.fill(CGRect(x: frame.midX - 45, y: frame.minY, width: 90, height: 60))
            }
            guard symbol != .lock else { return }
            context.strokeLineSegments(between: [
                CGPoint(x: frame.minX - 20, y: frame.minY - 20),
                CGPoint(x: frame.maxX + 20, y: frame.maxY + 20),
            ])
        }

        /// The text in the largest size that shows all of it, or cut at the smallest.
        private func fittingText() -> CTFrame? {
            let path = CGPath(rect: Self.textFrame, transform: nil)
            var frame: CTFrame?
            for size in [36.0, 30, 24] {
                guard let string = attributed(size: size) else { return nil }
                let setter = CTFramesetterCreateWithAttributedString(string)
                let drawn = CTFramesetterCreateFrame(
                    setter, CFRange(location: 0, length: 0), path, nil)
                frame = drawn
                if CTFrameGetVisibleStringRange(drawn).length == text.utf16.count { break }
            }
            return frame
        }

        private func attributed(size: Double) -> CFAttributedString? {
            guard let font = CTFontCreateUIFontForLanguage(.system, size, nil),
                let white = CGColor(
                    colorSpace: CGColorSpaceCreateDeviceRGB(), components: [1, 1, 1, 1])
            else { return nil }
            let attributes: [CFString: Any] = [
                kCTFontAttributeName: font, kCTForegroundColorAttributeName: white,
                kCTParagraphStyleAttributeName: Self.centred,
            ]
            return CFAttributedStringCreate(nil, text as CFString, attributes as CFDictionary)
        }

        private static var centred: CTParagraphStyle {
            var alignment = CTTextAlignment.center
            // Core Text copies the value during the call.
            return withUnsafePointer(to: &alignment) { value in
                var setting = CTParagraphStyleSetting(
                    spec: .alignment, valueSize: MemoryLayout<CTTextAlignment>.size, value: value)
                return CTParagraphStyleCreate(&setting, 1)
            }
        }
    }
#endif
