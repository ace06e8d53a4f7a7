import Contracts
import HTTPCore
import Routing
import Telemetry

/// Makes the response with a document: 304 if the client has this version, and otherwise in the coding that the client
/// prefers.
struct RespondStage: Sendable {
    let call: ClientCall
    let cache: DocumentCache?
    /// The function that a script calls with the document.
    var callback: String?

    /// A body that is kept is compressed once for all clients.
    func response(_ shaped: ShapedAnswer, of origin: AnswerOrigin) async -> Response {
        let (variant, headers) = (shaped.variant, call.request.headers)
        var response = response(variant, shaped, origin)
        if let callback { response.becomeCall(of: callback) }
        // The router does the same with an explanation, and with a call.
        guard shaped.explained == nil, callback == nil else { return response }
        let representation = variant.representation(lastModified: origin.document?.changed)
        let selection = representation.selection(for: headers)
        var codedBody: [UInt8]?
        if let coding = selection.coding {
            let known = variant.compressedBody(coding)
            codedBody = known.body
            if known.body == nil, !known.isUseless {
                codedBody = await Compression.body(variant.body, in: coding)
                if let document = origin.document { cache?.keep(codedBody, in: coding, of: variant, document) }
            }
        }
        response.send(selection, of: representation, codedBody: codedBody)
        return response
    }

    private func response(_ variant: DocumentVariant, _ shaped: ShapedAnswer, _ origin: AnswerOrigin) -> Response {
        var response = Response(
            headers: variant.headers,
            body: shaped.explained?.explained(source: origin.source, upstream: shaped.upstream) ?? variant.body)
        response.note.upstream = origin.source.upstream
        (response.note.repaired, response.note.dropped) = (variant.repaired, variant.dropped)
        response.headers += origin.fields
        origin.note?.add(to: &response)
        return response
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
