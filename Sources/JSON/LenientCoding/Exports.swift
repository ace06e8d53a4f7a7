// Users import LenientCoding alone: records, drift reports and `FixedDateFormat` are part of its interface.
@_exported public import CivilDates
@_exported public import Records
