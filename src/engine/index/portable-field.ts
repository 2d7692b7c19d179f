import type { IndexAnalyzers } from '../analysis/index-analyzers.ts'
import { subFieldAnalyzer } from '../mapping/types/text-sub-field.ts'
import type { SegmentField, SegmentTextField } from './segment-field.ts'

/** A {@link SegmentField} that a message can carry: its analyzer by name. */
export type PortableField =
  | Exclude<SegmentField, SegmentTextField>
  | (Omit<SegmentTextField, 'analyzer'> & { readonly analyzer: string })

/** What of a field goes into a message. */
export function portableField(field: SegmentField): PortableField {
  const { kind, path } = field
  switch (kind) {
    case 'text': {
      const { norms, indexOptions, positionIncrementGap, analyzer, subField } = field
      const text = {
        kind,
        path,
        norms,
        indexOptions,
        positionIncrementGap,
        analyzer: analyzer.name,
        ...lengthOf(field),
      }
      return subField === undefined ? text : { ...text, subField }
    }
    case 'keyword':
      return {
        kind,
        path,
        index: field.index,
        docValues: field.docValues,
        indexOptions: field.indexOptions,
        norms: field.norms,
        ...lengthOf(field),
      }
    case 'number':
    case 'date':
      return { kind, path, index: field.index, docValues: field.docValues }
    case 'ip':
    case 'boolean':
      return { kind, path, docValues: field.docValues }
    case 'binary':
    case 'geo_point':
    case 'range':
    case 'opaque':
      return { kind, path }
  }
}

const lengthOf = ({ isAsLongAsUnique }: { readonly isAsLongAsUnique?: true }) =>
  isAsLongAsUnique === undefined ? {} : { isAsLongAsUnique }

/** The field again, in another thread. @throws {Error} when there is no such analyzer */
export function readField(field: PortableField, analyzers: IndexAnalyzers): SegmentField {
  if (field.kind !== 'text') return field
  const analyzer = analyzers.analyzer(field.analyzer)
  if (analyzer === undefined) throw new Error(`no analyzer [${field.analyzer}] for [${field.path}]`)
  return { ...field, analyzer: field.subField === undefined ? analyzer : subFieldAnalyzer(analyzer, field.subField) }
}
