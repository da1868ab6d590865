/// The categories that the app registers, by their source.
enum Registration {
    /// No part of the input tells them.
    case unknown
    /// All of them.
    case complete([String])
    /// Those with constant identifiers, and the places of the others.
    case partial([String], computed: [CheckReport.Place])
    /// The literals of the app's programs, among which they are.
    case literals(ProgramStrings)

    /// The state of a category.
    enum State {
        case registered
        /// Not registered; with the nearest registered name.
        case missing(NearMiss?)
        case unknown
    }

    func state(of category: String) -> State {
        switch self {
        case .unknown: .unknown
        case .complete(let names):
            names.contains { $0.isIdentical(to: category) }
                ? .registered : .missing(NearMiss.nearest(to: category, among: names))
        case .partial(let names, computed: _):
            names.contains { $0.isIdentical(to: category) } ? .registered : .unknown
        case .literals(let strings):
            if strings.contains(category) {
                .registered
            } else if strings.proves(absenceOf: category) {
                .missing(
                    NearMiss.nearest(to: category, among: strings.candidates(for: category)))
            } else {
                .unknown
            }
        }
    }

    /// The finding about a missing category, as a phrase before its name.
    var problem: String {
        if case .literals = self {
            "the app's program does not contain"
        } else {
            "the app does not register"
        }
    }
}
