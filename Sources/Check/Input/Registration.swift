/// The categories that the app registers, by their source.
enum Registration {
    /// No part of the input names the categories.
    case unknown
    /// All categories.
    case complete(CategoryNames)
    /// Categories with constant identifiers, and the places of the others.
    case partial(CategoryNames, computed: [CheckReport.Place])
    /// The literals of the app's programs, which include the categories.
    case literals(ProgramStrings)

    /// The state of a category.
    enum State {
        case registered
        case missing
        case unknown
    }

    func state(of category: String) -> State {
        switch self {
        case .unknown: .unknown
        case .complete(let names): names.contains(category) ? .registered : .missing
        case .partial(let names, computed: _): names.contains(category) ? .registered : .unknown
        case .literals(let strings):
            if strings.contains(category) {
                .registered
            } else {
                strings.proves(absenceOf: category) ? .missing : .unknown
            }
        }
    }

    /// The registered name that is most similar to a missing one.
    func nearest(to category: String) -> NearMiss? {
        switch self {
        case .unknown, .partial: nil
        case .complete(let names): names.nearest(to: category)
        case .literals(let strings):
            NearMiss.nearest(to: category, among: strings.candidates(for: category))
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
