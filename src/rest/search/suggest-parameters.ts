import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unrecognizedParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

const DEPENDENT = ['suggest_mode', 'suggest_size', 'suggest_text']

/**
 * The term suggester that `suggest_field` and its kin ask for, as a `suggest` of a body; undefined: none.
 *
 * @throws {ServiceError} null_pointer_exception without a mode, as the real server, which has no default for it
 */
export function suggestOfParameters({ parameters, path }: EndpointRequest): JsonValue | undefined {
  const field = parameters.text('suggest_field')
  if (field === undefined) {
    const unknown = DEPENDENT.filter((name) => parameters.has(name))
    if (unknown.length === 0) return undefined
    const target = [path.index, path.type].filter((part) => part !== undefined).map((part) => `/${part}`)
    throw unrecognizedParameters(`${target.join('')}/_search`, unknown, ['suggest_field'])
  }
  const text = parameters.text('suggest_text') ?? parameters.text('q')
  const size = parameters.integer('suggest_size') ?? 5
  const mode = parameters.text('suggest_mode')
  if (mode === undefined) throw new ServiceError('null_pointer_exception', 'Input string is null')
  return { [field]: { ...(text === undefined ? {} : { text }), term: { field, size, suggest_mode: mode } } }
}
