import Foundation
import Testing

@Suite(
    "Pictures that need a disk", .timeLimit(.minutes(2)),
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "no file system in memory")
)
struct ScratchDiskTests {
    @Test("The refusal names the disk, and on a disk the picture is made under the same cap")
    func remedy() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                avifenc -s 10 Images/peak-orientation-6.jpg large.avif >/dev/null || exit 9
                memory=$(mktemp -d -p /dev/shm); trap 'rm -rf "$memory"' EXIT
                thimble process large.avif --container "$memory/C" --id a --cap 12MB
                echo "in memory: $?"
                thimble process large.avif --container "$memory/C" --id a --cap 12MB \\
                    --scratch "$PWD" >/dev/null
                echo "scratch on a disk: $?"
                thimble process large.avif --container C --id a --cap 12MB >/dev/null
                echo "on a disk: $?"
                """, in: folder)
            let told = run.output + run.errors
            #expect(
                told.contains(
                    "put the container or the folder for scratch files on a disk, or raise the cap "
                        + "(--scratch, --cap)"), "\(told)")
            #expect(told.contains("in memory: 3"), "\(told)")
            #expect(told.contains("scratch on a disk: 0"), "\(told)")
            #expect(told.contains("\non a disk: 0"), "\(told)")
        }
    }
}
