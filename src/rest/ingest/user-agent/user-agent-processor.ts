import { inJavaHashOrder } from '../../../engine/java/java-hash-order.ts'
import type { ValueMap } from '../ingest-document.ts'
import type { ProcessorFactory } from '../processor.ts'
import { type UserAgent, userAgentParser, type VersionedName } from './user-agent-parser.ts'

/** Properties in the order in which faults list them. */
const PROPERTIES = [
  'NAME',
  'MAJOR',
  'MINOR',
  'PATCH',
  'OS',
  'OS_NAME',
  'OS_MAJOR',
  'OS_MINOR',
  'DEVICE',
  'BUILD',
  'ORIGINAL',
  'VERSION',
]
const DEPRECATED: ReadonlySet<string> = new Set(['MAJOR', 'MINOR', 'PATCH', 'OS_NAME', 'OS_MAJOR', 'OS_MINOR', 'BUILD'])

/**
 * `user_agent`: what a client says of itself, taken apart.
 *
 * As members of its own (`ecs: false`, what 6.8 does unasked) or in the form of the Elastic Common Schema (later versions).
 */
export const userAgent: ProcessorFactory = (config, context) => {
  const field = config.text('field')
  const target = config.text('target_field', 'user_agent')
  const regexFile = config.text('regex_file', '_default_')
  const names = config.optionalList('properties')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const isCommonSchema = config.boolean('ecs', context.engineVersion !== 'Elasticsearch_6.8')
  if (regexFile !== '_default_')
    throw config.fault('regex_file', `regex file [${regexFile}] doesn't exist (has to exist at node startup)`)
  const properties =
    names?.map((name) => {
      const property = config.property(name, PROPERTIES, 'propertyName')
      if (DEPRECATED.has(property)) context.deprecated('user_agent_property', name as string)
      return property
    }) ?? PROPERTIES
  if (!isCommonSchema) context.deprecated('user_agent_format')
  const parser = userAgentParser(context.engineVersion)
  return (document) => {
    const text = document.textToUse(field, ignoreMissing, 'parse user-agent')
    if (text === undefined) return
    const found = parser.parse(text)
    const members = isCommonSchema ? commonSchema(found, text) : ownForm(found)
    const wanted = Object.keys(members).filter((name) => properties.includes(name.toUpperCase()))
    document.set(target, Object.fromEntries(inJavaHashOrder(wanted).map((name) => [name, members[name] ?? null])))
    return undefined
  }
}

function commonSchema({ browser, system, device }: UserAgent, original: string): ValueMap {
  const version = versionOf(browser)
  const systemVersion = versionOf(system)
  return {
    name: browser?.name ?? 'Other',
    original,
    ...(version === undefined ? {} : { version }),
    ...(system === undefined
      ? {}
      : {
          os: {
            name: system.name,
            ...(systemVersion === undefined ? {} : { version: systemVersion, full: `${system.name} ${systemVersion}` }),
          },
        }),
    device: { name: device?.name ?? 'Other' },
  }
}

function ownForm({ browser, system, device }: UserAgent): ValueMap {
  const version = versionOf(system)
  const { name: _name, ...parts } = browser ?? { name: '' }
  return {
    name: browser?.name ?? 'Other',
    ...parts,
    os: system === undefined ? 'Other' : version === undefined ? system.name : `${system.name} ${version}`,
    os_name: system?.name ?? 'Other',
    ...(system?.major === undefined ? {} : { os_major: system.major }),
    ...(system?.minor === undefined ? {} : { os_minor: system.minor }),
    device: device?.name ?? 'Other',
  }
}

/** `1.2.3`, as far as its parts are known without a gap. */
function versionOf(found: VersionedName | undefined): string | undefined {
  const parts = [found?.major, found?.minor, found?.patch, found?.build]
  const known = parts.slice(0, [...parts, undefined].indexOf(undefined))
  return known.length === 0 ? undefined : known.join('.')
}
