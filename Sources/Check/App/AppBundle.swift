/// A built app: its own target and its notification extensions.
struct AppBundle {
    /// The app; nil if its Info.plist is unreadable.
    let app: Target?
    /// The notification extensions, by folder.
    let extensions: [Target]
    /// True if all extensions were read.
    let isComplete: Bool
    /// The literals of the app's programs; nil if not asked for.
    let strings: ProgramStrings?
    /// The unreadable parts.
    let findings: [CheckReport.Finding]

    struct Target {
        let role: Project.Role
        let info: PropertyListFile
        /// The entitlements; nil if the program is unreadable.
        let entitlements: TargetEntitlements?
        /// The path of the program, for messages.
        let program: String
    }

    func targets(_ role: Project.Role) -> [Target] { extensions.filter { $0.role == role } }
}
