import type { DocumentBatch, DocumentSource } from './document-reader.ts'

/** Several sources read one after the other: the indices that one index with several types became. */
export class JoinedSource implements DocumentSource {
  readonly resumable = false
  readonly #sources: readonly DocumentSource[]

  constructor(sources: readonly DocumentSource[]) {
    this.#sources = sources
  }

  async parts(): Promise<readonly number[]> {
    return this.#sources.map((_, i) => i)
  }

  async *read(
    part: number,
    _after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DocumentBatch, void, undefined> {
    const source = this.#sources[part] as DocumentSource
    for (const inner of await source.parts()) yield* source.read(inner, undefined, signal)
  }
}
