import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPayload

extension Project {
    func checkPictures() -> [Finding] {
        guard let container else { return [] }
        guard notifications.isEmpty, input.identifier == nil else {
            return checkNotifications(in: container)
        }
        do throws(ContainerError) {
            return try container.manifests().flatMap { entry in
                switch entry {
                case .success(let manifest):
                    checkManifest(manifest, category: manifest.category, in: container)
                case .failure(let error): [Finding(error)]
                }
            }
        } catch {
            return [Finding(error)]
        }
    }

    private func checkNotifications(in container: SharedContainer) -> [Finding] {
        let named = notifications.compactMap { notification in
            notification.identifier.map {
                (
                    identifier: $0, category: notification.content.categoryIdentifier,
                    place: notification.place()
                )
            }
        }
        let identifier = notifications.isEmpty ? input.identifier : nil
        let single = identifier.map {
            (identifier: $0, category: String?.none, place: Place(container.root.path))
        }
        return (named + [single].compactMap(\.self)).flatMap { identifier, category, place in
            do throws(ContainerError) {
                guard let manifest = try container.manifest(for: identifier) else {
                    return [
                        Finding(.missingManifest, "the container lacks the notification", at: place)
                    ]
                }
                return checkManifest(
                    manifest, category: category ?? manifest.category, in: container)
            } catch {
                return [Finding(error)]
            }
        }
    }

    private func checkManifest(
        _ manifest: Manifest, category: String?, in container: SharedContainer
    ) -> [Finding] {
        let place = Place("\(container.root.path)/notifications/\(manifest.key).json")
        var findings: [Finding] = []
        if let published = manifest.category, let category, !published.isIdentical(to: category) {
            findings.append(
                Finding(
                    .manifestCategory,
                    "the manifest was published for \(published.quoted), and the payload has "
                        + category.quoted, at: place))
        }
        findings += manifest.renditions.compactMap { fault(in: $0, at: place, of: container) }
        guard let expanded = manifest.rendition(.expanded) else {
            // Sound needs no picture, and neither does a movie.
            if manifest.rendition(.media) != nil { return findings }
            let finding = Finding(
                .missingRendition, "the manifest has no expanded rendition", at: place)
            return findings + [finding]
        }
        guard let profile = profile(for: category) else { return findings }
        return findings
            + [budget(expanded, profile, place), ratio(expanded, profile, place)].compactMap(\.self)
    }

    private func profile(for category: String?) -> Profile? {
        let matching = content.compactMap(\.profile).filter { profile in
            profile.categories.contains { category.map($0.isIdentical(to:)) ?? false }
        }
        return matching.count == 1 ? matching.first : nil
    }

    private func fault(
        in rendition: Manifest.Rendition, at place: Place, of container: SharedContainer
    ) -> Finding? {
        let path = "\(container.root.path)/renditions/\(rendition.file)"
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.size] as? Int == rendition.bytes.bytes else {
            let what = attributes == nil ? "missing" : "not of the size in the manifest"
            return Finding(
                .missingRendition, "the \(rendition.role.rawValue.quoted) rendition is \(what)",
                at: place)
        }
        guard let limit = limit(for: rendition) else {
            return Finding(
                .renditionType, "a rendition has the type \(rendition.type.quoted)", at: place)
        }
        guard rendition.bytes > limit else { return nil }
        return Finding(
            .renditionTooLarge,
            "a rendition has \(rendition.bytes); the system accepts at most \(limit)", at: place)
    }

    /// The system's size limit for a rendition; nil if it does not accept the type.
    private func limit(for rendition: Manifest.Rendition) -> ByteCount? {
        if RenditionType(rawValue: rendition.type) != nil {
            return ProcessingSettings().maximumBytes
        }
        return MediaType(rawValue: rendition.type).map { MediaLimits().limit(for: $0.kind) }
    }

    private func budget(
        _ rendition: Manifest.Rendition, _ profile: Profile, _ place: Place
    ) -> Finding? {
        let budget = profile.display.renderBudget
        guard rendition.size.decodedBytes > budget else { return nil }
        return Finding(
            .overRenderBudget,
            "the picture of \(rendition.size) takes \(rendition.size.decodedBytes) decoded; the "
                + "content extension's render budget is \(budget)", at: place)
    }

    private func ratio(
        _ rendition: Manifest.Rendition, _ profile: Profile, _ place: Place
    ) -> Finding? {
        let declared = profile.initialContentSizeRatio
        let ratio = rendition.size.heightToWidthRatio
        guard abs(ratio / declared - 1) > input.ratioTolerance else { return nil }
        return Finding(
            .ratioMismatch,
            "the picture's ratio is \(ratio.thousandths), and the content extension declares "
                + declared.thousandths,
            // With fitting, the view follows the picture's ratio.
            at: place, severity: profile.fitting == .fit ? .note : nil)
    }
}

extension Double {
    fileprivate var thousandths: String {
        abs(self) < 1e12 ? "\((self * 1000).rounded() / 1000)" : "\(self)"
    }
}
