/** Names at a document's root that belong to the engine. */
const IN_DOCUMENTS: ReadonlySet<string> = new Set([
  '_all',
  '_id',
  '_index',
  '_parent',
  '_routing',
  '_size',
  '_timestamp',
  '_ttl',
  '_type',
])

/** True for a path that no document may contain. */
export function isMetadataField(path: string, isLegacy: boolean): boolean {
  return path.charCodeAt(0) === 0x5f && (isLegacy ? IN_DOCUMENTS : METADATA_FIELDS).has(path)
}

/** Names that no mapping may define. */
export const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_all',
  '_field_names',
  '_id',
  '_ignored',
  '_index',
  '_routing',
  '_seq_no',
  '_source',
  '_type',
  '_version',
])
