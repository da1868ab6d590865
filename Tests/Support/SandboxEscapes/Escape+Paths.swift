#if os(Linux)
    import CEscapes
    import Foundation

    extension Escape {
        static let paths: [Escape] = [
            Escape("open /etc/passwd") { _ in escape_open("/etc/passwd", O_RDONLY) },
            Escape("read a file by its path") { escape_open("\($0.outside)/file", O_RDONLY) },
            Escape("write to a file elsewhere") { escape_open("\($0.outside)/file", O_WRONLY) },
            Escape("make a file elsewhere") {
                escape_open("\($0.outside)/new", O_WRONLY | O_CREAT)
            },
            Escape("make a file elsewhere by way of ..") {
                escape_open("\($0.incoming)/../outside/new2", O_WRONLY | O_CREAT)
            },
            Escape("follow a link that leads elsewhere") {
                escape_open("\($0.incoming)/link", O_RDONLY)
            },
            Escape("open its input for writing by way of /proc") {
                escape_open("/proc/self/fd/\($0.input)", O_RDWR)
            },
            Escape("read its own memory map") { _ in escape_open("/proc/self/maps", O_RDONLY) },
            Escape("write to its own memory by way of /proc") { _ in
                escape_open("/proc/self/mem", O_RDWR)
            },
            Escape("list the root folder") { _ in escape_open("/", O_RDONLY | O_DIRECTORY) },
            Escape("open a device") { _ in escape_open("/dev/null", O_RDWR) },
            Escape("make a file in the folder of what is being made") {
                escape_open("\($0.incoming)/new", O_WRONLY | O_CREAT)
            },
            Escape("read what is being made") { escape_open("\($0.incoming)/mine2", O_RDONLY) },
            Escape("write to what is being made") {
                escape_open("\($0.incoming)/mine2", O_WRONLY)
            },
            Escape("list what is being made") {
                escape_open($0.incoming, O_RDONLY | O_DIRECTORY)
            },
            Escape("remove what is being made") {
                unlink("\($0.incoming)/mine3") == 0 ? 0 : errno
            },
            Escape("make a file without a name") {
                // O_TMPFILE.
                escape_open($0.incoming, 0o20_000_000 | O_DIRECTORY | O_RDWR)
            },
            Escape("give the file that it was handed a name") {
                // AT_SYMLINK_FOLLOW, as open(2) says for files without a name.
                linkat(
                    AT_FDCWD, "/proc/self/fd/\($0.output)", AT_FDCWD, "\($0.stored)/named", 0x400)
                    == 0 ? 0 : errno
            },
            Escape("mark what is stored as used now") {
                utimensat(AT_FDCWD, "\($0.stored)/file", nil, 0) == 0 ? 0 : errno
            },
            Escape("make a folder for renditions") {
                mkdir("\($0.stored)/ab", 0o700) == 0 ? 0 : errno
            },
            Escape("publish a file") {
                rename("\($0.incoming)/mine4", "\($0.stored)/mine4") == 0 ? 0 : errno
            },
            Escape("read what is stored") { escape_open("\($0.stored)/file", O_RDONLY) },
            Escape("write to what is stored") { escape_open("\($0.stored)/file", O_WRONLY) },
            Escape("move what is stored to where it can be read") {
                rename("\($0.stored)/file2", "\($0.incoming)/file2") == 0 ? 0 : errno
            },
            Escape("give what is stored a name where it can be read") {
                link("\($0.stored)/file", "\($0.incoming)/stored") == 0 ? 0 : errno
            },
            Escape("give a file elsewhere a name where it can be read") {
                link("\($0.outside)/file", "\($0.incoming)/foreign") == 0 ? 0 : errno
            },
            Escape("move a file elsewhere") {
                rename("\($0.incoming)/mine2", "\($0.outside)/mine2") == 0 ? 0 : errno
            },
            Escape("remove a file elsewhere") {
                unlink("\($0.outside)/file3") == 0 ? 0 : errno
            },
            Escape("make a folder elsewhere") {
                mkdir("\($0.outside)/folder", 0o700) == 0 ? 0 : errno
            },
            Escape("make a link") {
                symlink("/etc/passwd", "\($0.incoming)/link2") == 0 ? 0 : errno
            },
            Escape("make a named pipe") {
                mkfifo("\($0.incoming)/pipe", 0o600) == 0 ? 0 : errno
            },
            Escape("empty a file elsewhere") {
                truncate("\($0.outside)/file4", 0) == 0 ? 0 : errno
            },
            Escape("change the rights of a file") {
                chmod("\($0.outside)/file", 0o777) == 0 ? 0 : errno
            },
            Escape("change the owner of a file") {
                chown("\($0.outside)/file", getuid(), gid_t.max) == 0 ? 0 : errno
            },
            Escape("set the times of a file") { escape_times("\($0.outside)/file") },
            Escape("read the attributes of a file") {
                listxattr("\($0.outside)/file", nil, 0) >= 0 ? 0 : errno
            },
            Escape("change its folder") { _ in chdir("/") == 0 ? 0 : errno },
            Escape("change its root") { _ in chroot("/") == 0 ? 0 : errno },
            Escape("watch a folder", call: SYS_inotify_init1, 0),
            Escape("watch a file system", call: SYS_fanotify_init, 0, 0),
        ]
    }
#endif
