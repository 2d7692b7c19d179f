import { openMapping } from '../../engine/indices/open-mapping.ts'
import type { MappingListener } from '../../engine/mapping/types/parameter.ts'
import { checkSortSettings } from '../../engine/metadata/check-sort-settings.ts'
import type { TemplateContents } from '../../engine/metadata/composable-templates.ts'
import { flattenIndexSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { inField } from '../../parse-fault.ts'
import { exactDocument } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { noteSettings } from '../deprecation/index-deprecations.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { type MemberKind, parseMembers } from '../query-dsl/object-parser.ts'
import { type EndpointRequest, parserObject } from '../rest-request.ts'
import { readAliases, renderAliases } from './alias-body.ts'

/** What a component template's body and an index template's have in common. */
const COMMON_MEMBERS = { template: 'object', version: 'long', _meta: 'object' } as const

/**
 * Reads the body of a component template or of an index template, and what it gives.
 *
 * @param parser    the real server's name of its parser
 * @param members   those it has of its own
 * @param required  those it cannot do without
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readTemplateBody(
  request: EndpointRequest,
  parser: string,
  members: Readonly<Record<string, MemberKind>>,
  required: string,
): { readonly read: Readonly<Record<string, unknown>>; readonly contents: Partial<TemplateContents> | undefined } {
  const body = parserObject(request, parser)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body is required')
  const read = parseMembers(parser, body, { ...COMMON_MEMBERS, ...members }, [required])
  const { template } = read
  const contents = template === undefined ? undefined : inField(parser, 'template', () => readContents(template))
  noteSettings(contents?.settings ?? {}, request.warnings)
  return { read, contents }
}

const CONTENTS = { settings: 'object', mappings: 'object', aliases: 'object' } as const

function readContents(template: unknown): Partial<TemplateContents> {
  const { settings, mappings, aliases } = parseMembers('template', template, CONTENTS, []) as {
    readonly [name: string]: { readonly [name: string]: JsonValue } | undefined
  }
  return {
    ...(settings === undefined ? {} : { settings: flattenIndexSettings(exactDocument(settings)) }),
    ...(mappings === undefined ? {} : { mapping: mappings }),
    ...(aliases === undefined ? {} : { aliases: readAliases(aliases) }),
  }
}

/** Checks the names of aliases. @throws {ServiceError} invalid_alias_name_exception */
export function checkAliasNames({ aliases = {} }: Partial<TemplateContents>, { engine }: RestContext): void {
  for (const [alias, { indexRouting }] of Object.entries(aliases))
    validateAlias(alias, indexRouting, undefined, engine.version)
}

/** The mapping an index made of contents would have. @throws {ServiceError} for settings and mappings that cannot be */
export function mappingOf(
  { settings = {}, mapping }: Partial<TemplateContents>,
  { dataDir, engine }: RestContext,
  heard?: MappingListener,
): TemplateContents['mapping'] | undefined {
  checkSortSettings(settings)
  // Under its type, so that a type's name in it is taken for a member.
  const mappings = mapping === undefined ? {} : { _doc: { _doc: mapping } }
  return openMapping({ settings, mappings }, { dataDir, engineVersion: engine.version, heard }).mapping('_doc')
}

/** `template` of an answer. */
export function renderContents({ settings, mapping, aliases }: Partial<TemplateContents>): Json {
  return {
    ...(settings === undefined ? {} : { settings: nestSettings(settings) as Json }),
    ...(mapping === undefined ? {} : { mappings: mapping as Json }),
    ...(aliases === undefined ? {} : { aliases: renderAliases(aliases) }),
  }
}

/** Templates that a request's path names: by one name or pattern, or all of them. */
export function namedBy<T extends { readonly name: string }>(
  expression: string | undefined,
  templates: ReadonlyMap<string, T>,
): T[] {
  return [...templates.values()].filter(({ name }) => matchWildcard(expression ?? '*', name))
}
