import Operations
import HTTPServer
import API

/// The routes of the pages for people, which are no part of the API: documents and suggestions leave the routes out.
enum PageRoutes {
    /// The start of the paths of style sheets and scripts, which configured routes must not have.
    static let filesPrefix = "/\(PageFile.folder)/"

    /// The explorer at `/` and the reference at `/docs`; compressed once for all configurations.
    static let explorer = [
        page("explorer", "/", "The explorer of the API", PageFile.explorer),
        page("reference", "/docs", "The reference of the API", PageFile.reference),
    ]

    /// The files of all pages; compressed once for all configurations.
    static let files = {
        let files = Dictionary(
            PageFile.files.map { ($0.name, answer($0, "public, max-age=31536000, immutable")) }
        ) { first, _ in first }
        return Route(description("pageFile", "\(filesPrefix){file}", "A style sheet or a script of a page")) { call in
            guard let file = call.segments.last.flatMap({ files[$0] }) else {
                return .now(Problem.notFound(tryInstead: "/").response)
            }
            return file.reply(to: call.request)
        }
    }()

    /// The fields that keep a page from running or loading anything but its own files.
    static let protection = [
        (
            name: "Content-Security-Policy",
            value: """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
            frame-ancestors 'none'; base-uri 'none'; form-action 'none'
            """
        ),
        (name: "X-Content-Type-Options", value: "nosniff"), (name: "Referrer-Policy", value: "no-referrer"),
    ]

    private static func page(_ name: String, _ path: String, _ summary: String, _ file: PageFile) -> Route {
        let answer = answer(file, "no-cache")
        return Route(description(name, path, summary)) { call in answer.reply(to: call.request) }
    }

    private static func description(_ name: String, _ path: String, _ summary: String) -> RouteDescription {
        RouteDescription(name, path, tag: "pages", summary, answer: RouteDescription.Answer("text/html"))
    }

    private static func answer(_ file: PageFile, _ cacheControl: String) -> FixedAnswer {
        FixedAnswer(
            file.content,
            [("Content-Type", "\(file.mediaType); charset=utf-8"), (AnswerField.cacheControl.name, cacheControl)]
                + protection)
    }
}
