import { type GlobalOrdinals, globalOrdinals } from '../../index/global-ordinals.ts'
import { formatAddress } from '../../mapping/types/ip-address.ts'
import type { TermList } from './string-terms.ts'

/** Terms of segments of which some hold addresses, others words, in the order of their bytes. */
export interface MixedOrdinals extends GlobalOrdinals {
  isAddress(ordinal: number): boolean
}

/** Terms of one segment: words, or addresses of 16 bytes each. */
export interface MixedTerms {
  readonly terms: TermList
  readonly isIp: boolean
}

/** Numbers addresses and words together: they differ, whatever they look like. */
export function mixedOrdinals(lists: readonly MixedTerms[]): MixedOrdinals {
  const ordinals = globalOrdinals(
    lists.map(({ terms }) => terms),
    false,
  )
  const { size, maps } = ordinals
  const addresses = new Uint8Array(size)
  for (const [i, { terms, isIp }] of lists.entries()) {
    const map = maps[i]
    if (isIp) for (let own = 0; own < terms.size; own++) addresses[map?.[own] ?? own] = 1
  }
  const isAddress = (ordinal: number): boolean => addresses[ordinal] === 1
  const termText = (ordinal: number): string =>
    isAddress(ordinal) ? formatAddress(ordinals.term(ordinal)) : ordinals.termText(ordinal)
  return { size, term: (ordinal) => ordinals.term(ordinal), termText, maps, isAddress }
}

/** The same where those that look the same are one, which stands where the first of the segments has it. */
export function shownOrdinals(lists: readonly MixedTerms[]): GlobalOrdinals {
  const mixed = mixedOrdinals(lists)
  const firsts = new Map<string, number>()
  const firstOf = (ordinal: number): number => firsts.get(mixed.termText(ordinal)) as number
  for (const [i, { terms }] of lists.entries()) {
    for (let own = 0; own < terms.size; own++) {
      const ordinal = mixed.maps[i]?.[own] ?? own
      const text = mixed.termText(ordinal)
      if (!firsts.has(text)) firsts.set(text, ordinal)
    }
  }
  const chosen = Int32Array.from(firsts.values()).sort()
  const places = new Map<number, number>()
  for (const [place, ordinal] of chosen.entries()) places.set(ordinal, place)
  const termText = (place: number): string => mixed.termText(chosen[place] as number)
  return {
    size: chosen.length,
    term: (place) => Buffer.from(termText(place)),
    termText,
    maps: lists.map(({ terms }, i) =>
      Int32Array.from({ length: terms.size }, (_, own) => places.get(firstOf(mixed.maps[i]?.[own] ?? own)) as number),
    ),
  }
}
