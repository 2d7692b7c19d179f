import { OverrunError } from '../../engine/elsewhere-error.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** A source from this size on is parsed in a thread that nobody else waits for. */
const LARGE_SOURCE_BYTES = 512 * 1024
/** Members of mappings from which on they are rendered there. */
const MANY_MEMBERS = 20_000

/** Parameters that have the answer, and the sources in it, taken apart. */
const TAKE_APART = [
  '_source',
  '_source_include',
  '_source_includes',
  '_source_exclude',
  '_source_excludes',
  'filter_path',
  'format',
  'pretty',
  'stored_fields',
]

/** Whether what is shown of a source has to be read for it. */
export function takesApart({ parameters }: EndpointRequest): boolean {
  return parameters.values.size > 0 && TAKE_APART.some((name) => parameters.has(name))
}

/**
 * To be called before a source is taken apart.
 *
 * @throws {OverrunError} where others wait for this thread: the request is to be made in another
 */
export function leaveLargeSource({ signal }: EndpointRequest, source: { readonly length: number } | undefined): void {
  if (source !== undefined && source.length > LARGE_SOURCE_BYTES && Number.isFinite(signal.until))
    throw new OverrunError('a large source is taken apart', signal)
}

/** The same where texts are analyzed. @throws {OverrunError} */
export function leaveLargeAnalysis({ signal }: EndpointRequest, isLarge: boolean): void {
  const until = signal.until ?? Number.POSITIVE_INFINITY
  if (Number.isFinite(until) && (isLarge || performance.now() > until))
    throw new OverrunError('texts are analyzed that become many tokens', signal)
}

/** The same before mappings are shown. @throws {OverrunError} */
export function leaveLargeMappings({ signal }: EndpointRequest, indices: readonly IndexMetadata[]): void {
  if (!Number.isFinite(signal.until)) return
  let members = 0
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const member of Object.values(value)) {
      if (++members > MANY_MEMBERS) return
      count(member)
    }
  }
  for (const { mappings } of indices) count(mappings)
  if (members > MANY_MEMBERS) throw new OverrunError('large mappings are shown', signal)
}
