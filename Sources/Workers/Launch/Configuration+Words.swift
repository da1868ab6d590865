package import Subprocess
import SystemPackage

extension Configuration {
    /// The first word is the program's path; only the given environment is passed.
    package init(_ words: [String], environment: [Environment.Key: String]) {
        var options = PlatformOptions()
        // Ctrl-C reaches the whole process group, but the supervisor decides when its children
        // exit.
        options.processGroupID = 0
        self.init(
            executable: .path(FilePath(words[0])), arguments: Arguments(Array(words.dropFirst())),
            environment: .custom(environment), platformOptions: options)
    }
}
