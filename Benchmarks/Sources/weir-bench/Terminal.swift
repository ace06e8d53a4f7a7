import Foundation

/// Figures go to standard output, everything that is said about them to standard error.
enum Terminal {
    static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    static func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
