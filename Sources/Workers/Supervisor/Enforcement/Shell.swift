/// A shell that prepares a process and replaces itself by the program.
enum Shell {
    /// Words before the program and its arguments.
    ///
    /// The script ends with `exec "$@"`. A shell adds variables of its own to the environment, such as
    /// the folder of the supervisor.
    static func prefix(_ script: String, _ arguments: String...) -> [String] {
        ["/bin/sh", "-c", "unset PWD OLDPWD SHLVL; \(script)", "sh"] + arguments
    }
}
