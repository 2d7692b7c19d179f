// Tokens that a member of each kind is read from (`ObjectParser.ValueType`).
export const STRING: readonly string[] = ['VALUE_STRING']
export const NUMBER: readonly string[] = ['VALUE_NUMBER', 'VALUE_STRING']
export const BOOLEAN: readonly string[] = ['VALUE_BOOLEAN', 'VALUE_STRING']
export const OBJECT: readonly string[] = ['START_OBJECT']
