import AttachmentContainer

/// Options of the page.
extension ServiceOption {
    static let pages: [ServiceOption] = [page, maxTrials]

    static let page: ServiceOption = .choice(
        "page", \.page, \.page, "Serve a page at / to try pictures and payloads on.")
    static let maxTrials: ServiceOption = .count(
        "max-trials", \.maxTrials, \.maxTrials, 1...64,
        "Maximum number of trials of the page at once, each with a worker of its own.")
}
