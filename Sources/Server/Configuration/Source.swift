import Configuration
import Foundation
import NotificationCheck
import SystemPackage

/// A provider of values, as text, with its invalid names and types.
struct Source {
    private let provider: any ConfigProvider
    let origin: (String) -> Origin
    private(set) var faults: [ConfigurationError] = []

    private static let prefix = "THIMBLE_SERVER_"
    private static let known = Set(ServiceOption.all.map(\.name))

    init(_ flags: ServiceFlags) {
        let values = ServiceOption.all.compactMap { option in
            option.flag(flags).map {
                (AbsoluteConfigKey([option.name]), ConfigValue(.string($0), isSecret: false))
            }
        }
        provider = InMemoryProvider(
            name: "flags", values: Dictionary(uniqueKeysWithValues: values))
        origin = { .flag($0) }
    }

    init(_ environment: [String: String]) {
        provider = EnvironmentVariablesProvider(environmentVariables: environment)
            .prefixKeys(with: ConfigKey(["thimble", "server"]))
        origin = { .environment(Self.variable($0)) }
        let variables = Set(Self.known.map(Self.variable) + [Self.variable("config")])
        faults = environment.keys.filter { $0.hasPrefix(Self.prefix) }
            .filter { !variables.contains($0) }.sorted()
            .map {
                ConfigurationError(
                    $0.printable, range: Self.range(of: $0, among: variables.sorted()),
                    origin: .environment($0))
            }
    }

    init(file path: String) async throws(ConfigurationError) {
        let object: ValueKinds
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            object = try JSONDecoder().decode(ValueKinds.self, from: data)
            provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        } catch {
            throw ConfigurationError(
                "config", value: path, range: "a readable file with one JSON object")
        }
        origin = { _ in .file(path) }
        for (name, isValid) in object.fields.sorted(by: { $0.key < $1.key }) {
            if !Self.known.contains(name) {
                faults.append(
                    ConfigurationError(
                        name.printable, range: Self.range(of: name, among: Self.known.sorted()),
                        origin: .file(path)))
            } else if !isValid {
                faults.append(
                    ConfigurationError(
                        name, range: "text, a number or a list", origin: .file(path)))
            }
        }
    }

    /// The valid names, with the one nearest to an unknown name.
    private static func range(of name: String, among names: [String]) -> String {
        "the name of an option"
            + (NearMiss.nearest(to: name, among: names).map { ", such as \($0.identifier)" } ?? "")
    }

    static func variable(_ name: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }

    /// Numbers and lists of the file are accepted beside text.
    func text(of option: ServiceOption) -> String? {
        let name = option.name
        for type in [ConfigType.string, .int, .double, .stringArray, .intArray] {
            guard
                let value = try? provider.value(forKey: AbsoluteConfigKey([name]), type: type).value
            else { continue }
            switch value.content {
            case .string(let text): return text
            case .int(let number): return "\(number)"
            case .double(let number): return "\(number)"
            case .stringArray(let texts): return option.joined(texts)
            case .intArray(let numbers):
                return option.joined(numbers.map { "\($0)" })
            default: continue
            }
        }
        return nil
    }

    /// The names of a JSON object, and whether their values are text, numbers or lists of text.
    ///
    /// The provider reads a truth value as a number.
    private struct ValueKinds: Decodable {
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private(set) var fields: [String: Bool] = [:]

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Name.self)
            for name in object.allKeys {
                fields[name.stringValue] =
                    (try? object.decode(String.self, forKey: name)) != nil
                    || (try? object.decode(Double.self, forKey: name)) != nil
                    || (try? object.decode([String].self, forKey: name)) != nil
                    || (try? object.decode([Int].self, forKey: name)) != nil
            }
        }
    }
}
