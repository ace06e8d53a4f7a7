/// A parsed command line.
struct Invocation {
    static let usage = """
        usage: weir-bench [--suite NAME] [--seconds N] [--generated] [--check]
               weir-bench --list
               weir-bench --profile NAME [--seconds N] [--generated]
        """

    var suites: [any Suite.Type] = Suites.all
    var options = SuiteOptions()
    var isList = false
    var isCheck = false
    var profile: String?

    init(_ arguments: [String]) throws {
        var left = arguments[...]
        while let argument = left.popFirst() {
            switch argument {
            case "--list": isList = true
            case "--check": isCheck = true
            case "--generated": options.usesGeneratedDocuments = true
            case "--suite": suites = [try Suites.named(Self.value(of: argument, &left))]
            case "--profile": profile = try Self.value(of: argument, &left)
            case "--seconds":
                guard let seconds = Double(try Self.value(of: argument, &left)), seconds > 0 else { throw Misuse() }
                options.seconds = seconds
            default: throw Misuse()
            }
        }
    }

    private static func value(of option: String, _ left: inout ArraySlice<String>) throws -> String {
        guard let value = left.popFirst() else { throw Misuse() }
        return value
    }

    /// Runs the suites and returns the exit code: 1 with `--check` if a figure misses its bar.
    func run() throws -> Int32 {
        if isList {
            for suite in suites { Terminal.print(suite.names.joined(separator: "\n")) }
            return 0
        }
        if let profile { return try runProfile(profile) }
        var missed: [String] = []
        for suite in suites {
            try suite.init(options).run { figure in
                Terminal.print(figure.line)
                if !figure.isMet { missed.append(figure.line + ", the bar is " + figure.bar.description) }
            }
        }
        for line in missed { Terminal.say("missed: \(line)") }
        return isCheck && !missed.isEmpty ? 1 : 0
    }

    private func runProfile(_ name: String) throws -> Int32 {
        for suite in suites {
            let contestants = try suite.init(options).contestants()
            guard let contestant = contestants.first(where: { $0.name == name }) else { continue }
            Terminal.say(try contestant.loop(seconds: options.seconds))
            return 0
        }
        let names = try suites.flatMap { try $0.init(options).contestants().map(\.name) }
        Terminal.say("there is no contestant \(name); the contestants are \(names.joined(separator: ", "))")
        return 64
    }
}

/// A wrong command line.
struct Misuse: Error, CustomStringConvertible {
    var description: String { Invocation.usage }
}
