import type { EngineVersion } from '../../engine/engine-version.ts'
import { CONDITION_CONTEXT } from '../../engine/script/write-contexts.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { detailedMessage } from '../errors/detailed-message.ts'
import { compileWriteScript, type WriteScript } from '../script/compile-write-script.ts'
import { readWriteScript } from '../script/read-write-script.ts'
import { changeByScript, meetsCondition } from './document-script.ts'
import { INGEST_CONTEXT } from './ingest-context.ts'
import { classOf, type Value } from './ingest-document.ts'
import type { Condition, FactoryContext, ProcessorFactory } from './processor.ts'
import { ProcessorConfig } from './processor-config.ts'

/** `script`: whatever a script makes of the document. */
export const script: ProcessorFactory = (config, context) => {
  const { compiled, isStored } = scriptOf(config, context)
  const first = compiled()
  return (document, run) => {
    // What a stored script says may have changed since.
    changeByScript(document, isStored ? compiled() : first, context.engineVersion, run.deprecated)
    return undefined
  }
}

function scriptOf(
  config: ProcessorConfig,
  { engineVersion, script: find, deprecated }: FactoryContext,
): { readonly compiled: () => WriteScript; readonly isStored: boolean } {
  const given: Record<string, JsonValue> = {}
  const isOld = engineVersion === 'Elasticsearch_6.8'
  // Later versions read all that is left as a script.
  for (const name of isOld ? ['id', 'source', 'inline', 'lang', 'params'] : config.unread()) {
    // 6.8 does not look for it under its older name where it has the newer one.
    if (name === 'inline' && isOld && 'source' in given) continue
    const value = isOld ? sixMember(config, name) : config.raw(name)
    if (name === 'inline' && isOld && value !== undefined) deprecated('processor_inline_script')
    // What is empty counts as not there in 6.8.
    if (value !== undefined && !(isOld && value === '')) given[name] = value
  }
  const isStored = 'id' in given
  // A stored script has its own language, whatever is said here.
  if (isStored) delete given['lang']
  const isInline = 'source' in given || 'inline' in given
  if (isOld && !isStored && !isInline)
    throw config.fault(undefined, 'Need [id] or [source] parameter to refer to scripts')
  if (isOld && isStored && isInline) throw config.fault(undefined, 'Only one of [id] or [source] may be configured')
  const compile = (): WriteScript =>
    compileWriteScript(readWriteScript(given, engineVersion, find), INGEST_CONTEXT, engineVersion)
  return { compiled: () => compiledFor(config, compile, engineVersion), isStored }
}

/** 6.8 reads the members of a script as those of any processor, later versions as those of any script. */
function sixMember(config: ProcessorConfig, name: string): JsonValue | undefined {
  return name === 'params' ? config.optionalMap(name) : config.optionalText(name)
}

/** A fault of a script as that of the processor it stands in. */
function inProcessor(
  error: ServiceError,
  config: ProcessorConfig,
  version: EngineVersion,
  property?: string,
): ServiceError {
  const isUnreadable = error.type === 'x_content_parse_exception' && version !== 'Elasticsearch_6.8'
  if (error.type !== 'illegal_argument_exception' && !isUnreadable)
    return config.within(error, error.type === 'script_exception' ? property : undefined)
  const reason = detailedMessage(error, version)
  return config.within(new ServiceError('exception', reason, { cause: error, status: 400 }))
}

/**
 * The `if` of a processor. It is compiled when all else is read (7 and later) or when the first document comes, as in the real
 * servers.
 *
 * @returns what compiles it and answers undefined where there is none
 */
export function conditionOf(
  config: ProcessorConfig,
  { engineVersion, script: find }: Pick<FactoryContext, 'engineVersion' | 'script'>,
): () => Condition | undefined {
  const json = config.raw('if')
  if (json === undefined) return () => undefined
  const isOld = engineVersion === 'Elasticsearch_6.8'
  if (typeof json !== 'string' && !isObject(json)) {
    const conditional = new ProcessorConfig('conditional', {}, isOld)
    throw conditional.fault('script', `property isn't a map or string, but of type [${classOf(json as Value)}]`)
  }
  const isStored = isObject(json) && json['id'] !== undefined
  const condition = readWriteScript(json, engineVersion, find)
  const compile = (): WriteScript => compileWriteScript(condition, CONDITION_CONTEXT, engineVersion)
  return () => {
    const first = isOld ? undefined : compiledFor(config, compile, engineVersion)
    // What a stored script says may have changed since.
    const compiled = isStored ? compile : () => first ?? compile()
    return {
      text: typeof json === 'string' ? json : String((json as { readonly [name: string]: JsonValue })['source'] ?? ''),
      holds: (document, run) => meetsCondition(document, engineVersion, compiled, run.deprecated),
    }
  }
}

function compiledFor(config: ProcessorConfig, compile: () => WriteScript, version: EngineVersion): WriteScript {
  try {
    return compile()
  } catch (error) {
    const property = version === 'Elasticsearch_6.8' ? 'source' : undefined
    throw error instanceof ServiceError ? inProcessor(error, config, version, property) : error
  }
}
