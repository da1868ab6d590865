import ThimbleOptions

/// Options of the page.
extension ServiceOption {
    static var pages: [ServiceOption] {
        [page, maxTrials]
    }

    static var page: ServiceOption {
        .answer(
            "page", \.page, \.page, "Serve a page at / to try pictures and payloads on.")
    }
    static var maxTrials: ServiceOption {
        .count(
            "max-trials", \.maxTrials, \.maxTrials, 1...64,
            "Maximum number of trials of the page at once, each with a worker of its own.")
    }
}
