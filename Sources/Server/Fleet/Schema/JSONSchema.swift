import AttachmentContainer
import Foundation

/// The keywords of JSON Schema 2020-12 that `job.schema.json` uses, and no others.
///
/// `title`, `description` and `format` are annotations; every `pattern` describes the whole text.
final class JSONSchema: Decodable, Sendable {
    /// Keywords that are checked.
    static let assertions = Set(Keyword.allCases.map(\.rawValue))

    private enum Keyword: String, CodingKey, CaseIterable {
        case type, const, `enum`, pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum
        case items, minItems, maxItems, uniqueItems
        case properties, required, additionalProperties, oneOf
    }

    private let type: String?
    private let constant: JSONValue?
    private let choices: [JSONValue]?
    private let pattern: NSRegularExpression?
    private let length: ClosedRange<Int>
    private let range: ClosedRange<Double>
    private let exclusiveMinimum: Double
    private let items: JSONSchema?
    private let itemCount: ClosedRange<Int>
    private let areItemsUnique: Bool
    private let properties: [String: JSONSchema]?
    private let required: [String]
    private let allowsOthers: Bool
    private let alternatives: [JSONSchema]?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keyword.self)
        func value<Value: Decodable>(_ keyword: Keyword) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: keyword)
        }
        type = try value(.type)
        constant = try value(.const)
        choices = try value(.enum)
        let pattern: String? = try value(.pattern)
        self.pattern = try pattern.map { try NSRegularExpression(pattern: $0) }
        length = try (value(.minLength) ?? 0)...(value(.maxLength) ?? .max)
        range = try (value(.minimum) ?? -.infinity)...(value(.maximum) ?? .infinity)
        exclusiveMinimum = try value(.exclusiveMinimum) ?? -.infinity
        items = try value(.items)
        itemCount = try (value(.minItems) ?? 0)...(value(.maxItems) ?? .max)
        areItemsUnique = try value(.uniqueItems) ?? false
        properties = try value(.properties)
        required = try value(.required) ?? []
        allowsOthers = try value(.additionalProperties) ?? true
        alternatives = try value(.oneOf)
    }

    /// The first fault of a JSON text, in a sentence with names of the schema only; nil if it is valid.
    func fault(inText text: Data) -> String? {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: text) else {
            return "it does not follow the schema: it is not JSON"
        }
        return fault(in: value, at: []).map {
            "it does not follow the schema"
                + ($0.isEmpty ? "" : ", in \($0.joined(separator: "."))")
        }
    }

    /// The path of the member at fault; nil if the value is valid.
    private func fault(in value: JSONValue, at path: [String]) -> [String]? {
        guard constant.map({ $0 == value }) ?? true, choices?.contains(value) ?? true,
            isOfType(value)
        else { return path }
        if let alternatives {
            let count = alternatives.count { $0.fault(in: value, at: path) == nil }
            guard count == 1 else { return path }
        }
        switch value {
        case .string(let text): return holds(text) ? nil : path
        case .number(let number):
            return range.contains(number) && number > exclusiveMinimum ? nil : path
        case .array(let values): return fault(in: values, at: path)
        case .object(let members): return fault(in: members, at: path)
        case .null, .bool: return nil
        }
    }

    private func isOfType(_ value: JSONValue) -> Bool {
        switch (type, value) {
        case (nil, _), ("string", .string), ("number", .number), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }

    private func holds(_ text: String) -> Bool {
        guard length.contains(text.unicodeScalars.count) else { return false }
        guard let pattern else { return true }
        let whole = NSRange(text.startIndex..., in: text)
        // The end of a line inside the text is not its end.
        return pattern.firstMatch(in: text, range: whole)?.range == whole
    }

    private func fault(in values: [JSONValue], at path: [String]) -> [String]? {
        guard itemCount.contains(values.count),
            !areItemsUnique || Set(values).count == values.count
        else { return path }
        for value in values {
            if let fault = items?.fault(in: value, at: path) { return fault }
        }
        return nil
    }

    private func fault(in members: [String: JSONValue], at path: [String]) -> [String]? {
        if let missing = required.first(where: { members[$0] == nil }) { return path + [missing] }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let schema = properties?[name] else {
                // The name is the message's.
                if allowsOthers { continue }
                return path
            }
            if let fault = schema.fault(in: value, at: path + [name]) { return fault }
        }
        return nil
    }
}

extension JSONSchema {
    /// The schema of jobs, or the fault in the program's file.
    static let job = Result {
        try JSONDecoder().decode(JSONSchema.self, from: Data(PackageResources.job_schema_json))
    }
}
