// Unsafe: fills a field at its address inside a record. The field is set to a blank before it is filled, and Swift stores
// the payload of an optional at the optional's own address.
public import JSONText

/// A record in an upstream's form, which is converted to a value of the contract.
///
/// The names of the upstream are in its table, the names of the contract in its properties. A field that needs no
/// conversion is read straight into the contract's value, which the record holds:
///
///     Field("screen_name", \.user.screenName)
@usableFromInline
package protocol WireRecord: Record {
    associatedtype Model: Record
    /// Converts the other fields, and moves the contract's value into `model`, which is new; returns false, with the
    /// failures recorded, if a required field is missing.
    mutating func convert(to model: inout Model, _ reader: inout RecordReader) -> Bool
}

extension WireRecord {
    /// Reads the record, and converts it to `model`, which is new.
    @inlinable
    package static func read(_ node: JSONNode, into model: inout Model, _ reader: inout RecordReader) -> Bool {
        var wire = Self()
        guard reader.fill(&wire, from: node) else { return false }
        return wire.convert(to: &model, &reader) || reader.fail(.invalid) ?? false
    }

    /// Reads the record, and returns the contract's value; nil if it could not be read or converted.
    @inlinable
    package static func model(of node: JSONNode, _ reader: inout RecordReader) -> Model? {
        var model = Model()
        return read(node, into: &model, &reader) ? model : nil
    }

    /// Returns the contract's value; nil, with the failures recorded, if a required field is missing.
    @inlinable
    package func model(_ reader: inout RecordReader) -> Model? {
        var wire = self, model = Model()
        return wire.convert(to: &model, &reader) ? model : nil
    }
}

/// An optional field that is read in the upstream's form and converted in its place; a value that cannot be converted is
/// dropped, like an unreadable one.
///
///     Field("user", \.content.user, from: WireUser.self)
@inlinable
package func Field<Root: Record, Wire: WireRecord>(
    _ name: String, _ property: WritableKeyPath<Root, Wire.Model?>, from wire: Wire.Type, _ rules: FieldRule...
) -> FieldLine<Root> {
    typealias Model = Wire.Model
    let access = Model.inPlace(true) { node, field, reader in
        Wire.read(node, into: &field.assumingMemoryBound(to: Model.self).pointee, &reader)
    }
    let shape = FieldShape(
        storage: .composite, isOptional: true, expectation: Wire.expectation, members: Model.members,
        access: { _ in access }, schema: { Model.schema(in: &$0) })
    return FieldLine(name, property, shape, rules)
}
