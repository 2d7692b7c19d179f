import { countDocuments } from '../../engine/search/search-documents.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { bodyObject } from '../rest-request.ts'
import { openView } from '../search/open-view.ts'
import { queryOf } from '../search/search-body.ts'

interface Row {
  readonly now: Date
  readonly count: number
}

const COLUMNS = [
  column<Row>('epoch:t,time', 'seconds since 1970-01-01 00:00:00', (r) => Math.floor(r.now.getTime() / 1000)),
  column<Row>('timestamp:ts,hms,hhmmss', 'time in HH:MM:SS', (r) => r.now.toISOString().slice(11, 19)),
  column<Row>('count:dc,docs.count,docsCount', 'the document count', (r) => r.count),
]

/** `GET /_cat/count[/<index>]`. */
export const catCount: EndpointHandler = (request, context) => {
  const query = queryOf(request, bodyObject(request)?.['query'])
  const view = openView(request, context, '_cat')
  try {
    const count = countDocuments(view.searchers, view.limit(query), request.dialect.engineVersion)
    return catTable(request, COLUMNS, [{ now: new Date(), count }])
  } finally {
    view.release()
  }
}
