import type { RestContext } from './endpoint-handler.ts'
import type { EndpointRequest } from './rest-request.ts'

/**
 * Removes what is stored by a name where its entry is damaged, which is the way out of that. What it was for cannot be read, so it is for who
 * may do everything.
 *
 * @param entry  as of {@link Engine.removeDamaged}
 * @returns false when it is whole, or not there
 * @throws {Error} the access layer's denial
 */
export async function removeDamaged(
  request: EndpointRequest,
  { engine }: RestContext,
  entry: string,
): Promise<boolean> {
  if (!engine.isDamaged(entry)) return false
  request.authorizeDomain('DELETE')
  return engine.removeDamaged(entry)
}
