internal import CVips

/// An argument of an operation.
package enum VipsArgument {
    case int(Int)
    case double(Double)
    case doubles([Double])
    case bool(Bool)
    /// An enumeration value or a string, by the nickname that libvips' command line uses.
    case name(String)
    case image(VipsImage)
    case images([VipsImage])
    case input(VipsInput)
    case output(VipsOutput)
}

/// One call of libvips: made by name, given its arguments, built once.
final class VipsCall {
    private let name: String
    private let operation: UnsafeMutablePointer<VipsOperation>

    /// Finds an operation and gives it its arguments.
    ///
    /// - Parameters:
    ///   - name: The operation's nickname, for example `resize`.
    ///   - arguments: Its properties by name.
    /// - Throws: `VipsError` when there is no such operation or it has no such argument.
    init(_ name: String, _ arguments: [String: VipsArgument]) throws(VipsError) {
        try VipsLibrary.start()
        guard let operation = vips_operation_new(name) else { throw .drained(from: name) }
        self.name = name
        self.operation = operation
        // libvips itself looks only after the loader's own preparations.
        guard vips_operation_get_flags(operation).rawValue & VIPS_OPERATION_BLOCKED.rawValue == 0
        else { throw VipsError(operation: name, message: "operation is blocked") }
        for (key, argument) in arguments {
            guard set(key, argument) else {
                throw VipsError(operation: name, message: "does not take '\(key)'")
            }
        }
    }

    deinit {
        thimble_release_outputs(operation)
        g_object_unref(operation)
    }

    private func set(_ key: String, _ argument: VipsArgument) -> Bool {
        switch argument {
        case .int(let value): thimble_set_int(operation, key, CInt(clamping: value)) != 0
        case .double(let value): thimble_set_double(operation, key, value) != 0
        case .doubles(let values):
            thimble_set_doubles(operation, key, values, CInt(clamping: values.count)) != 0
        case .bool(let value): thimble_set_bool(operation, key, value ? 1 : 0) != 0
        case .name(let value): thimble_set_enum(operation, key, value) == 0
        case .image(let value): thimble_set_object(operation, key, value.pointer) != 0
        case .images(let values):
            thimble_set_images(operation, key, values.map(\.pointer), CInt(values.count)) != 0
        case .input(let value): thimble_set_object(operation, key, value.source) != 0
        case .output(let value): thimble_set_object(operation, key, value.target) != 0
        }
    }

    /// Runs the operation; one that only describes pixels computes them later, when they are asked
    /// for.
    ///
    /// - Throws: `VipsError` with libvips' own words.
    func build() throws(VipsError) {
        guard thimble_build(operation) == 0 else {
            throw .drained(from: name)
        }
    }

    /// The image that the built operation gives.
    ///
    /// - Parameter key: The name of the output. The default is `out`.
    /// - Returns: The image.
    /// - Throws: `VipsError` when the operation gives none.
    func image(_ key: String = "out") throws(VipsError) -> VipsImage {
        guard let image = thimble_get_image(operation, key) else {
            throw VipsError(operation: name, message: "gives no image '\(key)'")
        }
        return VipsImage(owning: image)
    }

    /// A number that the built operation gives.
    ///
    /// - Parameter key: The name of the output. The default is `out`.
    /// - Returns: The number.
    func number(_ key: String = "out") -> Double {
        thimble_get_double(operation, key)
    }
}
