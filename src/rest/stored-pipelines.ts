import type { ExtraStore } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import { matchWildcard } from '../match-wildcard.ts'
import type { RestContext } from './endpoint-handler.ts'
import { noteEverPut, wasEverPut } from './ingest/ever-put.ts'
import { removeDamaged } from './remove-damaged.ts'
import { ACKNOWLEDGED, type EndpointRequest, type EndpointResponse } from './rest-request.ts'

/** Stored pipelines of a kind that an expression names: names and patterns, separated by commas; all where there is none. */
export function namedPipelines<T>(
  expression: string | undefined,
  kind: string,
  extras: ExtraStore,
): readonly (readonly [name: string, body: T])[] {
  const patterns = expression?.split(',') ?? ['*']
  const stored = [...extras.entries(kind)] as (readonly [name: string, body: T])[]
  return stored.filter(([name]) => patterns.some((pattern) => matchWildcard(pattern, name)))
}

/** Stored pipelines that are to be deleted. */
export interface DeletedPipelines {
  readonly kind: string
  /** May whoever asks change what one is used for? Throws. */
  judge(name: string): void
  /** Called once they are gone. */
  onDeleted?(): void
}

/**
 * Deletes the stored pipelines of a kind that a request's path names.
 *
 * @throws {ServiceError} resource_not_found_exception, and what `judge` throws
 */
export async function deletePipelines(
  request: EndpointRequest,
  context: RestContext,
  { kind, judge, onDeleted = () => {} }: DeletedPipelines,
): Promise<EndpointResponse> {
  const { extras } = context.engine
  const id = request.path['id'] as string
  if (await removeDamaged(request, context, `extra/${kind}/${id}`)) return ACKNOWLEDGED
  const found = namedPipelines(id, kind, extras)
  if (found.length === 0) {
    if (id === '*' || !wasEverPut(kind, extras)) return ACKNOWLEDGED
    throw new ServiceError('resource_not_found_exception', `pipeline [${id}] is missing`)
  }
  for (const [name] of found) judge(name)
  await noteEverPut(kind, extras)
  await Promise.all(found.map(([name]) => extras.delete(kind, name)))
  onDeleted()
  return ACKNOWLEDGED
}
