import { ServiceError } from '../../errors.ts'
import { luceneGeneration } from './automaton/lucene-generation.ts'
import { HtmlStripCharFilter } from './char-filters/html-strip-char-filter.ts'
import { MappingCharFilter } from './char-filters/mapping-char-filter.ts'
import { PatternReplaceCharFilter } from './char-filters/pattern-replace-char-filter.ts'
import type { CharFilterFactory } from './factories.ts'
import { koreanCharFilterFactories } from './korean/korean-analysis.ts'

/** Char filters by their type in the settings. */
export const CHAR_FILTER_TYPES: Readonly<Record<string, CharFilterFactory>> = {
  htmlStrip: ({ engineVersion }) => new HtmlStripCharFilter([], luceneGeneration(engineVersion)),
  html_strip: ({ settings, engineVersion }) =>
    new HtmlStripCharFilter(settings.list('escaped_tags') ?? [], luceneGeneration(engineVersion)),
  mapping: ({ settings, configDir, engineVersion }) => {
    const rules = settings.fileLines('mappings', configDir) ?? settings.list('mappings')
    if (rules === undefined) {
      throw new ServiceError(
        'illegal_argument_exception',
        'mapping requires either `mappings` or `mappings_path` to be configured',
      )
    }
    return new MappingCharFilter(rules, engineVersion)
  },
  pattern_replace: ({ settings, name }) => {
    const pattern = settings.text('pattern')
    if (pattern === undefined || pattern === '')
      throw new ServiceError(
        'illegal_argument_exception',
        `pattern is missing for [${name}] char filter of type 'pattern_replace'`,
      )
    return new PatternReplaceCharFilter(pattern, settings.text('replacement', ''), settings.text('flags', ''))
  },
  ...koreanCharFilterFactories,
}

/** Char filters that stand ready under their name but are no type. */
export const READY_CHAR_FILTERS: ReadonlySet<string> = new Set(['htmlStrip'])

/** Char filters that cannot stand ready under their own name: they need settings. */
export const CHAR_FILTERS_WITH_SETTINGS: ReadonlySet<string> = new Set(['mapping', 'pattern_replace'])
