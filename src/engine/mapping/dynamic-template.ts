import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { failedJsonCast, javaText } from './java-text.ts'
import { illegalArgument, mapperParsing } from './mapping-errors.ts'

/** Kinds of JSON values a template can ask for. */
export type MatchMappingType = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

const TYPES: readonly string[] = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary']

/** Field types that stand for each kind where a mapping says `{dynamic_type}` or names none. */
const DEFAULT_TYPES: Readonly<Record<MatchMappingType, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
}

/** A rule for new fields. */
export interface DynamicTemplate {
  readonly name: string
  readonly match: string | undefined
  readonly pathMatch: string | undefined
  readonly unmatch: string | undefined
  readonly pathUnmatch: string | undefined
  /** Undefined: any. */
  readonly matchMappingType: MatchMappingType | undefined
  /** `*` was given rather than nothing; only shown. */
  readonly anyMappingType: boolean
  readonly regex: boolean
  /** With the keys sorted, as the real server keeps it. */
  readonly mapping: Readonly<Record<string, unknown>>
}

/**
 * Reads one element of `dynamic_templates`.
 *
 * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception, class_cast_exception
 */
export function readDynamicTemplate(json: unknown): DynamicTemplate {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw failedJsonCast(json, 'java.util.Map')
  const entries = Object.entries(json)
  const [entry] = entries
  if (entry === undefined || entries.length > 1) throw mapperParsing('A dynamic template must be defined with a name')
  const [name, body] = entry
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw failedJsonCast(body, 'java.util.Map')
  return readBody(name, body as Record<string, unknown>)
}

function readBody(name: string, body: Record<string, unknown>): DynamicTemplate {
  const given: Record<string, string> = {}
  let mapping: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(body)) {
    if (key === 'mapping') {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw failedJsonCast(value, 'java.util.Map')
      mapping = value as Record<string, unknown>
    } else if (
      ['match', 'path_match', 'unmatch', 'path_unmatch', 'match_mapping_type', 'match_pattern'].includes(key)
    ) {
      given[key] = javaText(value)
    } else throw illegalArgument(`Illegal dynamic template parameter: [${key}]`)
  }
  const type = given['match_mapping_type']
  if (given['match'] === undefined && given['path_match'] === undefined && type === undefined) {
    throw mapperParsing(`template must have match, path_match or match_mapping_type set ${javaText(body)}`)
  }
  if (mapping === undefined) throw mapperParsing('template must have mapping set')
  if (type !== undefined && type !== '*' && !TYPES.includes(type)) {
    throw illegalArgument(`No field type matched on [${type}], possible values are [${TYPES.join(', ')}]`)
  }
  const pattern = given['match_pattern'] ?? 'simple'
  if (pattern !== 'simple' && pattern !== 'regex') throw illegalArgument(`No matching pattern matched on [${pattern}]`)
  const template: DynamicTemplate = {
    name,
    match: given['match'],
    pathMatch: given['path_match'],
    unmatch: given['unmatch'],
    pathUnmatch: given['path_unmatch'],
    matchMappingType: type === undefined || type === '*' ? undefined : (type as MatchMappingType),
    anyMappingType: type === '*',
    regex: pattern === 'regex',
    mapping: Object.fromEntries(Object.entries(mapping).sort(([left], [right]) => (left < right ? -1 : 1))),
  }
  if (template.regex) checkRegexes(template)
  return template
}

function checkRegexes({ name, match, unmatch, pathMatch, pathUnmatch }: DynamicTemplate): void {
  for (const pattern of [match, unmatch, pathMatch, pathUnmatch]) {
    if (pattern === undefined) continue
    try {
      new RegExp(pattern, 'u')
    } catch (error) {
      throw illegalArgument(
        `Pattern [${pattern}] of type [regex] is invalid. Cannot create dynamic template [${name}].`,
        new ServiceError('pattern_syntax_exception', (error as Error).message),
      )
    }
  }
}

/** True when a template is for a new field. */
export function templateMatches(
  template: DynamicTemplate,
  path: string,
  name: string,
  type: MatchMappingType,
): boolean {
  const matches = (pattern: string, text: string): boolean =>
    template.regex ? new RegExp(`^(?:${pattern})$`, 'u').test(text) : matchWildcard(pattern, text)
  if (template.pathMatch !== undefined && !matches(template.pathMatch, path)) return false
  if (template.match !== undefined && !matches(template.match, name)) return false
  if (template.pathUnmatch !== undefined && matches(template.pathUnmatch, path)) return false
  if (template.unmatch !== undefined && matches(template.unmatch, name)) return false
  return template.matchMappingType === undefined || template.matchMappingType === type
}

/** The mapping that a template gives a field, `{name}` and `{dynamic_type}` filled in. */
export function templateMapping(
  template: DynamicTemplate,
  name: string,
  type: MatchMappingType,
): Record<string, unknown> {
  const dynamicType = DEFAULT_TYPES[type]
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value
        .replaceAll('{name}', name)
        .replaceAll('{dynamic_type}', dynamicType)
        .replaceAll('{dynamicType}', dynamicType)
    }
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [fill(key) as string, fill(member)]))
  }
  const mapping = fill(template.mapping) as Record<string, unknown>
  return 'type' in mapping ? mapping : { type: dynamicType, ...mapping }
}

/** A template as `GET _mapping` shows it. */
export function renderDynamicTemplate(template: DynamicTemplate): Record<string, unknown> {
  const isAny = template.anyMappingType && template.match === undefined && template.pathMatch === undefined
  const type = template.matchMappingType ?? (isAny ? '*' : undefined)
  return {
    [template.name]: {
      ...(template.match === undefined ? {} : { match: template.match }),
      ...(template.pathMatch === undefined ? {} : { path_match: template.pathMatch }),
      ...(template.unmatch === undefined ? {} : { unmatch: template.unmatch }),
      ...(template.pathUnmatch === undefined ? {} : { path_unmatch: template.pathUnmatch }),
      ...(type === undefined ? {} : { match_mapping_type: type }),
      ...(template.regex ? { match_pattern: 'regex' } : {}),
      mapping: template.mapping,
    },
  }
}
