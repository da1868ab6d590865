import ArgumentParser

/// Caps in MiB, separated by commas; kept in ascending order.
struct CapList: ExpressibleByArgument {
    let caps: [Int]

    init(_ caps: [Int]) { self.caps = Set(caps).sorted() }

    init?(argument: String) {
        let words = argument.split(separator: ",")
        let caps = words.compactMap { Int($0.trimmingPrefix(" ")) }
        guard !caps.isEmpty, caps.count == words.count, caps.allSatisfy({ 1...65_536 ~= $0 })
        else { return nil }
        self.init(caps)
    }

    var defaultValueDescription: String { caps.map(String.init).joined(separator: ",") }
}
