import { describe, expect, it } from 'vitest'
import { wrapped } from './wrapper-query.ts'

const json = '{"match_all": {}}'
const base64 = Buffer.from(json).toString('base64')

describe('a query in base64', () => {
  it('is what it stands for, with white space around units', () => {
    expect(wrapped({ query: base64 })).toEqual({ match_all: {} })
    expect(wrapped({ query: ` ${base64.slice(0, 8)}\n${base64.slice(8)}` })).toEqual({ match_all: {} })
  })

  // Answers of Elasticsearch 6.8.23.
  it.each([
    ['!!', "Illegal character '!' (code 0x21) in base64 content"],
    [base64.replace(/=+$/, ''), "Illegal character '\"' (code 0x22) in base64 content"],
    ['ab=c', "Illegal character 'c' (code 0x63) in base64 content: expected padding character '='"],
    [
      '====',
      "Unexpected padding character ('=') as character #1 of 4-char base64 unit: padding only legal as 3rd or 4th character",
    ],
    [
      `${base64.slice(0, 5)}\n${base64.slice(5)}`,
      'Illegal white space character (code 0xa) as character #2 of 4-char base64 unit: can only used between units',
    ],
  ])('is refused as %j', (query, fault) => {
    expect(() => wrapped({ query })).toThrow(
      expect.objectContaining({
        type: 'json_parse_exception',
        reason: `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${fault}`,
        status: 400,
      }),
    )
  })

  it('is JSON', () => {
    expect(() => wrapped({ query: Buffer.from('abc').toString('base64') })).toThrow('Failed to derive xcontent')
  })
})
