import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { ComponentSettings, type FlatAnalysisSettings } from '../analysis/component-settings.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { MappingSettings } from './types/parameter.ts'

/** A script as the settings of a similarity have it. */
export interface SimilarityScript {
  readonly lang: string
  readonly source: string
  /** For messages: scripts of similarities see none. */
  readonly params: Readonly<Record<string, unknown>>
}

/** What a `scripted` similarity is made of. */
export interface SimilarityScripts {
  readonly script: SimilarityScript
  /** What does not depend on the document. */
  readonly weightScript?: SimilarityScript
}

/** Reads the scripts of `index.similarity.<name>`. @throws {ServiceError} illegal_argument_exception, x_content_parse_exception */
export function readSimilarityScripts(
  name: string,
  settings: MappingSettings,
  version: EngineVersion,
): SimilarityScripts {
  const prefix = `index.similarity.${name}.`
  const script = readScript(settings, `${prefix}script.`, version)
  if (script === undefined) throw noScript()
  const weightScript = readScript(settings, `${prefix}weight_script.`, version)
  return { script, ...(weightScript === undefined ? {} : { weightScript }) }
}

function noScript(): ServiceError {
  return illegalArgument('must specify either [source] for an inline script or [id] for a stored script')
}

/** Undefined: the settings say nothing of it. */
function readScript(settings: MappingSettings, prefix: string, version: EngineVersion): SimilarityScript | undefined {
  const own = new ComponentSettings(settings as FlatAnalysisSettings, prefix)
  const names = own.names()
  if (names.length === 0) return undefined
  const members = new Set(names.map((name) => name.split('.', 1)[0] as string))
  for (const member of members) {
    if (['source', 'id', 'lang', 'params', 'options'].includes(member)) continue
    const told = version === 'Elasticsearch_6.8' ? ', parser not found' : ''
    throw new ServiceError('x_content_parse_exception', `[1:2] [script] unknown field [${member}]${told}`)
  }
  if (members.has('id')) throw illegalArgument('[id] of the script of a similarity is not supported by this domain')
  if (members.has('options')) {
    const options = Object.entries(nested(settings, `${prefix}options.`)).map(([key, value]) => `${key}=${value}`)
    throw illegalArgument(`illegal compiler options [{${options.join(', ')}}] specified`)
  }
  const source = own.text('source')
  if (source === undefined) throw noScript()
  return { lang: own.text('lang', 'painless'), source, params: nested(settings, `${prefix}params.`) }
}

/** Flat settings as the tree they were given as. */
function nested(settings: MappingSettings, prefix: string): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  const keys = Object.keys(settings).filter((key) => key.startsWith(prefix))
  for (const key of keys.sort()) {
    const path = key.slice(prefix.length).split('.')
    let at = tree
    for (const step of path.slice(0, -1)) {
      if (!Object.hasOwn(at, step) || typeof at[step] !== 'object') at[step] = {}
      at = at[step] as Record<string, unknown>
    }
    at[path.at(-1) as string] = settings[key]
  }
  return tree
}
