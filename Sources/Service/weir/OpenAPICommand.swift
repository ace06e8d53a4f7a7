import EventLoop
import Gateway

/// The command `weir openapi`.
enum OpenAPICommand {
    /// `weir openapi`: the document that `/openapi.json` serves.
    static let command = Command(
        name: "openapi", summary: "Print the OpenAPI 3.1 document of a configuration's routes.",
        options: [.config, .set]
    ) { invocation in
        try Terminal.write(invocation.configuration().configuration.openAPIDocument)
        if FileContents.standardOutputIsTerminal { try Terminal.say("") }
        return .ok
    }
}
