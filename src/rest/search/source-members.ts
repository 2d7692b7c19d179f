import type { Json } from '../json/json-writer.ts'
import { scanMembers } from '../json/scan-members.ts'

const QUOTE = 0x22
/** So many names are no longer compared one by one. */
const MANY_NAMES = 8

/**
 * Reads a few members of stored objects and passes over the rest. (Measured on movies and nsmc: half of what parsing
 * a source takes.)
 */
export class SourceMembers {
  readonly #names: readonly { readonly name: string; readonly bytes: Buffer }[]

  /** @param names  of members of the outermost object */
  constructor(names: Iterable<string>) {
    this.#names = Array.from(new Set(names), (name) => ({ name, bytes: Buffer.from(name) }))
  }

  /** Reads the members in which values at some paths may stand: `a.b` is in `a` or is named as a whole. */
  static at(paths: readonly string[]): SourceMembers {
    const names: string[] = []
    for (const path of paths) {
      for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) names.push(path.slice(0, dot))
      names.push(path)
    }
    return new SourceMembers(names)
  }

  /**
   * The object with no other members than those named (or with all, where these are many); of a name given twice, the
   * last, as JSON.parse has it.
   *
   * @param source  valid JSON
   */
  read(source: Buffer): { readonly [name: string]: Json } {
    if (this.#names.length > MANY_NAMES) return parsed(source)
    const out: Record<string, Json> = Object.create(null)
    const isScanned = scanMembers(source, (nameStart, nameEnd, start, end) => {
      const name = this.#named(source, nameStart, nameEnd)
      if (name !== undefined) out[name] = memberValue(source, start, end)
    })
    return isScanned ? out : parsed(source)
  }

  #named(source: Buffer, start: number, end: number): string | undefined {
    for (const { name, bytes } of this.#names) {
      const { length } = bytes
      if (length !== end - start) continue
      let i = 0
      while (i < length && source[start + i] === bytes[i]) i++
      if (i === length) return name
    }
    return undefined
  }
}

function parsed(source: Buffer): { readonly [name: string]: Json } {
  return JSON.parse(source.toString('utf8'))
}

function memberValue(source: Buffer, start: number, end: number): Json {
  if (source[start] === QUOTE) {
    const text = source.toString('utf8', start + 1, end - 1)
    if (!text.includes('\\')) return text
  }
  return JSON.parse(source.toString('utf8', start, end))
}
