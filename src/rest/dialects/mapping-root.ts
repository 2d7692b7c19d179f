/** Members of a mapping's root: where one of them stands, there is no type level. */
export const ROOT_MEMBERS: ReadonlySet<string> = new Set([
  'properties',
  'dynamic',
  'dynamic_templates',
  'dynamic_date_formats',
  'date_detection',
  'numeric_detection',
  '_source',
  '_routing',
  '_meta',
  '_all',
  '_field_names',
  '_size',
  '_parent',
])
