import type { FlatAnalysisSettings } from '../component-settings.ts'

// Settings of tokenizers and analyzers that name a file a team may change.
const DICTIONARY_FILES = ['user_dict_path', 'user_dictionary'] as const

/**
 * Names of the analyzers of an index that `_reload_search_analyzers` makes anew: those whose tokenizer (or, for a
 * configured `nori`, the analyzer itself) reads a user dictionary from a file, and those with a filter marked
 * `updateable`. Sorted.
 *
 * @param settings  the index's flat settings (`index.analysis.*`)
 */
export function reloadableAnalyzers(settings: FlatAnalysisSettings): string[] {
  const names = new Set<string>()
  for (const key of Object.keys(settings)) {
    const name = /^index\.analysis\.analyzer\.([^.]+)\./.exec(key)?.[1]
    if (name !== undefined && isReloadable(settings, `index.analysis.analyzer.${name}.`)) names.add(name)
  }
  return [...names].sort()
}

function isReloadable(settings: FlatAnalysisSettings, analyzer: string): boolean {
  const tokenizer = settings[`${analyzer}tokenizer`]
  return (
    readsFile(settings, analyzer) ||
    (typeof tokenizer === 'string' && readsFile(settings, `index.analysis.tokenizer.${tokenizer}.`)) ||
    filtersOf(settings, analyzer).some((filter) => settings[`index.analysis.filter.${filter}.updateable`] === 'true')
  )
}

function readsFile(settings: FlatAnalysisSettings, prefix: string): boolean {
  return DICTIONARY_FILES.some((name) => typeof settings[prefix + name] === 'string')
}

function filtersOf(settings: FlatAnalysisSettings, analyzer: string): readonly string[] {
  const filters = settings[`${analyzer}filter`]
  if (typeof filters === 'string') return filters.split(',').map((name) => name.trim())
  if (filters !== undefined && filters !== null) return filters
  const listed: string[] = []
  for (let i = 0; ; i++) {
    const filter = settings[`${analyzer}filter.${i}`]
    if (typeof filter !== 'string') return listed
    listed.push(filter)
  }
}
