import type { IndexTemplate } from '../../engine/engine.ts'
import type { ComposableTemplate } from '../../engine/metadata/composable-templates.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { composableTemplates } from './composable-templates.ts'

type Row = IndexTemplate | ComposableTemplate

const COLUMNS = [
  column<Row>('name:n', 'name of the template', (t) => t.name),
  column<Row>('index_patterns:t', 'names of indices it is for', (t) => `[${t.indexPatterns.join(', ')}]`),
]
const orderColumn = (aliases: string) =>
  column<Row>(`order:${aliases}`, 'templates are applied from the lowest up', (t) =>
    'order' in t ? t.order : (t.priority ?? 0),
  )
const VERSION = column<Row>('version:v', 'version its maker gave it', (t) => t.version)
const COLUMNS_6 = [...COLUMNS, orderColumn('o'), VERSION]
const LATER_COLUMNS = [
  ...COLUMNS,
  orderColumn('o,p'),
  VERSION,
  column<Row>('composed_of:c', 'templates it is made of', (t) =>
    'composedOf' in t ? `[${(t.composedOf ?? []).join(', ')}]` : '',
  ),
]

/** `GET /_cat/templates[/<name>]`. */
export const catTemplates: EndpointHandler = (request, context) => {
  const pattern = request.path['name'] ?? '*'
  const composable = request.dialect.typed ? [] : composableTemplates(context).values()
  const rows: Row[] = [...context.engine.templates.values(), ...composable].filter((t) =>
    matchWildcard(pattern, t.name),
  )
  return catTable(request, request.dialect.typed ? COLUMNS_6 : LATER_COLUMNS, rows)
}
