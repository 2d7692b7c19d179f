import { readFileSync } from 'node:fs'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { ServiceError } from '../../../errors.ts'
import type { FactoryContext } from '../factories.ts'
import { koreanDictionaryFor } from './dictionaries.ts'
import type { DictionaryKind } from './dictionary-columns.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'

/**
 * Checks that a component's settings name nothing but known options.
 *
 * @throws {ServiceError} illegal_argument_exception that names the first unknown one
 */
export function checkOptions(context: FactoryContext, type: string, known: readonly string[]): void {
  for (const name of context.settings.names()) {
    if (name === 'type' || name === 'version' || known.includes(name)) continue
    throw new ServiceError(
      'illegal_argument_exception',
      `unknown setting [${name}] for [${context.name}] of type [${type}], known settings are [${known.join(', ')}]`,
    )
  }
}

/**
 * Lines of the UTF-8 file that a setting names, below the config folder; undefined when it is not set.
 *
 * @throws {ServiceError} illegal_argument_exception when the file lies elsewhere or cannot be read
 */
export function configLines(context: FactoryContext, setting: string): string[] | undefined {
  // Of this one OpenSearch does not tell where it lies.
  const isHidden = setting === 'user_dictionary' && context.engineVersion === 'OpenSearch_2.19'
  const unreadable = (what: string) =>
    new ServiceError('illegal_argument_exception', `IOException while reading ${setting}: ${what}`)
  let text: string
  try {
    const path = configPath(context, setting)
    if (path === undefined) return undefined
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    // The decoder's complaint, or the file system's; worded as nori words them.
    const given = context.settings.text(setting, '')
    if (error instanceof TypeError)
      throw new ServiceError(
        'illegal_argument_exception',
        `Unsupported character encoding detected while reading ${setting}: ${given} - files must be UTF-8 encoded`,
      )
    if (isHidden) throw unreadable('file not readable')
    throw error instanceof ServiceError ? error : unreadable(given)
  }
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The dictionary of a tokenizer: the built-in one, or the file its `dictionary` setting names below the config folder.
 *
 * @throws {ServiceError} illegal_argument_exception when that file is no dictionary of the kind
 */
export function configDictionary(context: FactoryContext, kind: DictionaryKind): KoreanDictionary {
  const path = configPath(context, 'dictionary')
  if (path === undefined) return koreanDictionaryFor(kind)
  try {
    return koreanDictionaryFor(kind, path)
  } catch (error) {
    throw new ServiceError(
      'illegal_argument_exception',
      `cannot read [dictionary] of [${context.name}]: ${(error as Error).message}`,
    )
  }
}

function configPath({ settings, configDir, name }: FactoryContext, setting: string): string | undefined {
  const path = settings.text(setting)
  if (path === undefined) return undefined
  const inside = normalize(path)
  if (configDir === undefined || isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new ServiceError(
      'illegal_argument_exception',
      `[${setting}] of [${name}] must be a file in the config folder, got [${path}]`,
    )
  }
  return join(configDir, inside)
}
