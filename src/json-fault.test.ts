import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from './json-fault.ts'

/** Complaints of Elasticsearch 6.8.23 and OpenSearch 2.19.3 about the document, without where they were found. */
const COMPLAINTS: [text: string, legacy: string, later?: string][] = [
  ['{"a":nojson}', "Unrecognized token 'nojson': was expecting 'null', 'true', 'false' or NaN", 'ANY'],
  ['{"a":tru}', "Unrecognized token 'tru': was expecting 'null', 'true', 'false' or NaN", 'ANY'],
  ['{"a":1}x', "Unrecognized token 'x': was expecting ('true', 'false' or 'null')", 'ANY'],
  ['{"a":1', 'Unexpected end-of-input: expected close marker for Object (start marker at [S; line: 1, column: 1])'],
  ['{"a":[1,2', 'Unexpected end-of-input: expected close marker for Array (start marker at [S; line: 1, column: 6])'],
  ['{"a":', 'Unexpected end-of-input within/between Object entries'],
  ['{"a"', 'Unexpected end-of-input within/between Object entries'],
  ['{"a":1,', 'Unexpected end-of-input within/between Object entries'],
  ['{', 'Unexpected end-of-input: expected close marker for Object (start marker at [S; line: 1, column: 1])'],
  ['{"a":"x', 'Unexpected end-of-input in VALUE_STRING'],
  ['{"a', 'Unexpected end-of-input in field name'],
  ['{"a":"\\', 'Unexpected end-of-input in character escape sequence'],
  ['{"a" 1}', "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value"],
  ['{"a":1,}', "Unexpected character ('}' (code 125)): was expecting double-quote to start field name"],
  ["{'a':1}", "Unexpected character (''' (code 39)): was expecting double-quote to start field name"],
  ['{"a":1 "b":2}', `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries`],
  ['{"a":1x}', "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries"],
  ['{"a":[1 2]}', "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries"],
  ['{"a":[1,]}', "Unexpected character (']' (code 93)): expected a value"],
  ['{"a":[1,2}', "Unexpected close marker '}': expected ']' (for Array starting at [S; line: 1, column: 6])"],
  ['{"a":1]', "Unexpected close marker ']': expected '}' (for Object starting at [S; line: 1, column: 1])"],
  ['{"a":1}{"b":2}', 'Malformed content, found extra data after parsing: START_OBJECT'],
  ['{"a":1} 5', 'Malformed content, found extra data after parsing: VALUE_NUMBER'],
  ['{"a":1},', "Unexpected character (',' (code 44)): expected a value"],
  ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed'],
  [
    '{"a":-}',
    "Unexpected character ('}' (code 125)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
  ],
  ['{"a":1.}', "Unexpected character ('}' (code 125)) in numeric value: Decimal point not followed by a digit"],
  ['{"a":1e}', "Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit"],
  ['{"a":"\\q"}', "Unrecognized character escape 'q' (code 113)"],
  ['{"a\\q":1}', "Unrecognized character escape 'q' (code 113)"],
  ['{"a":"\\u12z4"}', "Unexpected character ('z' (code 122)): expected a hex-digit for character escape sequence"],
  [
    '{"a":"\u0001"}',
    'Illegal unquoted character ((CTRL-CHAR, code 1)): has to be escaped using backslash to be included in string value',
  ],
  [
    '{"a":@}',
    "Unexpected character ('@' (code 64)): expected a valid value (number, String, array, object, 'true', 'false' or 'null')",
    "Unexpected character ('@' (code 64)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
  ],
  [
    '{"a":-Infinity}',
    "Non-standard token '-Infinity': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow",
    "Non-standard token '-Infinity': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
  ],
]

const said = (text: string, isLegacy: boolean): string =>
  jsonFault(text, isLegacy)
    .reason.replace(/\n at .*$/, '')
    .replace('[Source: request body;', '[S;')

describe('what is no JSON', () => {
  it.each<[text: string, legacy: string, later?: string]>(COMPLAINTS)(
    'is complained of as the real servers do: %s',
    (text, legacy, later = legacy) => {
      expect(said(text, true)).toBe(legacy)
      const any = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
      expect(said(text, false)).toBe(later === 'ANY' ? legacy.replace(/expecting .*/, `expecting ${any}`) : later)
    },
  )

  it('is told from JSON, whatever is wrong', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ minLength: 0, maxLength: 1 }), (json, n, char) => {
        const at = n % (json.length + 1)
        const text = json.slice(0, at) + char + json.slice(at + 1)
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(jsonFault(text).reason === 'Invalid JSON').toBe(isJson)
      }),
      { numRuns: 2_000 },
    )
  })
})
