import Contracts
import JSONText
import LenientCoding

/// `weir normalize` of tweets.
extension Command {
    static let tweetOptions = [
        Option(name: "--text", help: "Write tweets as a person reads them, quotes behind >.")
    ]

    static func normalizeTweets(_ invocation: Invocation, _ dialect: TweetDialect) throws -> ExitCode {
        let others = transformOptions.map(\.name) + ["--units", "--exclude"]
        for option in others where invocation.has(option) {
            throw CommandError.usage("\(option) does not go with --as \(dialect.name)")
        }
        let (name, bytes) = try input(of: invocation)
        let options = JSONOptions(maximumBytes: maximumInput)
        do {
            if invocation.has("--text") {
                try Terminal.say(dialect.text(of: bytes, options: options))
                return .ok
            }
            let document = try dialect.normalize(bytes, shaping: tweetShaping(invocation), options: options)
            return try write(document, of: dialect.name, invocation)
        } catch let error as JSONSyntaxError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        } catch let error as ContractError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        } catch let error as TweetDialect.Refusal {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
    }

    private static func tweetShaping(_ invocation: Invocation) throws -> TweetShaping {
        var shaping = TweetShaping()
        shaping.dates = try invocation.choice("--dates") ?? .iso8601
        if let paths = invocation.list("--fields") {
            do throws(FieldSelection.UnknownFields) {
                shaping.fields = try FieldSelection(of: Tweet.self, paths: paths)
            } catch {
                throw CommandError.usage("--fields: \(error)")
            }
        }
        return shaping
    }
}
