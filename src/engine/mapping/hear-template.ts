import { faultOf } from '../../errors.ts'
import { writeBigJson } from '../big-json.ts'
import {
  DEFAULT_TYPES,
  type DynamicTemplate,
  type MatchMappingType,
  renderDynamicTemplate,
  templateMapping,
} from './dynamic-template.ts'
import { javaText } from './java-text.ts'
import { leftByTemplate, readFromTemplate } from './read-field.ts'
import { fieldType } from './types/field-types.ts'
import type { MappingListener, MappingScope } from './types/parameter.ts'

/** Tells of a dynamic template that can make no field of any kind of value it is for. Its field's name may be a part of it: then nobody knows. */
export function hearTemplate(template: DynamicTemplate, scope: MappingScope, heard: MappingListener): void {
  if (writeBigJson(template.mapping).includes('{name}')) return
  const { matchMappingType: only } = template
  const kinds = only === undefined ? (Object.keys(DEFAULT_TYPES) as MatchMappingType[]) : [only]
  let reason = ''
  for (const kind of kinds) {
    const fault = faultFor(template, kind, scope)
    if (fault === undefined) return
    reason = fault
  }
  heard.uselessTemplate(template.name, renderDynamicTemplate(template)[template.name], reason)
}

/** What is wrong with a template for a kind of value. */
function faultFor(template: DynamicTemplate, kind: MatchMappingType, scope: MappingScope): string | undefined {
  const name = `__dynamic__${template.name}`
  const mapping = templateMapping(template, name, kind)
  const type = javaText(mapping['type'] ?? DEFAULT_TYPES[kind])
  if (type === 'alias') return undefined
  if (type !== 'object' && type !== 'nested' && fieldType(type, scope.engineVersion) === undefined)
    return `No mapper found for type [${type}]`
  const { heard: _, ...silent } = scope
  const fault = faultOf(() => readFromTemplate(name, mapping, DEFAULT_TYPES[kind], silent))
  if (fault !== undefined) return fault.reason
  const left = leftByTemplate(mapping, type, scope)
  return Object.keys(left).length === 0 ? undefined : `Unused mapping attributes [${javaText(left)}]`
}
