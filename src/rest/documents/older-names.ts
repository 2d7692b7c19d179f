/** Members of an item of `_mget` or `_bulk` that 6.8 still reads and its successors refuse, with what they are called there. */
export const OLDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['_routing', 'routing'],
  ['parent', 'parent'],
  ['_parent', 'parent'],
  ['_version', 'version'],
  ['_version_type', 'version_type'],
  ['_versionType', 'version_type'],
  ['versionType', 'version_type'],
])
