import AttachmentContainer
import AttachmentModel

/// Messages are arrays, because supervisor and worker are of one release: every type of named fields
/// takes a worker 2 kB of its cap.
extension SupervisorMessage: Codable {
    private enum Kind: Int, Codable {
        case configuration, request, inspect, still
    }

    package init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        switch try fields.decode(Kind.self) {
        case .configuration: self = .configuration(try WorkerConfiguration(from: &fields))
        case .request: self = .request(try WorkerRequest(from: &fields))
        case .inspect: self = .inspect
        case .still: self = .still(try StillRequest(from: &fields))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        switch self {
        case .configuration(let configuration):
            try fields.encode(Kind.configuration)
            try configuration.encode(to: &fields)
        case .request(let request):
            try fields.encode(Kind.request)
            try request.encode(to: &fields)
        case .inspect: try fields.encode(Kind.inspect)
        case .still(let request):
            try fields.encode(Kind.still)
            try request.encode(to: &fields)
        }
    }
}

extension WorkerConfiguration {
    fileprivate init(from fields: inout some UnkeyedDecodingContainer) throws {
        version = try fields.decode(Int.self)
        settings = try fields.decode(ProcessingSettings.self)
        overhead = try fields.decode(ByteCount.self)
        ownLimit = try fields.decode(MemoryCap?.self)
        sandbox = try fields.decode(SandboxMode.self)
        var limits = ResourceLimits()
        limits.processorSeconds = try fields.decode(Int.self)
        limits.fileBytes = try fields.decode(Int.self)
        limits.openFiles = try fields.decode(Int.self)
        limits.dataBytes = try fields.decode(Int?.self)
        self.limits = limits
    }

    fileprivate func encode(to fields: inout some UnkeyedEncodingContainer) throws {
        try fields.encode(version)
        try fields.encode(settings)
        try fields.encode(overhead)
        try fields.encode(ownLimit)
        try fields.encode(sandbox)
        try fields.encode(limits.processorSeconds)
        try fields.encode(limits.fileBytes)
        try fields.encode(limits.openFiles)
        try fields.encode(limits.dataBytes)
    }
}

extension WorkerRequest {
    fileprivate init(from fields: inout some UnkeyedDecodingContainer) throws {
        below = try fields.decode(Rung?.self)
        time = try fields.decode(Duration?.self)
        known = try fields.decode(Rung?.self)
        isPoster = try fields.decode(Bool.self)
        threads = try fields.decode(Int.self)
        presets = try fields.decode(PresetSelection.self)
    }

    fileprivate func encode(to fields: inout some UnkeyedEncodingContainer) throws {
        try fields.encode(below)
        try fields.encode(time)
        try fields.encode(known)
        try fields.encode(isPoster)
        try fields.encode(threads)
        try fields.encode(presets)
    }
}

extension StillRequest {
    fileprivate init(from fields: inout some UnkeyedDecodingContainer) throws {
        var order = StillOrder(bytes: try fields.decode(Int.self))
        order.side = try fields.decode(Int.self)
        order.keepsFullChroma = try fields.decode(Bool.self)
        self.order = order
        time = try fields.decode(Duration?.self)
    }

    fileprivate func encode(to fields: inout some UnkeyedEncodingContainer) throws {
        try fields.encode(order.bytes)
        try fields.encode(order.side)
        try fields.encode(order.keepsFullChroma)
        try fields.encode(time)
    }
}
