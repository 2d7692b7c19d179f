import { readFileSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { EngineVersion } from '../engine-version.ts'

/** Settings as an index keeps them: flat names, texts or lists of texts. */
export type FlatAnalysisSettings = Readonly<Record<string, string | readonly string[] | null>>

/** The settings of one analysis component (`index.analysis.tokenizer.my_tokenizer.*`), read by type. */
export class ComponentSettings {
  readonly #settings: FlatAnalysisSettings
  readonly #prefix: string
  /** OpenSearch does not say where a file is not, nor why it cannot be read. */
  readonly #hidesFiles: boolean

  /** @param prefix  with its final dot; `''` when `settings` holds the component's own names */
  constructor(settings: FlatAnalysisSettings, prefix = '', engineVersion: EngineVersion = 'Elasticsearch_6.8') {
    this.#settings = settings
    this.#prefix = prefix
    this.#hidesFiles = engineVersion === 'OpenSearch_2.19'
  }

  /** Names that are set, list elements (`name.0`) folded into their list's name. */
  names(): string[] {
    const names = new Set<string>()
    for (const [key, value] of Object.entries(this.#settings)) {
      if (value !== null && key.startsWith(this.#prefix))
        names.add(key.slice(this.#prefix.length).replace(/\.\d+$/, ''))
    }
    return [...names]
  }

  has(name: string): boolean {
    return this.names().includes(name)
  }

  text(name: string): string | undefined
  text(name: string, fallback: string): string
  text(name: string, fallback?: string): string | undefined {
    const value = this.#settings[this.#prefix + name]
    if (value === undefined || value === null) return fallback
    return typeof value === 'string' ? value : `[${value.join(', ')}]`
  }

  /** @throws {ServiceError} settings_exception, worded as the real server words it */
  integer(name: string, fallback: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    if (!/^[-+]?\d+$/.test(text) || Math.abs(Number(text)) > 0x7fffffff) {
      throw new ServiceError('settings_exception', `Failed to parse int setting [${name}] with value [${text}]`, {
        cause: new ServiceError('number_format_exception', `For input string: "${text}"`),
      })
    }
    return Number(text)
  }

  /** @throws {ServiceError} illegal_argument_exception unless it is `true` or `false` */
  boolean(name: string, fallback: boolean): boolean {
    const text = this.text(name)
    return text === undefined || text === '' ? fallback : parseBoolean(text)
  }

  /** A list, given as one, as `name.0`, `name.1`, …, or as comma-separated text (`whole`: text is the only element). */
  list(name: string, options: { readonly whole?: boolean } = {}): readonly string[] | undefined {
    const value = this.#settings[this.#prefix + name]
    if (Array.isArray(value)) return value as readonly string[]
    if (typeof value === 'string' && options.whole === true) return [value.trim()]
    if (typeof value === 'string') {
      const text = value.replace(/,+$/, '')
      // A text without elements is as good as none; a list without is not.
      return text === '' ? undefined : text.split(',').map((v) => v.trim())
    }
    const elements: string[] = []
    for (let i = 0; ; i++) {
      const element = this.#settings[`${this.#prefix}${name}.${i}`]
      if (typeof element !== 'string') break
      elements.push(element)
    }
    return elements.length > 0 ? elements : undefined
  }

  /** Lines of the file `<name>_path` or, where that is not given, the elements of the list `<name>`. */
  words(name: string, configDir: string | undefined): readonly string[] | undefined {
    return this.fileLines(name, configDir) ?? this.list(name)
  }

  /**
   * Lines of the file that `<name>_path` names, below the config folder; comments (#) and blank lines left out.
   *
   * @throws {ServiceError} illegal_argument_exception when it cannot be read, or lies outside
   */
  fileLines(name: string, configDir: string | undefined): readonly string[] | undefined {
    const path = this.text(`${name}_path`)
    if (path === undefined) return undefined
    // The real servers say so of this one.
    const setting = name === 'synonyms' ? 'synonyms_path_path' : `${name}_path`
    const file = fileInside(configDir, path)
    try {
      if (file === undefined) throw outside(setting, path)
      return readFileSync(file, 'utf8')
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '' && !line.startsWith('#'))
        .map((line) => line.trim())
    } catch (error) {
      if (this.#hidesFiles) throw illegalArgument(`IOException while reading ${setting}: file not readable`)
      if (file === undefined) throw error
      throw new ServiceError('illegal_argument_exception', `IOException while reading ${setting}: ${file}`, {
        cause: new ServiceError('no_such_file_exception', file),
      })
    }
  }

  /**
   * An XML file below the config folder, in the encoding that it names (else UTF-8).
   *
   * @throws {ServiceError} illegal_argument_exception when it cannot be read, or lies outside
   */
  fileText(name: string, configDir: string | undefined): string | undefined {
    const path = this.text(name)
    if (path === undefined) return undefined
    const file = fileInside(configDir, path)
    try {
      if (file === undefined) throw outside(name, path)
      const bytes = readFileSync(file)
      const encoding = /^<\?xml[^>]*encoding=["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]
      return new TextDecoder(encoding ?? 'utf-8').decode(bytes)
    } catch (error) {
      if (this.#hidesFiles) throw illegalArgument(`Exception while reading ${name}.`)
      if (file === undefined) throw error
      throw new ServiceError('illegal_argument_exception', `Exception while reading ${name}.`, {
        cause: new ServiceError('no_such_file_exception', file),
      })
    }
  }
}

/** Where a file below the config folder is; undefined for one that lies elsewhere. */
function fileInside(configDir: string | undefined, path: string): string | undefined {
  const inside = normalize(path)
  if (configDir === undefined || inside.startsWith('..') || inside.startsWith(sep)) return undefined
  return join(configDir, inside)
}

const outside = (setting: string, path: string): ServiceError =>
  illegalArgument(`the file is not in the config folder while reading ${setting}: ${path}`)
