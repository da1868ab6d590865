import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPreview

/// The contact sheet of a batch: an HTML file with a row for each attachment, failures first.
///
/// Rows lie in unnamed files until the batch is done, so that memory does not grow with their number.
struct ContactSheet {
    private let path: String
    private let places: SheetRow.Places
    private let cap: ByteCount
    private let failed: Spool
    private let others: Spool

    /// Prepares a sheet at a path, whose folder must exist.
    init(
        at path: String, of source: String?, cap: ByteCount, in container: SharedContainer,
        embedsThumbnails: Bool
    ) throws(SheetError) {
        self.path = path
        self.cap = cap
        let page = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
        places = SheetRow.Places(
            page: page, source: source, container: container, embedsThumbnails: embedsThumbnails)
        failed = try Spool(in: page)
        others = try Spool(in: page)
    }

    func add(_ result: BatchResult) throws(SheetError) {
        if case .notPicture = result.outcome { return }
        let row = SheetRow(result: result, cap: cap, places: places)
        let html = row.markup.html + "\n"
        if row.isFailed { try failed.append(html) } else { try others.append(html) }
    }

    /// Writes the page and moves it into place.
    func finish(_ summary: BatchSummary) throws(SheetError) {
        let page = try Spool(at: path + ".partial")
        let (head, tail) = Self.frame(summary)
        try page.append(head)
        try page.append(failed)
        try page.append(others)
        try page.append(tail)
        try page.close(movingTo: path)
    }

    private static let marker = "<!-- rows -->"

    /// The page before and after its rows.
    private static func frame(_ summary: BatchSummary) -> (String, String) {
        let html = Markup.document(
            title: "Contact sheet of thimble batch",
            sheets: StyleSheet.text(StyleSheet.colours, PackageResources.sheet_css),
            script: String(decoding: PackageResources.sheet_js, as: UTF8.self), allowsFiles: true,
            body: .group([
                .element(
                    "main", ["class": "sheet"],
                    .element("h1", [:], .text("Contact sheet")), sums(summary), tools,
                    .element("ol", ["class": "rows", "id": "rows"], .drawing(marker)),
                    .element(
                        "p", ["class": "empty", "id": "empty", "hidden": ""],
                        .text("No attachment matches."))),
                pair,
            ]))
        // The marker is the only comment: texts are escaped.
        let parts = html.split(separator: marker, maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    private static func sums(_ summary: BatchSummary) -> Markup {
        let share =
            Double(summary.bytesAfter.bytes) / Double(max(1, summary.bytesBefore.bytes)) - 1
        let change = (share * 100).rounded().fixed(0).replacing("-", with: "−")
        // The number of attachments equals the number of rows, which the search line counts.
        var sums = [sum("Attachments", "\(summary.attachments)")]
        if summary.notPictures > 0 { sums.append(sum("Other files", "\(summary.notPictures)")) }
        sums += [
            sum("Failed", "\(summary.failed)", isBad: summary.failed > 0),
            sum("Length", "\(change) %", "\(summary.bytesBefore) to \(summary.bytesAfter)"),
            sum(
                "Highest peak", summary.highestPeak?.memory ?? "none",
                "cap \(MemoryCap(summary.cap))"),
            sum("Workers lost", "\(summary.workersLost)", isBad: summary.workersLost > 0),
            sum("Time", "\(summary.seconds.fixed(1)) s"),
        ]
        if summary.unreadableFolders > 0 {
            sums.append(sum("Folders not listed", "\(summary.unreadableFolders)", isBad: true))
        }
        if summary.notDone > 0 {
            sums.append(sum("Not done", "\(summary.notDone)", isBad: true))
        }
        return .element("dl", ["class": "sums"], sums)
    }

    private static func sum(
        _ name: String, _ value: String, _ detail: String? = nil, isBad: Bool = false
    ) -> Markup {
        .element(
            "div", ["class": isBad ? "is-bad" : nil], .element("dt", [:], .text(name)),
            .element(
                "dd", [:], .text(value), detail.map { .element("small", [:], .text($0)) } ?? .none))
    }

    private static var tools: Markup {
        .element(
            "div", ["class": "tools", "role": "search", "aria-label": "Attachments"],
            .element(
                "label", [:], .text("Search names, reasons, rungs and notes"),
                .element("input", ["type": "search", "id": "search", "autocomplete": "off"])),
            select(
                "show", "Show",
                [
                    ("", "all"), ("failed", "failed"), ("made", "made"), ("reused", "reused"),
                    ("unchanged", "unchanged"), ("noted", "with notes"),
                ]),
            select(
                "order", "Order",
                [
                    ("failures", "failures first"), ("saving", "largest saving"),
                    ("peak", "highest peak"), ("before", "longest file"), ("slow", "slowest"),
                ]),
            .element("output", ["id": "count", "for": "search show"]))
    }

    private static func select(
        _ identifier: String, _ label: String, _ options: [(String, String)]
    ) -> Markup {
        .element(
            "label", [:], .text(label),
            .element(
                "select", ["id": identifier],
                // An empty value is one too.
                options.map { value, text in
                    value.isEmpty
                        ? .drawing("<option value=\"\">\(text)</option>")
                        : .element("option", ["value": value], .text(text))
                }))
    }

    private static var pair: Markup {
        let figure = { (name: String, label: String) -> Markup in
            .element(
                "figure", [:],
                // A transparent pixel, because pictures must have an address.
                .element(
                    "img",
                    [
                        "id": "pair-\(name)", "alt": label,
                        "src": "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
                    ]),
                .element("figcaption", ["id": "pair-\(name)-text"]))
        }
        return .element(
            "dialog", ["class": "pair", "id": "pair", "aria-labelledby": "pair-title"],
            .element(
                "div", ["class": "pair-head"],
                .element("h2", ["id": "pair-title"], .text("Before and after")),
                .element("button", ["type": "button", "id": "pair-close"], .text("Close"))),
            .element(
                "div", ["class": "pair-pictures"],
                figure("before", "The attachment"), figure("after", "The rendition")))
    }
}
