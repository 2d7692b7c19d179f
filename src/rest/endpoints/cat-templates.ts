import type { IndexTemplate } from '../../engine/engine.ts'
import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

const COLUMNS = [
  column<IndexTemplate>('name:n', 'name of the template', (t) => t.name),
  column<IndexTemplate>('index_patterns:t', 'names of indices it is for', (t) => `[${t.indexPatterns.join(', ')}]`),
  column<IndexTemplate>('order:o', 'templates are applied from the lowest up', (t) => t.order),
  column<IndexTemplate>('version:v', 'version its maker gave it', (t) => t.version),
]
const LATER_COLUMNS = [...COLUMNS, column<IndexTemplate>('composed_of:c', 'templates it is made of', () => '')]

/** `GET /_cat/templates[/<name>]`. */
export const catTemplates: EndpointHandler = (request, context) => {
  const pattern = request.path['name'] ?? '*'
  const rows = [...context.engine.templates.values()].filter((t) => matchWildcard(pattern, t.name))
  return catTable(request, request.dialect.typed ? COLUMNS : LATER_COLUMNS, rows)
}
