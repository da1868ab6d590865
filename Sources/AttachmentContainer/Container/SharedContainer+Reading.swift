import Foundation

extension SharedContainer {
    /// Finds what to show for a notification, without opening a picture.
    ///
    /// Of the whole pictures whose decoded bytes fit the render budget, the best is the smallest
    /// that covers the display's width, else the largest. The square one, which is cut, serves only
    /// when no whole one does. Animations, sound and movies are beside the picture. There is always
    /// an answer: where the renditions are gone, it has the manifest's placeholder, colour and ratio;
    /// where the manifest is gone or cannot be read, a neutral one.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - display: What there is to show it with.
    /// - Returns: What to show.
    public func content(for identifier: String, on display: Display) -> DisplayContent {
        let manifest: Manifest
        do throws(ContainerError) {
            guard let found = try self.manifest(for: identifier) else {
                return .neutral(on: display)
            }
            manifest = found
        } catch {
            return .neutral(.unreadable, on: display)
        }
        let choices = manifest.choices(for: display)
        // One that the system fails to look at cannot be shown either.
        let rendition = choices.first { (try? holds($0)) == true }
        let absence: DisplayContent.Absence =
            manifest.isOnlyPlayed
            ? .noPicture : manifest.isTooLarge(for: display) ? .overBudget : .evicted
        return DisplayContent(
            picture: rendition.map { picture($0) }, absence: rendition == nil ? absence : nil,
            animation: animation(of: manifest, on: display), media: media(of: manifest),
            contentSizeRatio: manifest.contentSizeRatio > 0
                ? manifest.contentSizeRatio : display.initialContentSizeRatio,
            placeholder: manifest.placeholder, averageColour: manifest.averageColour,
            notes: manifest.notes)
    }

    private func picture(_ rendition: Manifest.Rendition) -> DisplayContent.Picture {
        DisplayContent.Picture(
            url: url(of: rendition), type: rendition.type, role: rendition.role,
            size: rendition.size)
    }

    /// What moves, if it is still there, and one frame of it fits.
    private func animation(
        of manifest: Manifest, on display: Display
    ) -> DisplayContent.Picture? {
        guard let rendition = manifest.rendition(.attachment),
            rendition.size.decodedBytes <= display.renderBudget, (try? holds(rendition)) == true
        else { return nil }
        return picture(rendition)
    }

    /// What there is to play, if it is still there.
    private func media(of manifest: Manifest) -> DisplayContent.Media? {
        guard let rendition = manifest.rendition(.media), (try? holds(rendition)) == true else {
            return nil
        }
        return DisplayContent.Media(
            url: url(of: rendition), type: rendition.type,
            size: rendition.size == .zero ? nil : rendition.size, duration: rendition.duration)
    }

    /// Reads the manifest of a notification.
    ///
    /// - Parameter identifier: The notification's identifier.
    /// - Returns: The manifest; nil when there is no such notification.
    /// - Throws: `ContainerError` when the manifest cannot be read or is another notification's.
    public func manifest(for identifier: String) throws(ContainerError) -> Manifest? {
        try manifest(withKey: ContentDigest(of: identifier))
    }

    /// Reads every manifest, one at a time, in no order.
    ///
    /// One that cannot be read is an error in its place and does not end the sequence. What other
    /// processes publish meanwhile may or may not be in it.
    ///
    /// - Returns: The manifests; one pass.
    /// - Throws: `ContainerError` when the folder of the manifests cannot be read.
    public func manifests() throws(ContainerError) -> some Sequence<
        Result<Manifest, ContainerError>
    > {
        try manifests(namedIn: .notifications) { Self.key(of: $0) }
    }

    /// Reads the manifests of the notifications whose keys stand in a folder, one at a time.
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

    /// Finds what the same bytes gave with the same settings.
    ///
    /// Its renditions are marked as used now, so that they can be published for another
    /// notification with `Manifest.readdressed(to:category:created:)`.
    ///
    /// - Parameters:
    ///   - source: The digest of the attachment.
    ///   - settings: The fingerprint of the settings.
    /// - Returns: The manifest that was published then; nil when there is none, or one of its
    ///   renditions is no longer there.
    public func result(source: ContentDigest, settings: String) -> Manifest? {
        guard let manifest = result(at: resultPath(source: source, settings: settings)),
            manifest.renditions.allSatisfy({
                (try? system.touch(path(.renditions, $0.file))) == true
            })
        else { return nil }
        return manifest
    }

    /// Reads a result; nil when it cannot be reused.
    ///
    /// Whatever is wrong with it, processing the attachment again mends it.
    func result(at path: String) -> Manifest? {
        guard let manifest = try? VersionedJSON.read(Manifest.self, at: path, by: system),
            path == resultPath(source: manifest.source.sha256, settings: manifest.settings),
            manifest.renditions.allSatisfy({ (try? holds($0)) == true })
        else { return nil }
        return manifest
    }

    /// Reads the manifest with a key, which must be the digest of its identifier.
    func manifest(withKey key: ContentDigest) throws(ContainerError) -> Manifest? {
        let path = manifestPath(key)
        let manifest = try VersionedJSON.read(Manifest.self, at: path, by: system)
        guard manifest == nil || manifest?.key == key else {
            throw ContainerError(
                .wrongKey, path: path, reason: "it is the manifest of another notification")
        }
        return manifest
    }

    /// The key in the name of a manifest; nil when it is not one's name.
    static func key(of name: String) -> ContentDigest? {
        name.hasSuffix(".json") ? ContentDigest(rawValue: String(name.dropLast(5))) : nil
    }
}

extension Manifest {
    /// Whether there is something to play, and was never a picture of it.
    fileprivate var isOnlyPlayed: Bool { !hasPicture && rendition(.media) != nil }

    /// Whether there are pictures, and all of them take more than a display may spend.
    fileprivate func isTooLarge(for display: Display) -> Bool {
        choices(for: display).isEmpty
            && renditions.contains {
                ![.media, .attachment].contains($0.role)
                    && $0.size.decodedBytes > display.renderBudget
            }
    }

    /// The renditions that fit a display's render budget, best first.
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
