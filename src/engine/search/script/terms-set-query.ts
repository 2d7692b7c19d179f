import { ServiceError } from '../../../errors.ts'
import { objectText } from '../../java/java-class-text.ts'
import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { CoveringQuery, type LeafMinimum } from '../lucene/covering-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { type CreateInner, checkClauses } from '../queries/boolean-queries.ts'
import type { TermsSetQuery } from '../queries/query.ts'
import { failedToCreate, fieldOf, type QueryContext, shardError } from '../queries/query-context.ts'
import { wrongFieldData } from '../sort/field-data-class.ts'
import { compileForQuery } from './index-script.ts'
import { numberResult } from './script-results.ts'
import { scriptText } from './search-script.ts'

/** What 6.x tells in place of a field's name. */
const NUMBERS = 'org.elasticsearch.index.fielddata.plain.SortedNumericDVIndexFieldData'

/** The DSL's `terms_set`. */
export function termsSetQuery(query: TermsSetQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  const { field, terms } = query
  if (terms.length === 0) return new MatchNoDocsQuery('No terms supplied for "terms_set" query.')
  checkClauses(terms.length, context)
  const minimum = minimumOf(query, context)
  const queries = terms.map((value) => create({ kind: 'term', field, value }, context))
  const { minimumField, minimumScript } = query
  const source =
    minimumField !== undefined
      ? `long(${context.search.isLucene7 ? objectText(NUMBERS) : fieldOf(minimumField, context)?.path})`
      : minimumScript === undefined
        ? 'script'
        : `script(${scriptText(minimumScript)})`
  return new CoveringQuery(queries, minimum, source)
}

function minimumOf(query: TermsSetQuery, context: QueryContext): (leaf: Leaf) => LeafMinimum {
  const { minimumField, minimumScript, terms } = query
  if (minimumField !== undefined) return fieldMinimum(minimumField, context)
  if (minimumScript === undefined) {
    throw failedToCreate(
      context,
      new ServiceError('illegal_state_exception', 'No minimum should match has been specified'),
    )
  }
  const compiled = compileForQuery(
    { ...minimumScript, params: { ...minimumScript.params, num_terms: terms.length } },
    'terms_set',
    context,
  )
  return ({ segment }) => {
    const opened = compiled.open(segment)
    // As Java casts: NaN is 0.
    return (doc) => Math.trunc(Number(numberResult(opened.run(doc) as ScriptValue))) || 0
  }
}

function fieldMinimum(name: string, context: QueryContext): (leaf: Leaf) => LeafMinimum {
  if (name === '_seq_no')
    return ({ segment }) =>
      (doc) =>
        segment.seqNo(doc)
  const field = fieldOf(name, context)
  const { engineVersion } = context.search
  if (field !== undefined || isBuiltInField(name, context.search.mapping)) {
    const wrong = wrongFieldData(field?.path ?? name, field, 'IndexNumericFieldData', engineVersion)
    if (wrong !== undefined) throw failedToCreate(context, wrong)
  }
  if (field === undefined) throw shardError(context, `failed to find minimum_should_match field [${name}]`)
  return ({ segment }) => {
    const column = segment.field(field.path)?.docValues
    if (column === undefined || (column.kind !== 'numeric' && column.kind !== 'bigint')) return () => undefined
    const { present, offsets, values } = column
    return (doc) => {
      if (present !== undefined && !hasBit(present, doc)) return undefined
      return Math.trunc(Number(values[offsets === undefined ? doc : (offsets[doc] as number)]))
    }
  }
}
