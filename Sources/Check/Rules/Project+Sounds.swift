import NotificationPayload

extension Project {
    func checkSounds() -> [Finding] {
        notifications.compactMap { notification in
            let name: String? =
                switch notification.content.sound {
                case .named(let name): name
                case .critical(let name, volume: _): name
                case .none, .default: nil
                }
            guard let name else { return nil }
            let place = notification.place("aps.sound")
            // The containers of linear PCM, IMA4, µLaw and aLaw (Apple, UNNotificationSound).
            let isPlayed = [".aiff", ".aif", ".wav", ".caf"].contains {
                name.lowercased().hasSuffix($0)
            }
            return isPlayed
                ? Finding(.customSound, "the sound \(name.quoted) must be in the app", at: place)
                : Finding(
                    .soundType, "the sound \(name.quoted) is of an unsupported type", at: place)
        }
    }
}
