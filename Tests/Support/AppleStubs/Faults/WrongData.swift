// error: cannot convert value of type 'Data' to expected argument type 'CFData'
import CoreGraphics
import Foundation

func provider(_ data: Data) -> CGDataProvider? { CGDataProvider(data: data) }
