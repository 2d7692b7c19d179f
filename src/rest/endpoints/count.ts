import { countDocuments } from '../../engine/search/search-documents.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { bodyObject } from '../rest-request.ts'
import { openView } from '../search/open-view.ts'
import { searchWhatAnswers } from '../search/partial-failures.ts'
import { onlyQueryOf } from '../search/search-body.ts'

/** `GET|POST /_count` and its paths. */
export const count: EndpointHandler = (request, context) => {
  const body = bodyObject(request) ?? {}
  for (const key of Object.keys(body)) {
    if (key !== 'query') throw new ServiceError('parsing_exception', `request does not support [${key}]`)
  }
  const query = onlyQueryOf(request, body['query'])
  const view = openView(request, context, '_count')
  try {
    return searchWhatAnswers(view, request, ({ searchers, limit, shards }) => ({
      status: 200,
      json: { count: countDocuments(searchers, limit(query), request.dialect.engineVersion), _shards: shards },
    }))
  } finally {
    view.release()
  }
}
