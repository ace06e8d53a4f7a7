import Settings
import EventLoop
import Operations
import Testing

@testable import Proxy

@Suite("The state of a kind of requests")
struct KindStateTests {
    private static let route = RequestKind("a-route")

    private static func configuration(_ change: (inout UpstreamConfiguration) -> Void = { _ in })
        -> UpstreamConfiguration
    {
        var configuration = UpstreamConfiguration()
        configuration.name = "sky"
        change(&configuration)
        return configuration
    }

    /// Returns whether the breaker opens after one failure.
    private static func opens(_ state: KindState) -> Bool {
        guard case .admitted(let permit, _) = state.admit(at: .now) else { return false }
        _ = state.note(.failure, permit, at: .now)
        return state.refusal(at: .now) != nil
    }

    @Test("Metrics list the kinds of which a try has ended: the built-in ones, then the others by name")
    func metrics() {
        let registry = UpstreamRegistry()
        let state = registry.state(for: Self.configuration { $0.breakerRequests = 1 })
        for kind in [RequestKind("b-route"), .history, Self.route, .search, .forecast] { state[kind].noteTry("200") }
        state.noteTokenTry("401")
        state[.forecast].noteTry("500")
        // Asked for, but without a try.
        _ = state[.tweet]
        #expect(Self.opens(state[Self.route]))
        let text = UpstreamFigures.table.text(of: UpstreamFigures(registry))
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        func samples(_ name: String) -> [String] {
            let prefix = name + #"{upstream="sky",requests="#
            return lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        #expect(
            samples("weir_upstream_tries_total") == [
                #""forecast",result="200"} 1"#, #""forecast",result="500"} 1"#, #""search",result="200"} 1"#,
                #""history",result="200"} 1"#, #""a-route",result="200"} 1"#, #""b-route",result="200"} 1"#,
                #""token",result="401"} 1"#,
            ])
        #expect(
            samples("weir_upstream_suspended") == [
                #""forecast"} 0"#, #""search"} 0"#, #""history"} 0"#, #""a-route"} 1"#, #""b-route"} 0"#,
            ])
    }

    @Test("A kind has one state, apart from those of the other kinds")
    func identity() {
        let state = UpstreamRegistry().state(for: Self.configuration { $0.breakerRequests = 1 })
        #expect(state[RequestKind("a-route")] === state[Self.route])
        #expect(Self.opens(state[Self.route]))
        #expect(state[.forecast].refusal(at: .now) == nil)
        state[.forecast].noteBody(1_000_000)
        #expect(state[.forecast].expectedBody == 1_000_000)
        #expect(state[Self.route].expectedBody == BodyBudget.step)
    }

    @Test("New limits hold for the kinds that have occurred and for those that are still to come")
    func reload() {
        let registry = UpstreamRegistry()
        let state = registry.state(for: Self.configuration())
        #expect(!Self.opens(state[.forecast]))
        #expect(registry.state(for: Self.configuration { $0.breakerRequests = 1 }) === state)
        #expect(Self.opens(state[.forecast]))
        #expect(Self.opens(state[.tweet]))
    }
}
