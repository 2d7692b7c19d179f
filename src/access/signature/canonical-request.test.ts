import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { awsEncode } from './aws-encode.ts'
import { canonicalHeaderValue, canonicalUri } from './canonical-request.ts'

/** Segment by segment, as the specification tells it. */
function plainUri(rawPath: string): string {
  const resolved: string[] = []
  for (const segment of rawPath.split('/')) {
    if (segment === '..') resolved.pop()
    else if (segment !== '' && segment !== '.') resolved.push(awsEncode(segment))
  }
  const isFolder = /(?:^|\/)\.{0,2}$/.test(rawPath)
  return resolved.length === 0 ? '/' : `/${resolved.join('/')}${isFolder ? '/' : ''}`
}

describe('canonicalUri', () => {
  it('is what the specification tells, segment by segment', () => {
    const piece = fc.constantFrom(
      'a',
      'Z9',
      '.',
      '..',
      '...',
      '',
      '%2F',
      '%2e',
      '*',
      ',',
      '+',
      '-_~',
      '.b',
      'c.',
      '%ED%95%9C',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = `/${pieces.join('/')}`
        expect(canonicalUri(path)).toBe(plainUri(path))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('canonicalHeaderValue', () => {
  it('trims blanks and makes runs of them one, whatever stands between', () => {
    const piece = fc.constantFrom(' ', '  ', '\t', '\r\n ', 'a', 'b c', '"', '\u00a0', '\u00ed\u0095\u009c')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const words = pieces
          .join('')
          .split(/[ \t\r\n]+/)
          .filter((word) => word !== '')
        expect(canonicalHeaderValue(pieces.join(''))).toBe(words.join(' '))
      }),
      { numRuns: 2000 },
    )
  })
})
