import { ServiceError } from '../../../errors.ts'
import type { UseListener } from '../../script/deprecated-use.ts'
import { isOpenSearch, type ScriptContext } from '../../script/script-context.ts'
import type { ScriptSource, StoredSource } from '../../script/script-source.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import type { ScriptMap } from '../../script/values/script-map.ts'
import { notSpoken } from '../expression/not-spoken.ts'

/** A script of a search as its request has it: neither looked up nor compiled yet. */
export interface SearchScript {
  /** Its text, or the name it is stored under. */
  readonly script:
    | { readonly kind: 'inline'; readonly lang: string; readonly source: string }
    | { readonly kind: 'stored'; readonly id: string; readonly find: FindStoredScript }
  /** JSON; numbers as `parseLosslessJson` has them. */
  readonly params: Readonly<Record<string, unknown>>
  /** Told what it does that is warned of. */
  readonly heard?: UseListener
}

/** Finds a script that is stored; undefined: there is none of that name. */
export type FindStoredScript = (id: string) => FoundScript | undefined

/** A stored script as it was found. */
export interface FoundScript {
  readonly lang: string
  readonly source: string
  /** Whether faults may show its text; absent: they may. */
  readonly mayBeTold?: StoredSource['mayBeTold']
}

/** A script as the real server's messages show it. */
export function scriptText({ script, params }: SearchScript): string {
  const shown = (scriptValueOf(params) as ScriptMap).toText()
  return script.kind === 'inline'
    ? `Script{type=inline, lang='${script.lang}', idOrCode='${script.source}', options={}, params=${shown}}`
    : `Script{type=stored, lang='null', idOrCode='${script.id}', options=null, params=${shown}}`
}

/**
 * The text of a script in one of the languages that numbers of documents and buckets are computed in.
 *
 * @param context  the place it is for, for messages
 * @throws {ServiceError} resource_not_found_exception, illegal_argument_exception, general_script_exception
 */
export function findSpokenScript(
  { script }: SearchScript,
  context: Pick<ScriptContext, 'name'>,
): { readonly lang: 'painless' | 'expression'; readonly text: ScriptSource } {
  const found: FoundScript = script.kind === 'inline' ? script : storedScript(script)
  const { lang, source } = found
  if (lang === 'painless' || lang === 'expression') return { lang, text: sourceOf(script, found) }
  if (lang !== 'mustache') throw new ServiceError('illegal_argument_exception', `script_lang not supported [${lang}]`)
  const name = script.kind === 'inline' ? `inline script [${source}]` : `stored script [${script.id}]`
  throw new ServiceError('general_script_exception', `Failed to compile ${name} using lang [mustache]`, {
    cause: new ServiceError(
      'illegal_argument_exception',
      `mustache engine does not know how to handle context [${context.name}]`,
    ),
  })
}

/** The text of a script where Painless alone is spoken. @throws {ServiceError} as {@link findSpokenScript} */
export function findScript(script: SearchScript, context: Pick<ScriptContext, 'name' | 'javaPackage'>): ScriptSource {
  const { lang, text } = findSpokenScript(script, context)
  if (lang === 'expression') throw notSpoken(text, context.name, isOpenSearch(context))
  return text
}

function sourceOf(script: SearchScript['script'], { source, mayBeTold }: FoundScript): ScriptSource {
  if (script.kind === 'inline') return { source }
  return { source, stored: { id: script.id, mayBeTold: mayBeTold ?? (() => true) } }
}

function storedScript({ id, find }: { readonly id: string; readonly find: FindStoredScript }): FoundScript {
  const found = find(id)
  if (found !== undefined) return found
  throw new ServiceError('resource_not_found_exception', `unable to find script [${id}] in cluster state`)
}
