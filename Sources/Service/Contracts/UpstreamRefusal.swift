/// An upstream's document that is an error: thrown by the dialects that recognize such documents.
public protocol UpstreamRefusal: Error {
    /// The upstream's message.
    var message: String { get }
    /// The status that the error means; nil if the dialect does not know.
    var status: Int? { get }
}
