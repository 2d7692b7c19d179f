import { describe, expect, it } from 'vitest'
import { canonicalPath } from '../../src/access/signature/canonical-path.ts'
import { canonicalUri } from '../../src/access/signature/canonical-request.ts'
import { UrlDecodeError } from '../../src/access/signature/url-decode.ts'
import { Router } from '../../src/rest/router.ts'
import { seededRandom } from '../durability/seeded-random.ts'

/*
 * What is signed, judged and served is one path: whatever of a signed path may be changed on its way without its signature telling, it
 * is read as the same names.
 */

const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const PATHS = Number(process.env['CHAJA_CASES'] ?? 25_000)

/** What segments are made of. */
const PIECES = [
  ...[
    'a',
    'b',
    'secret',
    '_doc',
    '_search',
    '_all',
    '*',
    '-',
    '~',
    '.',
    '..',
    '...',
    ';',
    ';v=1',
    '\\',
    ':',
    '@',
    '&',
    '=',
    '!',
  ],
  ...[
    '%2F',
    '%2f',
    '%2e',
    '%2E',
    '%2e%2e',
    '%5C',
    '%5c',
    '%00',
    '%0a',
    '%0D',
    '%20',
    '+',
    '%2B',
    '%3B',
    '%3F',
    '%23',
    '%25',
    '%252F',
  ],
  ...[
    '%252e',
    '%25%32%46',
    '%7E',
    '%7e',
    '%2A',
    '%2a',
    ',',
    '%2C',
    '%61',
    '%5F',
    '%5f',
    '%EB%84%88',
    '%eb%84%88',
    '%C0%AF',
    '%c0%ae',
  ],
  ...[
    '%FF',
    '%ED%A0%80',
    '%E2%80%AE',
    '%F0%9F%93%9A',
    '<',
    '%3Clogs-%7Bnow%2Fd%7D%3E',
    "'",
    '(',
    ')',
    '"',
    '|',
    '^',
    '`',
    '{',
    '}',
  ],
  ...['%', '%4', '%zz', '%u002f', '__proto__', 'constructor'],
]

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

function randomPath(): string {
  let path = ''
  for (let left = Math.floor(random() * 6); left >= 0; left--) {
    path += random() < 0.1 ? '//' : '/'
    for (let pieces = Math.floor(random() * 3); pieces > 0; pieces--) path += pick(PIECES)
  }
  return random() < 0.2 ? `${path}/` : path
}

/** The same path as somebody might write it who wants it to be read otherwise. */
const CHANGES: readonly ((path: string) => string)[] = [
  (path) => path.replace('/', '//'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/x/../'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/%2e/'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/x/%2e%2e/'),
  (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  (path) => path.replace(/%2f/i, '/'),
  (path) => path.replace(/%([0-9a-f]{2})/i, (_, digits: string) => `%${digits.toLowerCase()}`),
  (path) => path.replace(/%([0-9a-f]{2})/i, (_, digits: string) => `%${digits.toUpperCase()}`),
  (path) => path.replace(/%([0-9a-f]{2})/i, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace('%', '%25'),
  (path) => path.replace('%25', '%'),
  (path) => path.replace('+', '%20'),
  (path) => path.replace('%2B', '+'),
  (path) => path.replace('/', '\\'),
  (path) => path.replace('/', ';/'),
  (path) => `${path}/`,
  (path) => path.replace(/\/$/, ''),
  (path) => `${path}/..`,
  (path) => `${path}%00`,
  (path) => path.toLowerCase(),
]

/** A path as a plain reading of the rules has it; undefined: there is an escape that is none. */
function plainNames(path: string, plusIsBlank: boolean): string[] | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return undefined
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const text = plusIsBlank ? segment.replaceAll('+', ' ') : segment
      const bytes = text.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      return Buffer.from(bytes, 'latin1').toString('utf8')
    })
}

/** Undefined: it is refused. */
function reading(path: string, plusIsBlank: boolean) {
  try {
    return canonicalPath(path, plusIsBlank)
  } catch (error) {
    if (error instanceof UrlDecodeError) return undefined
    throw error
  }
}

describe.each([true, false])('of random paths (+ is a blank: %s)', (plusIsBlank) => {
  it('each is judged and served by the names that a plain reading finds', () => {
    const router = new Router(plusIsBlank)
    for (let i = 0; i < PATHS; i++) {
      const path = randomPath()
      const read = reading(path, plusIsBlank)
      const names = plainNames(path, plusIsBlank)
      if (read === undefined || names === undefined) {
        expect([read, names], `seed ${seed}: ${path}`).toEqual([undefined, undefined])
        continue
      }
      const judged = names
        .join('/')
        .split('/')
        .filter((part, at) => part !== '' || at < 0)
        .join('/')
      const route = router.route('GET', read.segments)
      if (route.kind === 'found')
        for (const value of Object.values(route.parameters))
          if (!names.includes(value)) expect(names, `seed ${seed}: ${path}`).toContain(value)
      if (String(read.segments) !== String(names)) expect(read.segments, `seed ${seed}: ${path}`).toEqual(names)
      if (names.some((name) => name.includes('/'))) {
        expect(read.resource, `seed ${seed}: ${path}`).toBe(judged)
        expect(read.guardedResource, path).toBe(names.map((name) => name.replaceAll('/', '%2F')).join('/'))
      } else if (read.resource !== names.join('/')) expect(read.resource, `seed ${seed}: ${path}`).toBe(names.join('/'))
    }
  })

  it('none is signed as one and served as another', () => {
    let alike = 0
    for (let i = 0; i < PATHS; i++) {
      const path = randomPath()
      let other = path
      for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes--) other = pick(CHANGES)(other)
      if (other === path || canonicalUri(other) !== canonicalUri(path)) continue
      const [read, otherwise] = [reading(path, plusIsBlank), reading(other, plusIsBlank)]
      // A signed one is refused: the door says why.
      if (read?.hasDotSegments !== false || otherwise?.hasDotSegments !== false) continue
      alike++
      if (String(otherwise.segments) !== String(read.segments))
        expect(otherwise.segments, `seed ${seed}: ${path} and ${other}`).toEqual(read.segments)
    }
    expect(alike).toBeGreaterThan(PATHS / 100)
  })
})
