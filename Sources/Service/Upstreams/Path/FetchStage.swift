import HTTPClient
import HTTPCore

/// A stage of the path to one upstream: it gets a fetch and the rest of the path.
protocol FetchStage: Sendable {
    /// Returns the document, which `next` or the stage itself finds.
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument
}

/// The stages that follow a stage.
struct Next: Sendable {
    private let stages: ArraySlice<any FetchStage>

    init(_ stages: [any FetchStage]) { self.stages = stages[...] }

    private init(_ stages: ArraySlice<any FetchStage>) { self.stages = stages }

    /// Runs the following stages.
    nonisolated(nonsending) func callAsFunction(_ fetch: Fetch) async throws(FetchFailure) -> FoundDocument {
        guard let stage = stages.first else { throw .unusable("no stage has read the answer") }
        return try await stage.run(fetch, Next(stages.dropFirst()))
    }

    /// Runs the following stages; a failure is a part of the result.
    nonisolated(nonsending) func result(_ fetch: Fetch) async -> Flight.Outcome {
        do throws(FetchFailure) { return .success(try await self(fetch).document) } catch { return .failure(error) }
    }
}

/// A document, and how the cache found it.
package struct FoundDocument: Sendable {
    let document: CachedDocument
    /// Nil without a cache.
    var finding: Finding?
}
