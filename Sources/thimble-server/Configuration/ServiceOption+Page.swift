import AttachmentContainer

/// Options of the page.
extension ServiceOption {
    static let pages: [ServiceOption] = [page, pageHost, maxTrials]

    static let page: ServiceOption = .choice(
        "page", \.page, \.page, "Serve a page at / to try pictures and payloads on.")
    static let pageHost: ServiceOption = .list(
        "page-host", \.pageHost, \.pageHost, separator: ",", "names of hosts",
        "Names by which browsers may reach the page, besides addresses and localhost, separated by "
            + "commas.", valueName: "names"
    ) { $0.isEmpty ? nil : $0.lowercased() }
    static let maxTrials: ServiceOption = .count(
        "max-trials", \.maxTrials, \.maxTrials, 1...64,
        "Maximum number of trials of the page at once, each with a worker of its own.")
}
