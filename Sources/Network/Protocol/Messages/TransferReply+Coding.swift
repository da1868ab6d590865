import ThimbleBasics
import WorkerProtocol

extension TransferReply: Codable {
    private enum Kind: Int, Codable {
        case ready, unable, response, failure
    }

    package init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        switch try fields.decode(Kind.self) {
        case .ready: self = .ready(try fields.decode(SandboxReport.self))
        case .unable: self = .unable(try fields.decode(Fault.self))
        case .response:
            self = .ended(
                try fields.decode(UInt64.self), .response(try TransferResponse(from: &fields)))
        case .failure:
            self = .ended(
                try fields.decode(UInt64.self),
                .failure(try fields.decode(TransferFailure.self)))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        switch self {
        case .ready(let report):
            try fields.encode(Kind.ready)
            try fields.encode(report)
        case .unable(let fault):
            try fields.encode(Kind.unable)
            try fields.encode(fault)
        case .ended(let number, .response(let response)):
            try fields.encode(Kind.response)
            try fields.encode(number)
            try response.encode(to: &fields)
        case .ended(let number, .failure(let failure)):
            try fields.encode(Kind.failure)
            try fields.encode(number)
            try fields.encode(failure)
        }
    }
}

extension TransferResponse {
    fileprivate init(from fields: inout some UnkeyedDecodingContainer) throws {
        status = try fields.decode(Int.self)
        bytes = try fields.decode(Int.self)
        var headers: [String: String] = [:]
        while !fields.isAtEnd {
            let name = try fields.decode(String.self)
            headers[name] = try fields.decode(String.self)
        }
        self.headers = headers
    }

    fileprivate func encode(to fields: inout some UnkeyedEncodingContainer) throws {
        try fields.encode(status)
        try fields.encode(bytes)
        for (name, value) in headers {
            try fields.encode(name)
            try fields.encode(value)
        }
    }
}
