/** A field that a percolator makes for itself: how it is mapped, and what can be asked of it. */
interface PercolatorPart {
  readonly name: string
  readonly mapping: { readonly type: string; readonly [parameter: string]: string | boolean }
  readonly searchable: boolean
  readonly aggregatable: boolean
}

const INDEXED = { searchable: true, aggregatable: false }
const COLUMN = { searchable: false, aggregatable: true }

/** What the real servers list below a percolator field, though it holds nothing for anyone to ask. */
export const PERCOLATOR_PARTS: readonly PercolatorPart[] = [
  { name: 'extracted_terms', mapping: { type: 'keyword', doc_values: false }, ...INDEXED },
  { name: 'extraction_result', mapping: { type: 'keyword', doc_values: false }, ...INDEXED },
  { name: 'query_builder_field', mapping: { type: 'binary', doc_values: true }, ...COLUMN },
  { name: 'range_field', mapping: { type: 'ip_range', doc_values: false }, ...INDEXED },
  { name: 'minimum_should_match_field', mapping: { type: 'integer', index: false }, ...COLUMN },
]
