import type { IndexTemplate } from '../../engine/engine.ts'
import type { ComposableTemplate } from '../../engine/metadata/composable-templates.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { composableTemplates } from './composable-templates.ts'

type Row = IndexTemplate | ComposableTemplate

const COLUMNS = [
  column<Row>('name:n', 'template name', (t) => t.name),
  column<Row>('index_patterns:t', 'template index patterns', (t) => `[${t.indexPatterns.join(', ')}]`),
]
const orderColumn = (aliases: string, help: string) =>
  column<Row>(`order:${aliases}`, help, (t) => ('order' in t ? t.order : (t.priority ?? 0)))
const VERSION = column<Row>('version:v', 'version', (t) => t.version)
const COLUMNS_6 = [...COLUMNS, orderColumn('o', 'template application order number'), VERSION]
const LATER_COLUMNS = [
  ...COLUMNS,
  orderColumn('o,p', 'template application order/priority number'),
  VERSION,
  column<Row>('composed_of:c', 'component templates comprising index template', (t) =>
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
