import type { LuceneGeneration } from '../../analysis/automaton/regexp-parser.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { normalizedWord } from './normalized-word.ts'
import { normalized } from './query-context.ts'

/** The pattern of a `wildcard` query with letters as those of a field's terms. Only 7.x looks at texts' analyzers for that. */
export function wildcardPattern(field: FieldMapping, pattern: string, lucene: LuceneGeneration): string {
  if (field.kind !== 'text' || lucene !== 8) return normalized(field, pattern)
  return pattern.replace(/(\\.|[?*]+)|(?:(?!\\.)[^?*])+/gs, (part, kept: string | undefined) =>
    kept === undefined ? normalizedWord(field, part) : part,
  )
}
