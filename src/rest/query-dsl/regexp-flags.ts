import { illegalArgument } from '../../illegal-argument.ts'
import type { QueryReader } from './query-reader.ts'

/** Flags by the bit that stands for each; `AUTOMATON` cannot be named. */
const FLAG_BITS = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', 'AUTOMATON', 'INTERVAL'] as const

/** All flags as a number. */
const ALL_FLAGS = 0xffff

/** Flags of a regular expression, as names and as the number they are printed as. */
export interface RegexpFlags {
  readonly flags: string
  readonly flagsValue: number
}

/** `flags` and `flags_value`, of which the later one counts. @throws {ServiceError} illegal_argument_exception */
export function readRegexpFlags(reader: QueryReader): RegexpFlags {
  const names = reader.text('flags')
  const bits = reader.int('flags_value')
  const isNumber = bits !== undefined && reader.isLater('flags_value', 'flags')
  const value = isNumber ? bitsOf(bits) : reader.placed('flags', () => flagsOf(names ?? ''))
  if (names !== undefined) reader.placed('flags', () => flagsOf(names))
  const set = FLAG_BITS.filter((_, i) => (value & (1 << i)) !== 0)
  return {
    flags: set.length === FLAG_BITS.length ? 'ALL' : set.length === 0 ? 'NONE' : set.join('|'),
    flagsValue: value,
  }
}

function bitsOf(bits: number): number {
  return bits < 0 ? ALL_FLAGS : bits
}

function flagsOf(names: string): number {
  if (names === '') return ALL_FLAGS
  let value = 0
  for (const name of names.split('|')) {
    const known = name.toUpperCase()
    if (known === 'ALL') return ALL_FLAGS
    if (known === 'NONE') continue
    const bit = known === 'AUTOMATON' ? -1 : (FLAG_BITS as readonly string[]).indexOf(known)
    if (name !== '' && bit < 0) throw illegalArgument(`Unknown regexp flag [${name}]`)
    if (name !== '') value |= 1 << bit
  }
  return value
}
