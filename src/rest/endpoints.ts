import type { EndpointHandler } from './endpoint-handler.ts'
import { bulk } from './endpoints/bulk.ts'
import { count } from './endpoints/count.ts'
import { deleteDocument } from './endpoints/delete-document.ts'
import { documentExists, getDocument, getSource } from './endpoints/get-document.ts'
import { createDocument, indexDocument } from './endpoints/index-document.ts'
import { indicesCreate } from './endpoints/indices-create.ts'
import { indicesDelete } from './endpoints/indices-delete.ts'
import { indicesDeleteAlias } from './endpoints/indices-delete-alias.ts'
import { indicesExists, indicesGet } from './endpoints/indices-get.ts'
import { indicesExistsAlias, indicesGetAlias } from './endpoints/indices-get-alias.ts'
import { indicesExistsType, indicesGetMapping } from './endpoints/indices-get-mapping.ts'
import { indicesGetSettings } from './endpoints/indices-get-settings.ts'
import { indicesClose, indicesOpen } from './endpoints/indices-open.ts'
import { indicesPutAlias } from './endpoints/indices-put-alias.ts'
import { indicesPutMapping } from './endpoints/indices-put-mapping.ts'
import { indicesPutSettings } from './endpoints/indices-put-settings.ts'
import {
  indicesClearCache,
  indicesFlush,
  indicesFlushSynced,
  indicesForcemerge,
  indicesGetUpgrade,
  indicesRefresh,
  indicesUpgrade,
} from './endpoints/indices-refresh.ts'
import {
  indicesDeleteTemplate,
  indicesExistsTemplate,
  indicesGetTemplate,
  indicesPutTemplate,
} from './endpoints/indices-templates.ts'
import { indicesUpdateAliases } from './endpoints/indices-update-aliases.ts'
import { info } from './endpoints/info.ts'
import { multiGet } from './endpoints/multi-get.ts'
import { msearch } from './endpoints/multi-search.ts'
import { ping } from './endpoints/ping.ts'
import { clearScroll, scroll } from './endpoints/scroll.ts'
import { search } from './endpoints/search.ts'
import { updateDocument } from './endpoints/update-document.ts'

/** Who answers what: endpoints by their names in the API's specification (`rest-api.ts`). */
export const ENDPOINTS: Readonly<Record<string, EndpointHandler>> = {
  bulk,
  clear_scroll: clearScroll,
  count,
  create: createDocument,
  delete: deleteDocument,
  exists: documentExists,
  exists_source: getSource,
  get: getDocument,
  get_source: getSource,
  index: indexDocument,
  'indices.clear_cache': indicesClearCache,
  'indices.close': indicesClose,
  'indices.create': indicesCreate,
  'indices.delete': indicesDelete,
  'indices.delete_alias': indicesDeleteAlias,
  'indices.delete_template': indicesDeleteTemplate,
  'indices.exists': indicesExists,
  'indices.exists_alias': indicesExistsAlias,
  'indices.exists_template': indicesExistsTemplate,
  'indices.exists_type': indicesExistsType,
  'indices.flush': indicesFlush,
  'indices.flush_synced': indicesFlushSynced,
  'indices.forcemerge': indicesForcemerge,
  'indices.get': indicesGet,
  'indices.get_alias': indicesGetAlias,
  'indices.get_mapping': indicesGetMapping,
  'indices.get_settings': indicesGetSettings,
  'indices.get_template': indicesGetTemplate,
  'indices.get_upgrade': indicesGetUpgrade,
  'indices.open': indicesOpen,
  'indices.put_alias': indicesPutAlias,
  'indices.put_mapping': indicesPutMapping,
  'indices.put_settings': indicesPutSettings,
  'indices.put_template': indicesPutTemplate,
  'indices.refresh': indicesRefresh,
  'indices.update_aliases': indicesUpdateAliases,
  'indices.upgrade': indicesUpgrade,
  info,
  mget: multiGet,
  msearch,
  ping,
  scroll,
  search,
  update: updateDocument,
}
