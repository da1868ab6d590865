#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import UIKit

    extension UIImage {
        /// Draws the blurred placeholder of a picture, 32 pixels on the longer side.
        ///
        /// It uses less than 4 KiB and no file. Scale it up to fill the view.
        ///
        /// - Parameter placeholder: The placeholder in the container.
        public convenience init?(_ placeholder: ThumbHash) {
            let (size, rgba) = placeholder.raster()
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                let provider = CGDataProvider(data: NSData(data: Data(rgba)) as CFData),
                let image = CGImage(
                    width: size.width, height: size.height, bitsPerComponent: 8,
                    bitsPerPixel: 32, bytesPerRow: 4 * size.width, space: space,
                    bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
                    provider: provider, decode: nil, shouldInterpolate: true,
                    intent: .defaultIntent)
            else { return nil }
            self.init(cgImage: image)
        }
    }

    extension UIColor {
        /// Creates an opaque sRGB colour.
        ///
        /// - Parameter colour: The colour in the container.
        public convenience init(_ colour: Colour) {
            self.init(
                red: CGFloat(colour.red) / 255, green: CGFloat(colour.green) / 255,
                blue: CGFloat(colour.blue) / 255, alpha: 1)
        }
    }
#endif
