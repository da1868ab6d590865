import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPreview

/// One file of a contact sheet.
struct SheetRow {
    /// Places of files, seen from the page.
    struct Places {
        /// The folder of the page.
        let page: String
        /// The folder of pictures; nil for a list, whose files are named by paths.
        let source: String?
        let container: SharedContainer
        let embedsThumbnails: Bool
    }

    let result: BatchResult
    let cap: ByteCount
    let places: Places

    var isFailed: Bool { result.failure != nil }

    var markup: Markup {
        let file = BatchFile(result)
        let after = file.bytesAfter ?? ByteCount(0)
        let peak = file.measuredPeak
        return .element(
            "li",
            [
                "class": isFailed ? "row is-failed" : "row",
                "data-text": [
                    file.file, file.outcome, file.rung, file.error, file.reason,
                    file.notes?.joined(separator: " "),
                ].compactMap(\.self).joined(separator: " "),
                "data-outcome": isFailed ? "failed" : file.outcome,
                "data-noted": file.notes == nil ? nil : "",
                "data-before": "\(file.bytesBefore.bytes)", "data-after": "\(after.bytes)",
                "data-peak": peak.map { "\($0.bytes)" }, "data-seconds": file.seconds.fixed(3),
            ],
            thumbnail,
            words(file),
            savings(file),
            memory(file))
    }

    private func words(_ file: BatchFile) -> Markup {
        var lines: [Markup] = []
        if let failure = result.failure {
            lines.append(.element("p", [:], .element("strong", [:], .text(failure.reason))))
            lines.append(.element("p", [:], .text("Remedy: \(failure.remedy)")))
        } else {
            let facts = [
                file.size.map { "\($0.width) × \($0.height)" }, file.outcome,
                "\(file.seconds.fixed(2)) s",
            ]
            let text = facts.compactMap(\.self).joined(separator: ", ")
            lines.append(.element("p", [:], .text(text)))
        }
        lines += (file.notes ?? []).map { .element("p", [:], .text($0)) }
        return .element("div", [:], [.element("h2", [:], .text(file.file))] + lines)
    }

    private func savings(_ file: BatchFile) -> Markup {
        guard let after = file.bytesAfter else {
            return .element("div", [:], .element("p", [:], .text("\(file.bytesBefore)")))
        }
        let share = Double(after.bytes) / Double(max(1, file.bytesBefore.bytes))
        let change = ((share - 1) * 100).rounded()
        let sign = change > 0 ? "+" : change < 0 ? "−" : ""
        let text = sign + change.magnitude.fixed(0) + " %"
        return .element(
            "div", [:],
            .element("p", ["class": "saving"], .text(text)),
            meter(share),
            .element("p", [:], .text("\(file.bytesBefore) to \(after)")))
    }

    private func memory(_ file: BatchFile) -> Markup {
        guard let peak = file.measuredPeak, let rung = file.rung else {
            return .element("div", [:])
        }
        let share = Double(peak.bytes) / Double(max(1, cap.bytes))
        let predicted = file.predictedPeak.map { ", \($0.memory) predicted" } ?? ""
        return .element(
            "div", [:],
            .element("p", [:], .text("\(rung), \((share * 100).fixed(0)) % of the cap")),
            meter(share),
            .element("p", [:], .text("\(peak.memory) peak\(predicted)")))
    }

    private func meter(_ share: Double) -> Markup {
        let width = min(100, max(0, share * 100)).fixed(1)
        return .element(
            "div", ["class": "meter", "aria-hidden": "true"],
            .element("i", ["style": "width:\(width)%"]))
    }

    private var thumbnail: Markup {
        guard case .done(let done) = result.outcome,
            let small = done.manifest.thumbnail,
            let address = address(of: small)
        else { return .element("div", ["class": "thumb is-none"]) }
        let large =
            done.manifest.rendition(.attachment) ?? done.manifest.rendition(.expanded) ?? small
        return .element(
            "button",
            [
                "class": "thumb", "type": "button",
                "aria-label": "Compare before and after: \(result.identifier)",
                "data-source": source,
                "data-rendition": FileAddress.of(
                    places.container.url(of: large).path, from: places.page),
                "data-before": "\(result.bytes)",
                "data-after": "\(large.size.width) × \(large.size.height), \(large.bytes)",
            ],
            .element(
                "img",
                [
                    "src": address, "alt": "", "loading": "lazy", "decoding": "async",
                    "width": "76",
                    "height": "76",
                ]))
    }

    private func address(of rendition: Manifest.Rendition) -> String? {
        if places.embedsThumbnails {
            return EmbeddedImage(rendition, in: places.container)?.url
        }
        return FileAddress.of(places.container.url(of: rendition).path, from: places.page)
    }

    /// The attachment itself; nil for one of a URL, whose query may be secret.
    private var source: String? {
        // "./" marks a path that is not UTF-8.
        guard !AttachmentSource.isURL(result.identifier), !result.identifier.hasPrefix("./") else {
            return nil
        }
        let path = places.source.map { "\($0)/\(result.identifier)" } ?? result.identifier
        return FileAddress.of(path, from: places.page)
    }
}

extension Manifest {
    /// The rendition that a row shows; nil for sound.
    fileprivate var thumbnail: Rendition? {
        rendition(.banner) ?? rendition(.expanded)
            // Without the preset `content`; the shortest is enough.
            ?? renditions.filter { $0.role != .media }.min { $0.bytes < $1.bytes }
    }
}
