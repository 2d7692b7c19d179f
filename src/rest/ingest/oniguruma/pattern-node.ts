import type { CharacterSet } from './character-set.ts'

/** How a repetition takes its turns: as many as it can, as few as it can, or as many as it can and none given back. */
export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

/** What a pattern asks of a place without taking a character. */
export type Assertion =
  | 'line-start'
  | 'line-end'
  | 'text-start'
  | 'text-end'
  | 'text-end-or-last-line-end'
  | 'search-start'
  | 'word-boundary'
  | 'no-word-boundary'

/** A pattern as its parser understands it. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: PatternNode }
  | { readonly kind: 'atomic'; readonly body: PatternNode }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negative: boolean; readonly body: PatternNode }
  | {
      readonly kind: 'repeat'
      readonly body: PatternNode
      readonly min: number
      /** Infinity: no end. */
      readonly max: number
      readonly mode: RepeatMode
    }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  | { readonly kind: 'backreference'; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  /** The body of a group, asked again. */
  | { readonly kind: 'call'; readonly group: number }

/** Matches the empty text. */
export const NOTHING: PatternNode = { kind: 'sequence', parts: [] }

/** Number of code points that a node matches at least; groups that are called count as none. */
export function leastLength(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
      return 1
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + leastLength(part), 0)
    case 'choice':
      return Math.min(...node.options.map(leastLength))
    case 'group':
    case 'atomic':
      return leastLength(node.body)
    case 'repeat':
      return node.min * leastLength(node.body)
    case 'look':
    case 'assertion':
    case 'backreference':
    case 'call':
      return 0
  }
}

/** Number of code points that a node always matches; undefined: that differs. */
export function fixedLength(node: PatternNode): number | undefined {
  switch (node.kind) {
    case 'set':
      return 1
    case 'sequence': {
      let sum = 0
      for (const part of node.parts) {
        const length = fixedLength(part)
        if (length === undefined) return undefined
        sum += length
      }
      return sum
    }
    case 'choice': {
      const [first, ...rest] = node.options.map(fixedLength)
      return rest.every((length) => length === first) ? first : undefined
    }
    case 'group':
    case 'atomic':
      return fixedLength(node.body)
    case 'repeat': {
      const length = fixedLength(node.body)
      return length === undefined || node.min !== node.max ? undefined : length * node.min
    }
    case 'look':
    case 'assertion':
      return 0
    case 'backreference':
    case 'call':
      return undefined
  }
}

/** Longest text that every match has in it; empty: there is none. */
export function requiredText(node: PatternNode): string {
  let longest = ''
  let run = ''
  const end = (): void => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  const walk = (part: PatternNode): void => {
    switch (part.kind) {
      case 'set':
        if (part.set.only === undefined) end()
        else run += String.fromCodePoint(part.set.only)
        return
      case 'sequence':
        for (const one of part.parts) walk(one)
        return
      case 'group':
      case 'atomic':
        walk(part.body)
        return
      case 'repeat':
        end()
        if (part.min > 0) walk(part.body)
        end()
        return
      case 'choice':
      case 'backreference':
      case 'call':
        end()
        return
      case 'look':
      case 'assertion':
        return
    }
  }
  walk(node)
  end()
  return longest
}
