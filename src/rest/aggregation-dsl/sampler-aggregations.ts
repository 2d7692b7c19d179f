import type { SamplerDefinition } from '../../engine/aggregation/buckets/sampler-aggregator.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { checkExecutionHint } from './terms-aggregation.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `sampler`. */
export function parseSampler(body: AggregationBody): SamplerDefinition {
  body.checkTokens(
    { VALUE_NUMBER: ['shard_size'] },
    (field) => `Unsupported property "${field}" for aggregation "${body.name}`,
  )
  return { kind: 'sampler', shardSize: body.plainInteger('shard_size') ?? 100, diversity: undefined }
}

/** `diversified_sampler`. */
export function parseDiversifiedSampler(body: AggregationBody): SamplerDefinition {
  const source = readValuesSource(body, { formattable: false, timeZone: false })
  const shardSize = body.integer('shard_size') ?? 100
  if (shardSize < 0) {
    throw illegalArgument(`[shardSize] must be greater than or equal to 0. Found [${shardSize}] in [${body.name}]`)
  }
  const maxDocsPerValue = body.integer('max_docs_per_value') ?? 1
  if (maxDocsPerValue < 0) {
    throw illegalArgument(
      `[maxDocsPerValue] must be greater than or equal to 0. Found [${maxDocsPerValue}] in [${body.name}]`,
    )
  }
  if (body.raw('execution_hint') !== 'bytes_hash') checkExecutionHint(body)
  return { kind: 'sampler', shardSize, diversity: { source, maxDocsPerValue } }
}
