import EventLoop
package import HTTPCore
import HTTPServer
package import Telemetry

/// A client's request on its way to a document.
package struct ClientCall: Sendable {
    package let request: Request
    package let context: ShardContext
    /// The position of the request in a trace; nil for probes.
    package let trace: TraceContext?
    /// The tries to get documents for it.
    package private(set) var tries = UpstreamTries()
    /// The route; nil for one that counters and logs do not tell from others.
    package let route: RouteLabel?
    /// The number of the router: with another configuration, the target can mean something else.
    package let edition: Int

    package init(
        _ request: Request, _ route: RouteLabel?, _ context: ShardContext, trace: TraceContext?, edition: Int
    ) {
        (self.request, self.context, self.trace) = (request, context, trace)
        (self.route, self.edition) = (route, edition)
    }

    /// The call for one of several documents, whose tries are also those of the whole call.
    package var forPart: ClientCall {
        var call = self
        call.tries = UpstreamTries(of: tries)
        return call
    }

    /// Remembers the document that the request has led to.
    package func remember(_ result: FailoverResult, _ form: AnswerForm) {
        let (document, upstream) = (result.answer.found.document, result.answer.upstream)
        guard result.answer.found.finding != nil, document.freshness != nil, !form.isExplained else { return }
        let entry = HitMemo.Entry(
            target: Array(request.target.rawBytes), edition: edition, key: document.key, form: form.name,
            countsClient: upstream.caching?.policy?.countsClientDirectives == true,
            account: upstream.credentials.account)
        context.memo.run { $0.remember(entry) }
    }
}
