import { ServiceError } from '../../errors.ts'
import { setOwn } from '../../set-own.ts'
import { JsonNumber } from '../mapping/lossless-json.ts'
import type { FlatSettings } from './index-metadata.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Flattens settings given as nested JSON, dotted names or both: `{ a: { b: 1 } }` → `{ 'a.b': '1' }`. Numbers and booleans
 * become texts (those of {@link JsonNumber} as they were written), lists stay lists of texts, null stays null («not set»).
 *
 * @throws {ServiceError} parse_exception for lists of objects
 */
export function flattenSettings(json: Json): FlatSettings {
  const flat: Record<string, string | readonly string[] | null> = {}
  flattenInto(json, '', flat)
  return flat
}

/** Flattens index settings: as {@link flattenSettings}, every name with the prefix `index.`. */
export function flattenIndexSettings(json: Json): FlatSettings {
  const flat: Record<string, string | readonly string[] | null> = {}
  for (const [name, value] of Object.entries(flattenSettings(json))) {
    flat[name.startsWith('index.') || name.startsWith('archived.') || name === '*' ? name : `index.${name}`] = value
  }
  return flat
}

function flattenInto(json: Json, prefix: string, flat: Record<string, string | readonly string[] | null>): void {
  for (const [key, value] of Object.entries(json)) {
    const name = prefix + key
    if (Array.isArray(value)) {
      const elements = value.map((element: unknown) => {
        if (typeof element === 'object' && !(element instanceof JsonNumber)) {
          throw new ServiceError('parse_exception', 'only value lists are allowed in serialized settings')
        }
        return String(element)
      })
      setOwn(flat, name, elements)
    } else if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber))
      flattenInto(value as Json, `${name}.`, flat)
    else setOwn(flat, name, value === null || value === undefined ? null : String(value))
  }
}

/** Settings as nested JSON; a name that is both a value and a prefix keeps its dots, as the real server shows it. */
export function nestSettings(settings: FlatSettings): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(settings)) {
    const parts = name.split('.')
    let object = root
    let depth = 0
    while (depth < parts.length - 1) {
      const part = parts[depth] as string
      const child = Object.hasOwn(object, part) ? object[part] : undefined
      if (child !== undefined && (typeof child !== 'object' || Array.isArray(child))) break
      if (child === undefined) setOwn(object, part, {})
      object = object[part] as Record<string, unknown>
      depth++
    }
    const last = parts.slice(depth).join('.')
    const existing = Object.hasOwn(object, last) ? object[last] : undefined
    if (typeof existing === 'object' && !Array.isArray(existing) && existing !== null) {
      // `a.b` came before `a`: it goes back beside it, dotted.
      for (const [key, member] of Object.entries(existing)) setOwn(object, `${last}.${key}`, member)
    }
    setOwn(object, last, value)
  }
  return root
}
