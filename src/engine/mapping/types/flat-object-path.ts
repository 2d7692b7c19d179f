import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { KeywordField } from '../field-mapping.ts'

/** Stands between a path and the value at it. */
const SEPARATOR = '='

/** A value behind its path, as a flat object has it indexed. */
export const prefixedText = (path: string, text: string): string => `${path}${SEPARATOR}${text}`

/** What a flat object's own path is to a query: all of its values. */
export function flatRoot(object: KeywordField): KeywordField {
  return { ...object, path: `${object.path}._value`, docValues: false }
}

/**
 * What a path inside a flat object is to a query: a keyword among the values behind their paths, which it puts before
 * every value it is asked for.
 *
 * @param path  in the object, which need not have it
 */
export function flatPart(object: KeywordField, path: string): KeywordField {
  const prefix = prefixedText(path, '')
  return {
    ...object,
    path: `${object.path}._valueAndPath`,
    normalizer: behind(prefix),
    flat: { object: object.path, path, prefix },
  }
}

function behind(prefix: string): Analyzer {
  const out = new TokenBuffer()
  return {
    name: 'keyword',
    positionIncrementGap: 0,
    analyze: (text) => {
      out.clear()
      out.push(prefix + text, 0, text.length, 'word')
      out.finalOffset = text.length
      return out
    },
  }
}

/** The first text behind all that begin with a prefix of {@link flatPart}. */
export const behindAll = (prefix: string): string => `${prefix.slice(0, -SEPARATOR.length)}>`
