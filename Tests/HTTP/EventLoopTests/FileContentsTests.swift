import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Contents of files", .timeLimit(.minutes(10)))
struct FileContentsTests {
    @Test("A file is read up to its limit")
    func limit() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.write("12345678", to: "file")
        #expect(try FileContents.read(path: path, limit: 8) == Array("12345678".utf8))
        #expect(try FileContents.readStream(path: path, limit: 8) == Array("12345678".utf8))
        #expect(throws: FileContents.TooLarge.self) { try FileContents.read(path: path, limit: 7) }
        // The kernel's files state no size.
        #expect(try !FileContents.read(path: "/proc/self/statm", limit: 256).isEmpty)
    }

    @Test("A pipe, a device and a folder are no files, and nothing waits for them")
    func others() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path, "/dev/zero", "/dev/null"] {
            #expect(throws: FileContents.NotAFile.self, "\(path)") { try FileContents.read(path: path, limit: 8) }
            #expect(!FileContents.isReadable(path))
        }
        #expect(mkfifo(folder.path("quotas.new"), 0o600) == 0)
        #expect(throws: SystemError.self) { try FileContents.replace(path: folder.path("quotas"), with: [1]) }
    }

    @Test("A file that a symbolic link names is neither written nor locked nor created")
    func links() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let other = try folder.write("other", to: "other")
        #expect(symlink(other, folder.path("quotas.new")) == 0)
        #expect(throws: SystemError.self) { try FileContents.replace(path: folder.path("quotas"), with: [1]) }
        #expect(try FileContents.read(path: other, limit: 8) == Array("other".utf8))
        #expect(symlink(folder.path("absent"), folder.path("quotas.lock")) == 0)
        #expect(throws: SystemError.self) { try FileLock(path: folder.path("quotas.lock")) }
        #expect(!FileContents.isReadable(folder.path("absent")))
    }
}
