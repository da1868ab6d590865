import Foundation

extension SharedContainer {
    /// Finds the content to show for a notification, without opening a picture.
    ///
    /// The best rendition within the render budget is the smallest whole picture that covers the
    /// display's width, else the largest, else the square crop. Without a rendition, the result
    /// holds the manifest's placeholder, colour and ratio; without a readable manifest, the
    /// preview's. The default preview is unknown.
    public func content(
        for identifier: String, on display: Display, preview: DisplayContent.Preview = .unknown
    ) -> DisplayContent {
        let manifest: Manifest
        do throws(ContainerError) {
            guard let found = try self.manifest(for: identifier) else {
                return .previewing(preview, on: display)
            }
            manifest = found
        } catch {
            // Sealed with a former key, it is as good as gone.
            let absence: DisplayContent.Absence = error.code == .otherKey ? .evicted : .unreadable
            return .previewing(preview, absence, on: display)
        }
        let choices = manifest.choices(for: display)
        // A file whose status is unavailable cannot be shown either.
        let rendition = choices.first { (try? holds($0)) == true }
        let absence: DisplayContent.Absence =
            !manifest.renditions.isEmpty && !manifest.hasContent
            ? .noPicture : manifest.isTooLarge(for: display) ? .overBudget : .evicted
        return DisplayContent(
            picture: rendition.map { picture($0) }, absence: rendition == nil ? absence : nil,
            animation: animation(of: manifest, on: display), media: media(of: manifest),
            contentSizeRatio: manifest.contentSizeRatio > 0
                ? manifest.contentSizeRatio : display.initialContentSizeRatio,
            placeholder: manifest.placeholder, averageColour: manifest.averageColour,
            notes: manifest.notes)
    }

    /// Finds the rendition of a notification for another surface, such as a widget.
    ///
    /// - Parameters:
    ///   - role: The purpose, such as `widget` or `liveActivity`.
    ///   - identifier: The notification's identifier.
    /// - Returns: The file to show; nil if notification or rendition does not exist, or if the file is
    ///   incomplete.
    /// - Throws: `ContainerError` if the manifest or the file's status cannot be read.
    public func picture(
        _ role: RenditionRole, of identifier: String
    ) throws(ContainerError) -> DisplayContent.Picture? {
        guard let rendition = try manifest(for: identifier)?.rendition(role), try holds(rendition)
        else { return nil }
        return picture(rendition)
    }

    private func picture(_ rendition: Manifest.Rendition) -> DisplayContent.Picture {
        DisplayContent.Picture(
            url: url(of: rendition), type: rendition.type, role: rendition.role,
            size: rendition.size, sha256: rendition.sha256, seal: rendition.seal)
    }

    private func animation(of manifest: Manifest, on display: Display) -> DisplayContent.Picture? {
        guard let rendition = manifest.rendition(.attachment),
            rendition.size.decodedBytes <= display.renderBudget, (try? holds(rendition)) == true
        else { return nil }
        return picture(rendition)
    }

    private func media(of manifest: Manifest) -> DisplayContent.Media? {
        guard let rendition = manifest.rendition(.media), (try? holds(rendition)) == true else {
            return nil
        }
        return DisplayContent.Media(
            url: url(of: rendition), type: rendition.type,
            size: rendition.size == .zero ? nil : rendition.size, duration: rendition.duration)
    }

    /// Reads the manifest of a notification; nil if the notification does not exist.
    public func manifest(for identifier: String) throws(ContainerError) -> Manifest? {
        try manifest(withKey: ContentDigest(of: identifier))
    }

    /// Reads every manifest, one at a time, in no order; an unreadable one is an error in its
    /// place.
    public func manifests() throws(ContainerError) -> some Sequence<
        Result<Manifest, ContainerError>
    > {
        try manifests(namedIn: .notifications) { Self.key(of: $0) }
    }

    func manifests(
        namedIn folder: Folder, key: @escaping (_ name: String) -> ContentDigest?
    ) throws(ContainerError) -> AnyIterator<Result<Manifest, ContainerError>> {
        let names = try FolderListing(of: path(folder), by: system)
        return AnyIterator { () -> Result<Manifest, ContainerError>? in
            do throws(ContainerError) {
                while let name = try names.next() {
                    guard let key = key(name), let manifest = try manifest(withKey: key)
                    else { continue }
                    return .success(manifest)
                }
                return nil
            } catch {
                return .failure(error)
            }
        }
    }

    /// Finds the result of the same bytes and settings, and marks its renditions as used now.
    ///
    /// Nil if it does not exist or lacks a rendition. Publish it for another notification with
    /// `Manifest.readdressed(to:category:created:)`.
    public func result(source: ContentDigest, settings: String) -> Manifest? {
        guard let manifest = result(at: resultPath(source: source, settings: settings)),
            manifest.renditions.allSatisfy({
                (try? system.touch(path(.renditions, $0.file))) == true
            })
        else { return nil }
        return manifest
    }

    /// Nil also after an error: processing the attachment again replaces the result.
    func result(at path: String) -> Manifest? {
        guard let manifest = try? VersionedJSON.read(Manifest.self, at: path, by: system),
            path == resultPath(source: manifest.source.sha256, settings: manifest.settings),
            manifest.renditions.allSatisfy({ (try? holds($0)) == true })
        else { return nil }
        return manifest
    }

    static func key(of name: String) -> ContentDigest? {
        name.hasSuffix(".json") ? ContentDigest(rawValue: String(name.dropLast(5))) : nil
    }
}

extension Manifest {
    fileprivate func isTooLarge(for display: Display) -> Bool {
        choices(for: display).isEmpty
            && renditions.contains {
                [.expanded, .banner].contains($0.role)
                    && $0.size.decodedBytes > display.renderBudget
            }
    }

    /// The renditions for a display, best first.
    fileprivate func choices(for display: Display) -> [Rendition] {
        [RenditionRole.expanded, .banner].flatMap { role in
            let fitting = renditions.filter {
                $0.role == role && $0.size.decodedBytes <= display.renderBudget
            }.sorted { $0.size.pixelCount < $1.size.pixelCount }
            let covering = fitting.filter { Double($0.size.width) >= display.pixelWidth }
            return covering + fitting.reversed().filter { !covering.contains($0) }
        }
    }
}
