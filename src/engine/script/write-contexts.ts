import type { ScriptContext } from './script-context.ts'
import { TIME_CLASSES } from './time/time-classes.ts'

/** What scripts that change something see, and that they answer nothing. */
const CHANGING = { variables: { params: 'Map', ctx: 'Map' }, returns: 'void', classes: TIME_CLASSES } as const

/** Scripts that change documents: `_update`, `_update_by_query`, `_reindex`. */
export const UPDATE_CONTEXT: ScriptContext = {
  name: 'update',
  ...CHANGING,
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

/** Processors `script` of OpenSearch's search pipelines. */
export const SEARCH_REQUEST_CONTEXT: ScriptContext = {
  name: 'search',
  argumentCount: 1,
  ...CHANGING,
}
