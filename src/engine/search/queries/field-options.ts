import type { FieldMapping, IndexOptions } from '../../mapping/field-mapping.ts'

/**
 * How a field is indexed as Lucene 7 lists it, which is what 6.x calls a field's type.
 *
 * @param field  undefined: one that no mapping lists
 */
export function fieldOptions(path: string, field: FieldMapping | undefined): string {
  if (field === undefined || path.startsWith('_')) return METADATA[path] ?? ''
  const stored = field.store ? ['stored'] : []
  return [...stored, ...(field.index ? indexed(field) : [])].join()
}

const EXACT = 'indexed,omitNorms,indexOptions=DOCS'

const METADATA: Readonly<Record<string, string>> = {
  _field_names: EXACT,
  _id: `stored,${EXACT}`,
  _routing: `stored,${EXACT}`,
  _seq_no: 'indexed,tokenized,docValuesType=SORTED',
  _source: 'stored',
  _version: 'docValuesType=NUMERIC',
}

const POSTINGS: Readonly<Record<IndexOptions, readonly string[]>> = {
  docs: ['indexOptions=DOCS'],
  freqs: ['indexOptions=DOCS_AND_FREQS'],
  positions: [],
  offsets: ['indexOptions=DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS'],
}

function indexed(field: FieldMapping): readonly string[] {
  switch (field.kind) {
    case 'text':
      return ['indexed', 'tokenized', ...vectors(field.termVector), ...scored(field)]
    case 'keyword':
      return ['indexed', ...scored(field)]
    case 'ip':
      return ['indexed']
    case 'binary':
      return []
    case 'opaque':
      return field.type === 'completion' ? ['indexed', 'tokenized', 'omitNorms'] : [EXACT]
    case 'boolean':
      return [EXACT]
    case 'number':
    case 'date':
    case 'geo_point':
    case 'range':
      return ['indexed', 'omitNorms']
  }
}

function scored(field: { readonly norms: boolean; readonly indexOptions: IndexOptions }): readonly string[] {
  return [...(field.norms ? [] : ['omitNorms']), ...POSTINGS[field.indexOptions]]
}

/** @param told  `with_positions_offsets` */
function vectors(told: string): readonly string[] {
  if (told === 'no') return []
  const parts = ['Offsets', 'Position', 'Payloads'].filter((part) => told.includes(part.toLowerCase()))
  return ['', ...parts].map((part) => `termVector${part}`)
}
