import Foundation
import Glibc

/// What happens to the files of a folder (inotify(7)).
package final class FolderEvents {
    /// A file appears, or gets its name from another one.
    package enum Kind: UInt32, Sendable {
        case created = 0x100
        case renamed = 0x80
    }

    private let descriptor: Descriptor
    private var events: [(kind: UInt32, name: String)] = []

    /// Watches the folder at `path` from now on.
    package init(_ path: String) throws {
        let number = inotify_init1(Int32(IN_CLOEXEC))
        guard number >= 0 else { throw Failure("inotify: \(errorText())") }
        descriptor = Descriptor(number)
        guard inotify_add_watch(number, path, Kind.created.rawValue | Kind.renamed.rawValue) >= 0 else {
            throw Failure("\(path): \(errorText())")
        }
    }

    /// Forgets what has happened so far.
    package func drop() {
        while descriptor.wait(for: POLLIN, seconds: 0) { read() }
        events = []
    }

    /// Waits until this has happened to the file with this name; returns false after `seconds`.
    package func wait(for kind: Kind, of name: String, seconds: Double) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                if event.kind & kind.rawValue != 0, event.name == name { return true }
            }
            guard descriptor.wait(for: POLLIN, seconds: (end - .now) / .seconds(1)) else { return false }
            read()
        }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var rest = bytes[..<max(0, Glibc.read(descriptor.number, &bytes, bytes.count))]
        // The mask is behind the watch, the length of the name behind the cookie.
        while rest.count >= 16 {
            func number(_ offset: Int) -> UInt32 {
                rest.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            let length = Int(number(12))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            events.append((number(4), String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(16 + length)
        }
    }
}
