import type { CompositeSourceDefinition } from '../../engine/aggregation/buckets/composite-source.ts'
import type { MultiTermsDefinition } from '../../engine/aggregation/terms/multi-terms-aggregator.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { readCollectMode, readOrder, readThresholds } from './terms-aggregation.ts'
import { readFieldConfig } from './values-source-fields.ts'

/** `multi_terms` (OpenSearch). */
export function parseMultiTerms(body: AggregationBody): MultiTermsDefinition {
  const tooFew = (): ServiceError =>
    illegalArgument(
      'The [terms] parameter in the aggregation [multi_terms] must be present and have at least 2 fields or scripts.',
    )
  const list = body.array('terms') ?? []
  if (!body.has('terms')) body.refuse(tooFew())
  const sources =
    body.read('terms', () => {
      const read = list.map((json, i) => placed(list, i, () => readTerm(json, body)))
      if (read.length < 2) throw tooFew()
      return read
    }) ?? []
  const thresholds = readThresholds(body, 10, 1)
  const order = readOrder(body) ?? [{ by: 'count', ascending: false } as const]
  const showsBucketErrors = body.boolean('show_term_doc_count_error') ?? false
  readCollectMode(body)
  return { kind: 'multi_terms', sources, ...thresholds, order, showsBucketErrors }
}

function readTerm(json: JsonValue, outer: AggregationBody): CompositeSourceDefinition {
  if (!isObject(json)) {
    const reason = `[field_config] Expected START_OBJECT but was: ${tokenName(json)}`
    throw parseFault(reason)
  }
  const source = readFieldConfig(outer, json, { formattable: true, timeZone: true })
  return { name: '', source, ascending: true, missingBucket: false, showsDates: true, rounding: { kind: 'none' } }
}
