import { notBooleanToken } from '../../engine/mapping/types/number-value.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Warnings } from '../deprecation/warnings.ts'

type Body = { readonly [name: string]: JsonValue }

const FLAGS: ReadonlySet<string> = new Set(['doc_as_upsert', 'detect_noop', 'scripted_upsert'])
const MEMBERS: ReadonlySet<string> = new Set([
  ...FLAGS,
  'script',
  'upsert',
  'doc',
  'fields',
  '_source',
  'if_seq_no',
  'if_primary_term',
])

/**
 * The members of an update as 6.8 comes by them. It warns of what it does not know and reads on inside of it, so that a
 * member in there counts as one out here.
 *
 * @throws {ServiceError} for flags and scripts that are none
 */
export function readUpdateSix(body: Body, warnings: Warnings): Body {
  const read: { [name: string]: JsonValue } = {}
  const readMembers = (object: Body): void => {
    for (const [name, value] of Object.entries(object)) {
      if (MEMBERS.has(name)) {
        checkMember(name, value)
        read[name] = value
        continue
      }
      warnings.note('unknown_update_field', name)
      readInside(value)
    }
  }
  const readInside = (value: JsonValue): void => {
    if (Array.isArray(value)) for (const item of value) readInside(item)
    else if (isObject(value)) readMembers(value)
  }
  readMembers(body)
  return read
}

function checkMember(name: string, value: JsonValue): void {
  if (FLAGS.has(name)) {
    if (typeof value === 'string') parseBoolean(value)
    else if (typeof value !== 'boolean') throw notBooleanToken(value)
  }
  // Its parser steps on before it looks: into a list, or to what follows.
  if (name === 'script' && Array.isArray(value)) {
    const next = value.length === 0 ? 'END_ARRAY' : tokenName(value[0])
    if (next !== 'START_OBJECT') throw parseFault(`[script] Expected START_OBJECT but was: ${next}`)
  }
}
