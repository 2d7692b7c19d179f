import { currentName } from '../../engine/analysis/types-by-version.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import type { Warnings } from './warnings.ts'

/** Notes a tokenizer, token filter or char filter whose type or name is an older one. */
export function notePartName(kind: 'tokenizer' | 'filter' | 'char_filter', name: string, warnings: Warnings): void {
  if (kind === 'char_filter') {
    if (name === 'htmlStrip') warnings.note('char_filter_name')
    return
  }
  if (kind === 'filter') noteGoneFilter(name, warnings)
  const newName = currentName(name)
  if (newName !== undefined) warnings.note(kind === 'filter' ? 'filter_name' : 'tokenizer_name', name, newName)
}

/** Notes a filter that 7.0 has no more, by its type or its name. */
function noteGoneFilter(name: string, warnings: Warnings): void {
  if (name === 'standard') warnings.note('standard_filter')
  else if (name === 'delimited_payload_filter') warnings.note('payload_filter')
}

/** Notes an option of synonyms that is deprecated. @param type  the filter's */
export function noteSynonyms(type: unknown, ignoreCase: unknown, warnings: Warnings): void {
  if (ignoreCase !== undefined && ignoreCase !== null && /^synonym(?:_graph)?$/.test(String(type)))
    warnings.note('synonyms_ignore_case')
}

/** Notes older names in the analysis of an index: types of its own parts, and built-in parts of its analyzers. */
export function notePartNames(settings: FlatSettings, warnings: Warnings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith('index.analysis.filter.') && name.endsWith('.ignore_case'))
      noteSynonyms(settings[name.replace(/ignore_case$/, 'type')], value, warnings)
    const [, group, kind] = /^index\.analysis\.(\w+)\.[^.]+\.(type|tokenizer|char_filter)$/.exec(name) ?? []
    const isPart = kind === 'type' && (group === 'tokenizer' || group === 'filter')
    if (isPart) notePartName(group, String(value), warnings)
    if (group === 'analyzer' && kind === 'type' && value === 'standard_html_strip') warnings.note('strip_analyzer')
    if (group === 'analyzer' && (kind === 'tokenizer' || kind === 'char_filter'))
      for (const part of Array.isArray(value) ? value : [value]) notePartName(kind, String(part), warnings)
  }
}
