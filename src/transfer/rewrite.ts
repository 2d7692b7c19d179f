import type { DocumentKeyForm } from '../digest/document-key.ts'
import { objectMembers } from '../digest/raw-json.ts'
import type { PlannedIndex } from './schema.ts'
import type { TransferDocument } from './transfer-document.ts'

/** Gives a document the address (and, in one case, the field) it has at the destination. */
export type Rewrite = (document: TransferDocument) => TransferDocument

/**
 * How documents change on the way, by what was planned for their types.
 *
 * @param typed  the destination's paths carry a type
 */
export function documentRewrite(planned: readonly PlannedIndex[], typed: boolean): Rewrite {
  const only = planned[0] as PlannedIndex
  if (planned.length > 1) {
    const byType = new Map(planned.map((p) => [p.types?.[0] ?? '_doc', p.name]))
    return (d) => ({
      ...d,
      index: byType.get(d.type ?? '_doc') ?? only.name,
      type: typed ? (d.type ?? '_doc') : undefined,
    })
  }
  if (only.typeInField) {
    return (d) => ({
      ...d,
      index: only.name,
      type: typed ? '_doc' : undefined,
      id: `${d.type ?? '_doc'}#${d.id}`,
      source: withTypeField(d.source, d.type ?? '_doc'),
    })
  }
  return (d) => ({ ...d, index: only.name, type: typed ? (d.type ?? '_doc') : undefined })
}

/** Puts `"type": <type>` first into a JSON object that has no such member. */
function withTypeField(source: Buffer, type: string): Buffer {
  const members = objectMembers(source, 0)
  if (members.has('type')) return source
  const open = source.indexOf('{') + 1
  const field = `"type":${JSON.stringify(type)}${members.size > 0 ? ',' : ''}`
  return Buffer.concat([source.subarray(0, open), Buffer.from(field), source.subarray(open)])
}

/** What tells documents apart at the destination, so that the same documents have the same digest wherever they go. */
export function documentKeyForm(planned: readonly PlannedIndex[], typed: boolean): DocumentKeyForm {
  if (planned.length > 1) return 'index_id'
  const types = Object.keys(planned[0]?.schema.mappings ?? {})
  return typed && types.length !== 1 ? 'type_id' : 'id'
}
