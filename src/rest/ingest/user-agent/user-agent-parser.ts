import { readFileSync } from 'node:fs'
import { withinTime } from '../../../engine/analysis/time-limit.ts'
import type { EngineVersion } from '../../../engine/engine-version.ts'
import { IngestFault } from '../ingest-fault.ts'

/** What a pattern found: a browser, a system or a device, with its version where it has one. */
export interface VersionedName {
  readonly name: string
  readonly major?: string
  readonly minor?: string
  readonly patch?: string
  readonly build?: string
}

/** What a text says of who sent it. */
export interface UserAgent {
  readonly browser: VersionedName | undefined
  readonly system: VersionedName | undefined
  readonly device: VersionedName | undefined
}

/** `[regex, flags, name?, major?, minor?, patch?, build?]`; null, or nothing, where a group of the match is meant (scripts/user-agent-patterns.ts). */
type Line = readonly [regex: string, flags: string, ...replacements: (string | null)[]]
type Patterns = Readonly<Record<'user_agent_parsers' | 'os_parsers' | 'device_parsers', readonly Line[]>>

/** How many texts are remembered, the latest ones: the real servers' `ingest.user_agent.cache_size`. */
const CACHE_SIZE = 1000
/** Longer ones are read anew each time. */
const CACHED_LENGTH = 1000
/** Longest time for one text: there are patterns that would take for ever. */
const TIME_LIMIT_MS = 250

/** Reads what clients say of themselves (`User-Agent`) by the patterns of uap-core, the first that matches. */
class UserAgentParser {
  readonly #lists: { readonly [kind in keyof Patterns]: readonly Pattern[] }
  readonly #cache = new Map<string, UserAgent>()

  constructor(patterns: Patterns) {
    const made = (lines: readonly Line[]) => lines.map((line) => new Pattern(line))
    this.#lists = {
      user_agent_parsers: made(patterns.user_agent_parsers),
      os_parsers: made(patterns.os_parsers),
      device_parsers: made(patterns.device_parsers),
    }
    // V8 compiles a pattern when it is first run, and better when it is run again: 70 ms each for all of them.
    for (let run = 0; run < 2; run++) this.#read('')
  }

  /** @throws {IngestFault} where it takes too long */
  parse(text: string): UserAgent {
    const found = this.#cache.get(text) ?? this.#readInTime(text)
    if (text.length > CACHED_LENGTH) return found
    // The least lately asked for is the first to go.
    this.#cache.delete(text)
    this.#cache.set(text, found)
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as string)
    return found
  }

  #readInTime(text: string): UserAgent {
    const read = withinTime(TIME_LIMIT_MS, () => this.#read(text))
    if (read !== undefined) return read.value
    throw new IngestFault(`reading a user agent of ${text.length} characters takes longer than ${TIME_LIMIT_MS} ms`)
  }

  #read(text: string): UserAgent {
    return {
      browser: firstMatch(this.#lists.user_agent_parsers, text),
      system: firstMatch(this.#lists.os_parsers, text),
      device: firstMatch(this.#lists.device_parsers, text),
    }
  }
}

function firstMatch(patterns: readonly Pattern[], text: string): VersionedName | undefined {
  for (const pattern of patterns) {
    const found = pattern.match(text)
    if (found !== undefined) return found
  }
  return undefined
}

class Pattern {
  readonly #regexp: RegExp
  readonly #replacements: readonly (string | null)[]

  constructor([regex, flags, ...replacements]: Line) {
    this.#regexp = new RegExp(regex, flags)
    this.#replacements = replacements
  }

  match(text: string): VersionedName | undefined {
    const match = this.#regexp.exec(text)
    if (match === null) return undefined
    const [name, ...version] = this.#replacements
    // Only the first group is ever filled in, and only in a name, as in the real servers.
    const found = name == null ? match[1] : match[1] === undefined ? name : name.replace('$1', () => match[1] as string)
    if (found === undefined) return undefined
    const [major, minor, patch, build] = [0, 1, 2, 3].map((at) => version[at] ?? match[at + 2])
    return {
      name: found,
      ...(major === undefined ? {} : { major }),
      ...(minor === undefined ? {} : { minor }),
      ...(patch === undefined ? {} : { patch }),
      ...(build === undefined ? {} : { build }),
    }
  }
}

/** Read when first asked for. */
const parsers = new Map<string, UserAgentParser>()

/** The parser of a version: Elasticsearch 6.8's own patterns, those of uap-core for later ones. */
export function userAgentParser(version: EngineVersion): UserAgentParser {
  const name = version === 'Elasticsearch_6.8' ? 'elasticsearch-6.8' : 'uap-core'
  let parser = parsers.get(name)
  if (parser === undefined) {
    const file = new URL(`../../../../data/user-agent/${name}.json`, import.meta.url)
    parser = new UserAgentParser(JSON.parse(readFileSync(file, 'utf8')) as Patterns)
    parsers.set(name, parser)
  }
  return parser
}
