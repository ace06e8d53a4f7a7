/// Why a document of an upstream gives no answer, in words for a problem.
public protocol UnusableDocument: Error, CustomStringConvertible {}
