@_exported public import Records
