import { isServed } from '../../engine/metadata/index-metadata.ts'
import type { RestContext } from '../endpoint-handler.ts'

/** Does something with open indices, one after another; with none that another request closes or removes meanwhile. */
export async function eachOpen(
  names: Iterable<string>,
  { engine }: RestContext,
  work: (name: string) => Promise<unknown>,
): Promise<void> {
  for (const name of names) {
    const index = engine.indices.get(name)
    if (index !== undefined && isServed(index)) await work(name)
  }
}
