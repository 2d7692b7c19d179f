import { ServiceError } from '../../../errors.ts'
import type { ScriptSource } from '../../script/script-source.ts'

/** What the engine says of a place that it does not know. */
export function notSpoken(text: ScriptSource, contextName: string, isOpenSearch = false): ServiceError {
  const reason = `expression engine does not know how to handle script context [${contextName}]`
  return failedToCompile(text, new ServiceError('illegal_argument_exception', reason), isOpenSearch)
}

/** What is said of a fault that the engine did not expect. */
export function failedToCompile(
  { source, stored }: ScriptSource,
  cause: ServiceError,
  isOpenSearch: boolean,
): ServiceError {
  if (isOpenSearch) return cause
  const shown = stored === undefined ? `inline script [${source}]` : `stored script [${stored.id}]`
  return new ServiceError('general_script_exception', `Failed to compile ${shown} using lang [expression]`, { cause })
}
