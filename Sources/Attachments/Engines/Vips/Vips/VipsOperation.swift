#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

package enum VipsArgument {
    case int(Int)
    case double(Double)
    case doubles([Double])
    case bool(Bool)
    /// An enumeration value or a string, by its nickname on libvips' command line.
    case name(String)
    case image(VipsImage)
    case images([VipsImage])
    case input(VipsInput)
    case output(VipsOutput)

    /// The fault of the decoder that the argument's pixels or bytes come from.
    fileprivate var fault: CallbackFault? {
        switch self {
        case .image(let image): image.fault
        case .images(let images): images.lazy.compactMap(\.fault).first
        case .input(let input): input.fault
        default: nil
        }
    }
}

/// A finished call of a libvips operation; pixels may be computed later, on demand.
final class VipsCall {
    private let name: String
    private let operation: UnsafeMutablePointer<VipsOperation>
    private let fault: CallbackFault?

    init(_ name: String, _ arguments: [String: VipsArgument]) throws(VipsError) {
        try VipsLibrary.start()
        guard let operation = vips_operation_new(name) else { throw .drained(from: name) }
        self.name = name
        self.operation = operation
        fault = arguments.values.lazy.compactMap(\.fault).first
        // libvips checks this only after the loader's own preparation.
        guard vips_operation_get_flags(operation).rawValue & VIPS_OPERATION_BLOCKED.rawValue == 0
        else { throw VipsError(operation: name, message: "operation is blocked") }
        for (key, argument) in arguments {
            guard set(key, argument) else {
                throw VipsError(operation: name, message: "has no argument '\(key)'")
            }
        }
        guard thimble_build(operation) == 0 else { throw .drained(from: name, fault: fault) }
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

    func image() throws(VipsError) -> VipsImage {
        guard let image = thimble_get_image(operation, "out") else {
            throw VipsError(operation: name, message: "has no output image 'out'")
        }
        return VipsImage(owning: image, fault: fault)
    }

    var number: Double { thimble_get_double(operation, "out") }
}
