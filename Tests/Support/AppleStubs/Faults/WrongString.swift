// error: cannot convert value of type 'String' to expected argument type 'CFString'
import CoreGraphics
import Foundation

func colourSpace(_ name: String) -> CGColorSpace? { CGColorSpace(name: name) }
