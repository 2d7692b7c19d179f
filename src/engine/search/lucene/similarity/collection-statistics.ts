/** Statistics of one field over all segments. */
export interface CollectionStatistics {
  readonly field: string
  /** Documents of the index, deleted and nested ones included. */
  readonly maxDoc: number
  /** Documents with the field. */
  readonly docCount: number
  /** -1 when frequencies are not indexed. */
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
}
