import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { parsingException } from '../parsing-exception.ts'
import { type ConstructingShape, constructFrom } from '../query-dsl/constructing-parser.ts'
import { DiscountedCumulativeGain } from './discounted-cumulative-gain.ts'
import { DEFAULT_WINDOW, type EvaluationMetric } from './evaluation-metric.ts'
import { ExpectedReciprocalRank } from './expected-reciprocal-rank.ts'
import { MeanReciprocalRank } from './mean-reciprocal-rank.ts'
import { PrecisionAtK } from './precision-at-k.ts'
import { RecallAtK } from './recall-at-k.ts'
import { RELEVANCE_WINDOW_FIELDS, relevanceWindow } from './relevance-window.ts'

const OPTIONAL_INTEGER = { kind: 'integer', argument: 'optional' } as const

/** Metrics by the names that requests give them; their parsers have names of their own in messages. */
const METRICS: Readonly<Record<string, ConstructingShape<EvaluationMetric>>> = {
  precision: {
    name: 'precision',
    fields: { ...RELEVANCE_WINDOW_FIELDS, ignore_unlabeled: { kind: 'boolean', argument: 'optional' } },
    build: (members) => new PrecisionAtK(relevanceWindow(members), members['ignore_unlabeled'] === true),
  },
  recall: {
    name: 'recall',
    fields: RELEVANCE_WINDOW_FIELDS,
    build: (members) => new RecallAtK(relevanceWindow(members)),
  },
  mean_reciprocal_rank: {
    name: 'reciprocal_rank',
    fields: RELEVANCE_WINDOW_FIELDS,
    build: (members) => new MeanReciprocalRank(relevanceWindow(members)),
  },
  dcg: {
    name: 'dcg',
    fields: {
      normalize: { kind: 'boolean', argument: 'optional' },
      unknown_doc_rating: OPTIONAL_INTEGER,
      k: OPTIONAL_INTEGER,
    },
    build: (members) =>
      new DiscountedCumulativeGain({
        k: integer(members, 'k') ?? DEFAULT_WINDOW,
        normalizes: members['normalize'] === true,
        unknownRating: integer(members, 'unknown_doc_rating'),
      }),
  },
  expected_reciprocal_rank: {
    name: 'dcg',
    fields: {
      maximum_relevance: { kind: 'integer', argument: 'required' },
      unknown_doc_rating: OPTIONAL_INTEGER,
      k: OPTIONAL_INTEGER,
    },
    build: (members) =>
      new ExpectedReciprocalRank({
        k: integer(members, 'k') ?? DEFAULT_WINDOW,
        maximumRelevance: integer(members, 'maximum_relevance') as number,
        unknownRating: integer(members, 'unknown_doc_rating'),
      }),
  },
}

/** Metrics that 6.x does not have. */
const SINCE_7: ReadonlySet<string> = new Set(['recall'])

/**
 * Reads the one metric of an object.
 *
 * @throws {ServiceError} parsing_exception, named_object_not_found_exception, x_content_parse_exception, illegal_argument_exception
 */
export function readMetric(json: { readonly [name: string]: JsonValue }, dialect: Dialect): EvaluationMetric {
  const [name, ...others] = Object.keys(json)
  if (name === undefined) throw unexpected('FIELD_NAME', 'END_OBJECT')
  const shape = Object.hasOwn(METRICS, name) && !(dialect.typed && SINCE_7.has(name)) ? METRICS[name] : undefined
  if (shape === undefined) {
    const reason = dialect.typed
      ? `unable to parse EvaluationMetric with name [${name}]: parser not found`
      : `unknown field [${name}]`
    throw new ServiceError('named_object_not_found_exception', reason)
  }
  const metric = constructFrom(shape, json[name], dialect)
  if (others.length > 0) throw unexpected('END_OBJECT', 'FIELD_NAME')
  return metric
}

function unexpected(expected: string, found: string): ServiceError {
  const reason = `Failed to parse object: expecting token of type [${expected}] but found [${found}]`
  return parsingException(reason)
}

function integer(members: Readonly<Record<string, unknown>>, name: string): number | undefined {
  return members[name] as number | undefined
}
