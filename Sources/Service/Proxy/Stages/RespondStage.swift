import API
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Operations
import Records

/// Makes the response with an answer: 304 if the client has this version, and otherwise in the coding that the client
/// prefers.
struct RespondStage: Sendable {
    let call: ClientCall
    let cache: DocumentCache?

    /// The response with a document in its form.
    nonisolated(nonsending) func response(_ answer: Answer, _ form: AnswerForm) async -> Response {
        // The path makes the form; only a test can leave it out.
        let variant = answer.form ?? DocumentVariant(ReadDocument.formless.shape(), form, isKept: false)
        let received = form.explanation == .upstream ? await json(answer.document.content.response.body) : nil
        let now = call.context.clock.seconds
        var whole = response(variant, form, answer.source, received: received, answer.use(at: now))
        (whole.note.fetched, whole.note.digest) = (answer.document.fetched, answer.document.content.digest)
        return await negotiated(whole, variant, form, answer.document)
    }

    /// The response that is made of several documents, and not kept.
    nonisolated(nonsending) func response(
        _ shaped: ShapedDocument, of parts: [Answer], isComplete: Bool, source: DocumentSource, _ form: AnswerForm
    ) async -> Response {
        let variant = DocumentVariant(shaped, form, isKept: false)
        let use = Answer.use(of: parts, as: variant, isComplete: isComplete, at: call.context.clock.seconds)
        return await negotiated(response(variant, form, source, received: nil, use), variant, form, nil)
    }

    private func response(
        _ variant: DocumentVariant, _ form: AnswerForm, _ source: DocumentSource, received: [UInt8]?,
        _ use: (fields: [(name: String, value: String)], note: CacheNote?)
    ) -> Response {
        let body =
            form.isExplained
            ? ShapedDocument(body: variant.body, drift: variant.drift).explained(source: source, upstream: received)
            : variant.body
        var response = Response(status: body.isEmpty ? .noContent : .ok, body: body)
        // Room for the fields that the router adds.
        response.headers.reserveCapacity(variant.headers.count + use.fields.count + 6)
        response.headers += variant.headers
        response.note.upstream = source.upstream
        (response.note.repaired, response.note.dropped) = (variant.repaired, variant.dropped)
        response.headers += use.fields
        use.note?.add(to: &response)
        if let callback = form.callback { response.becomeCall(of: callback) }
        return response
    }

    /// Returns the response in the coding that the client prefers; a body that is kept is compressed once for all clients.
    nonisolated(nonsending) private func negotiated(
        _ whole: Response, _ variant: DocumentVariant, _ form: AnswerForm, _ document: CachedDocument?
    ) async -> Response {
        // The router does the same with an explanation, and with a call.
        if form.isExplained || form.callback != nil || whole.status == .noContent { return whole }
        var response = whole
        let representation = variant.representation(lastModified: document?.changed)
        let selection = representation.selection(for: call.request.headers)
        var codedBody: [UInt8]?
        if let coding = selection.coding {
            let known = variant.compressedBody(coding)
            codedBody = known.body
            if known.body == nil, !known.isUseless {
                codedBody = await Compression.body(variant.body, in: coding)
                if let document { cache?.keep(codedBody, in: coding, of: variant, document) }
            }
        }
        response.send(selection, of: representation, codedBody: codedBody)
        return response
    }

    /// Returns a document that an upstream sent as JSON, without blocking the event loop for a large one.
    nonisolated(nonsending) private func json(_ received: [UInt8]) async -> [UInt8] {
        received.count < Upstream.largeDocument ? Self.json(received) : await WorkPool.run { Self.json(received) }
    }

    /// Returns the bytes themselves if they are JSON (RFC 8259), and otherwise the values that reading finds in them.
    private static func json(_ received: [UInt8]) -> [UInt8] {
        func options(_ leniency: JSONLeniency) -> JSONOptions {
            JSONOptions(maximumBytes: .max, maximumDepth: JSONOptions.greatestDepth, leniency: leniency)
        }
        var strict = JSONParser(options: options([]))
        if (try? strict.withDocument(received) { _ in true }) == true { return received }
        var lenient = JSONParser(options: options(.upstream))
        let value = try? lenient.withDocument(received) { JSONValue($0) }
        return JSONWriter.bytes(expecting: received.count) { (value ?? .null).write(to: &$0) }
    }
}

extension Response {
    /// Turns a JSON document into a script that calls `function` with it, as Dark Sky did.
    ///
    /// The comment keeps the first bytes from being the client's, which a plug-in could take for a file of its own.
    fileprivate mutating func becomeCall(of function: String) {
        headers.removeAll { $0.name == "Content-Type" }
        headers += [("Content-Type", "application/javascript; charset=utf-8"), ("X-Content-Type-Options", "nosniff")]
        var script = Array("/**/\(function)(".utf8)
        script.reserveCapacity(body.count + script.count + 2)
        for byte in body {
            script.append(byte)
            // Older engines take U+2028 and U+2029 for the end of a line, and so of a string.
            if byte & 0xFE == 0xA8, script.dropLast().suffix(2).elementsEqual([0xE2, 0x80]) {
                script.removeLast(3)
                script += (byte == 0xA8 ? "\\u2028" : "\\u2029").utf8
            }
        }
        body = script + ");".utf8
    }
}
