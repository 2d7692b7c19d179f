import { DIGESTED_STRING } from './api/text-classes.ts'
import type { ScriptContext } from './script-context.ts'
import { fault } from './script-fault.ts'
import { TIME_CLASSES } from './time/time-classes.ts'
import type { ClassDefinition } from './values/script-class.ts'

/** What scripts that change something see, and that they answer nothing. */
const CHANGING = { variables: { params: 'Map', ctx: 'Map' }, returns: 'void', classes: TIME_CLASSES } as const

/** Scripts that change documents: `_update`, `_update_by_query`, `_reindex`. */
export const UPDATE_CONTEXT: ScriptContext = {
  name: 'update',
  ...CHANGING,
  openSearchClasses: [DIGESTED_STRING],
}

/** Conditions (`if`) of processors. */
export const CONDITION_CONTEXT: ScriptContext = {
  name: 'processor_conditional',
  argumentCount: 1,
  variables: { params: 'Map', ctx: 'Map' },
  returns: 'boolean',
  classes: TIME_CLASSES,
}

/** `_scripts/painless/_execute` unless it names another place. */
export const TEST_CONTEXT: ScriptContext = {
  name: 'painless_test',
  variables: { params: 'Map' },
  returns: 'Object',
  classes: TIME_CLASSES,
}

/** Class of what scripts of search pipelines see of a search. */
export const REQUEST_MAP = 'org.opensearch.search.pipeline.common.SearchRequestMap'

/** What scripts cannot do with it. */
export const notOfRequests = (method: string): Error =>
  fault('UnsupportedOperationException', `${method} Method not supported in Search pipeline script`)

const views = ['Set keySet', 'Collection values', 'Set entrySet'].map((view) => [
  `${view}()`,
  () => {
    throw notOfRequests(view.split(' ')[1] as string)
  },
])

const REQUEST_MAP_CLASS: ClassDefinition = {
  name: REQUEST_MAP,
  javaName: REQUEST_MAP,
  parents: ['Map'],
  isUnnamed: true,
  methods: { ...Object.fromEntries(views), 'boolean isEmpty()': () => false },
}

/** Processors `script` of OpenSearch's search pipelines. */
export const SEARCH_REQUEST_CONTEXT: ScriptContext = {
  name: 'search',
  argumentCount: 1,
  ...CHANGING,
  classes: [...TIME_CLASSES, REQUEST_MAP_CLASS],
}
