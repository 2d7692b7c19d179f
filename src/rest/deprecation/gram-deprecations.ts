import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import type { Warnings } from './warnings.ts'

/**
 * Notes tokenizers and filters whose grams or shingles differ by more than an index allows from 7.0 on.
 *
 * @param whole  settings that say what it allows
 */
export function noteGramSizes(settings: FlatSettings, whole: FlatSettings, warnings: Warnings): void {
  const limitOf = (name: string, fallback: number): number => Number(whole[`index.${name}`] ?? fallback)
  for (const [name, type] of Object.entries(settings)) {
    const [, path] = /^(index\.analysis\.(?:filter|tokenizer)\.[^.]+\.)type$/.exec(name) ?? []
    if (path === undefined) continue
    const size = (member: string, fallback: number): number => Number(settings[path + member] ?? fallback)
    if (type === 'ngram' || type === 'nGram') {
      const limit = limitOf('max_ngram_diff', 1)
      if (size('max_gram', 2) - size('min_gram', 1) > limit) warnings.note('gram_sizes', String(limit))
    } else if (type === 'shingle') {
      const limit = limitOf('max_shingle_diff', 3)
      const single = String(settings[`${path}output_unigrams`] ?? true) === 'false' ? 0 : 1
      const difference = size('max_shingle_size', 2) - size('min_shingle_size', 2) + single
      if (difference > limit) warnings.note('shingle_sizes', String(limit))
    }
  }
}
