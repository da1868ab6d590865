/// A value behind the context pointer of a C callback.
final class CallbackBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// The context pointer, with a reference that `release` takes back.
    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func value(at context: UnsafeMutableRawPointer) -> Value {
        Unmanaged<CallbackBox>.fromOpaque(context).takeUnretainedValue().value
    }
}

/// Releases the object behind a context pointer.
func releaseContext(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
}
