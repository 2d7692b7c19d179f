import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { JavaPattern } from '../analysis/java-pattern.ts'
import { failedJsonCast, javaText } from './java-text.ts'
import { mapperParsing } from './mapping-errors.ts'

/** Kinds of JSON values a template can ask for. */
export type MatchMappingType = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

const TYPES: readonly string[] = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary']

/** Field types that stand for each kind where a mapping says `{dynamic_type}` or names none. */
export const DEFAULT_TYPES: Readonly<Record<MatchMappingType, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
}

/** What a name or path is to look like. */
interface NamePattern {
  readonly text: string
  /** @throws {ServiceError} illegal_argument_exception for a regular expression that takes too long */
  readonly matches: (name: string) => boolean
}

/** A rule for new fields. */
export interface DynamicTemplate {
  readonly name: string
  readonly match: NamePattern | undefined
  readonly pathMatch: NamePattern | undefined
  readonly unmatch: NamePattern | undefined
  readonly pathUnmatch: NamePattern | undefined
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
  const regex = pattern === 'regex'
  const namePattern = (key: string): NamePattern | undefined => {
    const text = given[key]
    return text === undefined ? undefined : { text, matches: regex ? regexTest(text, name) : wildcardTest(text) }
  }
  return {
    name,
    match: namePattern('match'),
    unmatch: namePattern('unmatch'),
    pathMatch: namePattern('path_match'),
    pathUnmatch: namePattern('path_unmatch'),
    matchMappingType: type === undefined || type === '*' ? undefined : (type as MatchMappingType),
    anyMappingType: type === '*',
    regex,
    mapping: Object.fromEntries(Object.entries(mapping).sort(([left], [right]) => (left < right ? -1 : 1))),
  }
}

const wildcardTest =
  (pattern: string) =>
  (name: string): boolean =>
    matchWildcard(pattern, name)

function regexTest(pattern: string, template: string): (name: string) => boolean {
  try {
    const compiled = new JavaPattern(pattern)
    return (name) => compiled.wholeMatch(name) !== undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw illegalArgument(
      `Pattern [${pattern}] of type [regex] is invalid. Cannot create dynamic template [${template}].`,
      error,
    )
  }
}

/** True when a template is for a new field. */
export function templateMatches(
  template: DynamicTemplate,
  path: string,
  name: string,
  type: MatchMappingType,
): boolean {
  if (template.matchMappingType !== undefined && template.matchMappingType !== type) return false
  if (template.pathMatch?.matches(path) === false || template.match?.matches(name) === false) return false
  return template.pathUnmatch?.matches(path) !== true && template.unmatch?.matches(name) !== true
}

/** The mapping that a template gives a field, `{name}` and `{dynamic_type}` filled in; without a type where it names none. */
export function templateMapping(
  template: DynamicTemplate,
  name: string,
  type: MatchMappingType,
): Readonly<Record<string, unknown>> {
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
  return fill(template.mapping) as Record<string, unknown>
}

/** A template as `GET _mapping` shows it. */
export function renderDynamicTemplate(template: DynamicTemplate): Record<string, unknown> {
  const isAny = template.anyMappingType && template.match === undefined && template.pathMatch === undefined
  const type = template.matchMappingType ?? (isAny ? '*' : undefined)
  return {
    [template.name]: {
      ...(template.match === undefined ? {} : { match: template.match.text }),
      ...(template.pathMatch === undefined ? {} : { path_match: template.pathMatch.text }),
      ...(template.unmatch === undefined ? {} : { unmatch: template.unmatch.text }),
      ...(template.pathUnmatch === undefined ? {} : { path_unmatch: template.pathUnmatch.text }),
      ...(type === undefined ? {} : { match_mapping_type: type }),
      ...(template.regex ? { match_pattern: 'regex' } : {}),
      mapping: template.mapping,
    },
  }
}
