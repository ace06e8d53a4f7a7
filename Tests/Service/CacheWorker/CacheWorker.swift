import Store
import Glibc

/// A process that uses the cache, for tests that kill it or measure its memory.
///
///     cache-worker write PATH ID    writes snapshots without end, and says so for each record
///     cache-worker fill             puts 10,000 documents into 64 MiB, and prints what that took
@main
enum CacheWorker {
    static func main() throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "write": try write(to: arguments[2], as: UInt8(arguments[3]) ?? 0)
        default: try fill()
        }
    }

    /// Each snapshot has up to 40 records of 16 KiB: the writer's id, the number of the snapshot and of its records.
    private static func write(to path: String, as id: UInt8) throws {
        let file = SnapshotFile(path: path, version: 1, maximumBytes: 1 << 20)
        for number in 1... {
            let count = number % 40 + 1
            let head = [id, UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(count)]
            do {
                try file.write { writer in
                    for _ in 0..<count {
                        try writer.append(head + [UInt8](repeating: head[1], count: 16 << 10))
                        say("snapshot \(number) record")
                    }
                }
                say("snapshot \(number) written")
            } catch SnapshotFault.busy {
                say("snapshot \(number) busy")
            }
        }
    }

    /// Documents of 8 to 38 KiB, and after each of them a request for one of 100 hot ones.
    private static func fill() throws {
        let cache = ByteBoundedCache<Int, [UInt8]>(maximumBytes: 64 << 20, stripes: 8)
        var (misses, bytes) = (0, 0)
        for key in 0..<10_000 {
            for wanted in [key + 100, key % 100] where cache.value(for: wanted) == nil {
                let document = [UInt8](repeating: 1, count: 8 << 10 + wanted * 7919 % (30 << 10))
                cache.insert(document, for: wanted, cost: document.count + 32)
                bytes += document.count
                if wanted < 100 { misses += 1 }
            }
        }
        say("misses \(misses)")
        say("inserted \(bytes)")
        say("cached \(cache.statistics.bytes)")
        say("resident \(try residentBytes())")
    }

    /// The resident memory of this process, without that of its program files.
    private static func residentBytes() throws -> Int {
        let descriptor = open("/proc/self/statm", O_RDONLY)
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &text, text.count)
        let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        // Mapped program files are not counted: the libraries of other parts of the target are among them.
        return ((Int(fields[1]) ?? 0) - (Int(fields[2]) ?? 0)) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // The reader has left: there is nobody to work for.
        if Glibc.write(STDOUT_FILENO, bytes, bytes.count) < 0 { exit(1) }
    }
}
