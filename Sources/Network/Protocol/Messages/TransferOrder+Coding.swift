/// Messages are arrays, because both programs are of one release: with the names of fields, coding them
/// takes a quarter of the CPU of a request to a store.
extension TransferOrder: Codable {
    private enum Kind: Int, Codable {
        case configuration, begin, cancel
    }

    package init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        switch try fields.decode(Kind.self) {
        case .configuration:
            self = .configuration(try fields.decode(TransferConfiguration.self))
        case .begin: self = .begin(try TransferRequest(from: &fields))
        case .cancel: self = .cancel(try fields.decode(UInt64.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        switch self {
        case .configuration(let configuration):
            try fields.encode(Kind.configuration)
            try fields.encode(configuration)
        case .begin(let request):
            try fields.encode(Kind.begin)
            try request.encode(to: &fields)
        case .cancel(let number):
            try fields.encode(Kind.cancel)
            try fields.encode(number)
        }
    }
}

extension TransferRequest {
    fileprivate init(from fields: inout some UnkeyedDecodingContainer) throws {
        number = try fields.decode(UInt64.self)
        method = try fields.decode(Method.self)
        url = try fields.decode(String.self)
        let words = try fields.decode([String].self)
        headers = stride(from: 1, to: words.count, by: 2).map { Header(words[$0 - 1], words[$0]) }
        bodyLength = try fields.decode(Int?.self)
        let parts = try fields.decode([String].self)
        signature =
            parts.count == 3 ? Signature(scope: parts[0], key: parts[1], secret: parts[2]) : nil
        storedStatuses = try fields.decode([Int]?.self)
        reportedHeaders = try fields.decode([String].self)
        maximumBytes = try fields.decode(Int.self)
        limits.milliseconds = try fields.decode(Int.self)
        limits.connectMilliseconds = try fields.decode(Int.self)
        limits.minimumSpeed = try fields.decode(Int.self)
        limits.stallSeconds = try fields.decode(Int.self)
        trustsHost = try fields.decode(Bool.self)
        proxy = try fields.decode(String?.self)
        resolutions = try fields.decode([String].self)
    }

    fileprivate func encode(to fields: inout some UnkeyedEncodingContainer) throws {
        try fields.encode(number)
        try fields.encode(method)
        try fields.encode(url)
        try fields.encode(headers.flatMap { [$0.name, $0.value] })
        try fields.encode(bodyLength)
        try fields.encode(signature.map { [$0.scope, $0.key, $0.secret] } ?? [])
        try fields.encode(storedStatuses)
        try fields.encode(reportedHeaders)
        try fields.encode(maximumBytes)
        try fields.encode(limits.milliseconds)
        try fields.encode(limits.connectMilliseconds)
        try fields.encode(limits.minimumSpeed)
        try fields.encode(limits.stallSeconds)
        try fields.encode(trustsHost)
        try fields.encode(proxy)
        try fields.encode(resolutions)
    }
}
