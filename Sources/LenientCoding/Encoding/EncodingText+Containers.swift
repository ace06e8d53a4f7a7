import JSONText

extension EncodingText {
    /// The value at `depth` as an object.
    ///
    /// Containers cannot be refused: one that must not be, writes where nobody reads, and the encoding fails at its end.
    @inline(__always)
    func keyedContainer<Key>(at depth: Int) -> KeyedEncodingContainer<Key> {
        guard begin(.object, at: depth) else { return refused(at: depth).keyedContainer(at: 0) }
        return KeyedEncodingContainer(KeyedWriter<Key>(branch, depth: depth))
    }

    /// The value at `depth` as an array.
    @inline(__always)
    func unkeyedContainer(at depth: Int) -> any UnkeyedEncodingContainer {
        guard begin(.array, at: depth) else { return refused(at: depth).unkeyedContainer(at: 0) }
        return UnkeyedWriter(branch, depth: depth)
    }

    /// A branch for the value of a member.
    func memberBranch(_ key: some CodingKey, isDictionary: Bool, at depth: Int) -> EncodingBranch {
        do {
            try beginMember(key, isDictionary: isDictionary, at: depth)
        } catch {
            return refused(at: depth)
        }
        return makeBranch(codingPath(depth) + [key])
    }

    /// A branch for an element.
    func elementBranch(at depth: Int) -> EncodingBranch {
        do {
            try beginElement(at: depth)
        } catch {
            return refused(at: depth)
        }
        return makeBranch(codingPath(depth) + [PathKey(element: count(at: depth) - 1)])
    }

    @inline(never)
    private func refused(at depth: Int) -> EncodingBranch {
        branch.session.misuse = misuse(at: depth)
        return EncodingBranch(branch.session, path: [], capacity: 128)
    }
}
