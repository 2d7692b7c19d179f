/**
 * One moment of the store: reads see what was committed when it was taken, whatever is written meanwhile. Pages it still
 * needs are not used again until it is released.
 */
export interface StoreMoment {
  /**
   * The sequence numbers that ids of an index stand for, some at a time.
   *
   * @param after  `last` of the call before; undefined for the first
   */
  idEntries(
    indexNumber: number,
    after: Buffer | undefined,
    limit: number,
  ): {
    readonly entries: readonly { readonly seqNo: number; readonly deleted: boolean }[]
    readonly last: Buffer | undefined
  }
  /** Records (document-record.ts, not compressed) with `from <= seqNo < to`, in order, at most so many. */
  records(
    indexNumber: number,
    from: number,
    to: number,
    limit: number,
  ): readonly (readonly [seqNo: number, bytes: Buffer])[]
  release(): void
}
