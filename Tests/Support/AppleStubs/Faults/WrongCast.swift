// error: cannot convert value of type 'NSURL' to expected argument type 'CFURL'
import Foundation
import ImageIO

func animate(_ url: NSURL) {
    _ = CGAnimateImageAtURLWithBlock(url, nil) { _, _, _ in }
}
