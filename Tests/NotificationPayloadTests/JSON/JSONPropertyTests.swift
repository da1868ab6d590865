import Foundation
import NotificationPayload
import Testing

@Suite("Random JSON survives edits unchanged", .timeLimit(.minutes(1)))
struct JSONPropertyTests {
    /// The paths of all values below a path.
    private func paths(in value: JSONValue, at path: JSONPath = JSONPath([])) -> [JSONPath] {
        switch value {
        case .object(let members):
            [path]
                + Dictionary(members.map { (Array($0.key.utf8), $0) }) { $1 }.values.flatMap {
                    paths(in: $0.value, at: path.appending(.key($0.key)))
                }
        case .array(let elements):
            [path]
                + elements.enumerated().flatMap {
                    paths(in: $1, at: path.appending(.index($0)))
                }
        default: [path]
        }
    }

    @Test("Unedited bytes stay, and all values match Foundation's")
    func identity() throws {
        var random = RandomJSON(seed: 1)
        for _ in 0..<2_000 {
            // Foundation rejects numbers out of a double's range.
            let text = random.document().replacing("1e400", with: "1e40")
            let document = try document(text)
            #expect(document.text == text && document.bytes == Array(text.utf8))
            let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(isEqual(document.root, theirs), "\(text)")
            // Re-encoding keeps the value, but not the bytes.
            let copy = try JSONDocument(parsing: document.root.encoded())
            #expect(copy.root == document.root)
            #expect(try copy.root.encoded() == copy.bytes)
        }
    }

    @Test("An edited value reads back, and all other bytes stay")
    func replacing() throws {
        var random = RandomJSON(seed: 2)
        for _ in 0..<2_000 {
            let original = try document(random.document())
            let all = paths(in: original.root)
            let path = try #require(all.randomElement(using: &random.random))
            let value = try document(random.value(depth: 2)).root
            let edited = try original.replacing(path, with: value)
            let old = try #require(original.range(at: path))
            let new = try #require(edited.range(at: path))
            #expect(edited.value(at: path) == value)
            #expect(edited.bytes[..<new.lowerBound] == original.bytes[..<old.lowerBound])
            #expect(edited.bytes[new.upperBound...] == original.bytes[old.upperBound...])
        }
    }

    @Test("An edited document is the one that its bytes parse to")
    func positions() throws {
        var random = RandomJSON(seed: 4)
        for _ in 0..<2_000 {
            var edited = try document(random.document())
            for _ in 0..<3 {
                let path = try #require(paths(in: edited.root).randomElement(using: &random.random))
                let value = try document(random.value(depth: 2)).root
                edited =
                    edited.value(at: path)?.members == nil
                    ? try edited.replacing(path, with: value)
                    : try edited.setting("k", of: path, to: value)
            }
            let parsed = try document(edited.text)
            #expect(edited.root == parsed.root)
            for path in paths(in: parsed.root) {
                #expect(edited.range(at: path) == parsed.range(at: path))
            }
        }
    }

    @Test("Edits keep the limits of the document")
    func limits() throws {
        let limits = JSONLimits(maximumBytes: 24, maximumDepth: 3, maximumValues: 8)
        let small = try JSONDocument(parsing: #"{"a":{"b":1}}"#.utf8, limits: limits)
        let deep = JSONValue.array([.array([])])
        let inner = JSONPath(keys: "a")
        #expect(throws: Never.self) { try small.replacing(inner, with: deep) }
        for (value, code) in [
            (JSONValue.array([deep]), PayloadError.Code.tooDeep),
            (.string("12345678901234567890"), .tooLarge),
            (.array(Array(repeating: .number(JSONNumber(1)), count: 6)), .tooMany),
        ] {
            let error = #expect(throws: PayloadError.self) {
                try small.replacing(inner, with: value)
            }
            #expect(error?.code == code)
        }
        let error = #expect(throws: PayloadError.self) {
            try small.setting("c", of: JSONPath(keys: "a"), to: deep)
        }
        #expect(error?.code == .tooDeep)
    }

    @Test("A set member reads back, and its removal leaves the others unchanged")
    func setting() throws {
        var random = RandomJSON(seed: 3)
        for _ in 0..<2_000 {
            let original = try document(random.document())
            let objects = paths(in: original.root)
                .filter { original.value(at: $0)?.members != nil }
            let path = try #require(objects.randomElement(using: &random.random))
            let value = try document(random.value(depth: 1)).root
            let new = try original.setting("thimble", of: path, to: value)
            let place = path.appending(.key("thimble"))
            #expect(original.value(at: place) == nil && new.value(at: place) == value)
            #expect(try new.removing("thimble", of: path) == original)
            #expect(try new.removing("absent", of: path) == new)

            let members = try #require(original.value(at: path)?.members)
            guard let key = members.randomElement(using: &random.random)?.key else { continue }
            let set = try original.setting(key, of: path, to: value)
            #expect(set == (try original.replacing(path.appending(.key(key)), with: value)))
            let removed = try original.removing(key, of: path)
            #expect(
                removed.value(at: path)?.members
                    == members.filter { !$0.key.utf8.elementsEqual(key.utf8) })
            #expect(removed.bytes.count < original.bytes.count)
        }
    }

    /// Compares with the information that Foundation keeps.
    private func isEqual(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let value): return (theirs as? NSNumber)?.boolValue == value
        case .number(let number): return (theirs as? NSNumber)?.doubleValue == number.double
        case .string(let text): return theirs as? String == text
        case .array(let elements):
            guard let theirs = theirs as? [Any], theirs.count == elements.count else {
                return false
            }
            return zip(elements, theirs).allSatisfy(isEqual)
        case .object(let members):
            guard let theirs = theirs as? [String: Any] else { return false }
            // Swift dictionaries merge canonically equivalent keys, so those are not compared.
            let keys = Dictionary(grouping: members, by: \.key)
            return keys.count == theirs.count
                && keys.allSatisfy { key, same in
                    Set(same.map { Array($0.key.utf8) }).count > 1
                        || theirs[key].map { isEqual(same[same.count - 1].value, $0) } == true
                }
        }
    }
}
