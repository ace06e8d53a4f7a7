/// The test cases of MetaCodable (SwiftyLab/MetaCodable, Tests/MetaCodableTests) that decode or encode.
///
/// Its macros write the code of a model. Here the model is written by hand, with wrappers, or as a record; the tests of
/// the text that a macro expands to have no counterpart.
enum MetaCodableCases {
    static let all = models + paths + enumerations + rawValues + coders + values + ignored + dependencies
}
