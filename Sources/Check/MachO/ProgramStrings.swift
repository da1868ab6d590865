/// The string literals of an app's programs.
///
/// A compiler keeps literals of Objective-C, and of Swift from 16 bytes on, in the section `__cstring`.
/// It keeps shorter ones of Swift in instructions (`StringObject.swift` of the standard library), so
/// their absence proves nothing.
struct ProgramStrings {
    /// In UTF-8, since `String` would equate different encodings of an accent.
    private var strings: Set<[UInt8]> = []
    /// False if some program was unreadable, encrypted or too large.
    private(set) var isComplete = true

    /// The length from which on a Swift literal is in the section, in bytes.
    private static let swiftLength = 16
    /// The length up to which strings are kept, in bytes; near misses have at most 100 characters.
    private static let lengthLimit = 256
    /// Maximum number of strings kept.
    private static let countLimit = 500_000
    /// Maximum number of strings seen, some of them in several programs.
    private static let seenLimit = 5_000_000
    private var seen = 0

    mutating func insert(_ file: MachOFile) {
        for slice in file.slices {
            guard !slice.isEncrypted else {
                isComplete = false
                continue
            }
            // One by one: in a list, strings of one byte would take 16 times their size.
            var rest = slice.contents(ofSection: "__cstring") ?? []
            while !rest.isEmpty {
                let string = rest.prefix { $0 != 0 }
                rest = rest[string.endIndex...].dropFirst()
                guard !string.isEmpty, string.count <= Self.lengthLimit else { continue }
                seen += 1
                guard seen <= Self.seenLimit, strings.count < Self.countLimit else {
                    isComplete = false
                    return
                }
                strings.insert(Array(string))
            }
        }
    }

    /// Notes that a program could not be read.
    mutating func omit() { isComplete = false }

    func contains(_ name: String) -> Bool { strings.contains(Array(name.utf8)) }

    /// True if a missing name proves that no program contains it.
    func proves(absenceOf name: String) -> Bool {
        isComplete && Self.swiftLength...Self.lengthLimit ~= name.utf8.count
    }

    /// The strings that are about as long as a name and begin or end like it, in a fixed order.
    ///
    /// A near miss differs in two characters, or in invisible ones and separators.
    func candidates(for name: String) -> [String] {
        let name = Array(name.utf8)
        func isSimilar(_ string: [UInt8]) -> Bool {
            abs(string.count - name.count) <= 4
                && (string.prefix(4).elementsEqual(name.prefix(4))
                    || string.suffix(4).elementsEqual(name.suffix(4)))
        }
        let similar = strings.filter(isSimilar).sorted { $0.lexicographicallyPrecedes($1) }
        return similar.prefix(NearMiss.candidateLimit).compactMap { String(utf8: $0) }
    }
}
