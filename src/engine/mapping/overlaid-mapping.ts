import type { FieldMapping } from './field-mapping.ts'
import type { IndexMapping } from './index-mapping.ts'
import type { MappingSettings } from './types/parameter.ts'

/** A mapping that is another one but for some of its fields. */
export class OverlaidMapping implements IndexMapping {
  readonly #base: IndexMapping
  readonly #field: (path: string) => FieldMapping | undefined
  readonly #matching: (pattern: string) => readonly string[]

  /**
   * @param field     finds fields, in place of the other mapping
   * @param matching  paths of further fields that a pattern with `*` stands for
   */
  constructor(
    base: IndexMapping,
    field: (path: string) => FieldMapping | undefined,
    matching: (pattern: string) => readonly string[] = () => [],
  ) {
    this.#base = base
    this.#field = field
    this.#matching = matching
  }

  field(path: string): FieldMapping | undefined {
    return this.#field(path)
  }

  matchFields(pattern: string): readonly string[] {
    if (!pattern.includes('*')) return this.field(pattern) === undefined ? [] : [pattern]
    return [...this.#base.matchFields(pattern), ...this.#matching(pattern)]
  }

  get analyzers(): IndexMapping['analyzers'] {
    return this.#base.analyzers
  }
  get types(): IndexMapping['types'] {
    return this.#base.types
  }
  get join(): IndexMapping['join'] {
    return this.#base.join
  }
  get hasDerived(): boolean {
    return true
  }
  get allowsDerived(): boolean {
    return this.#base.allowsDerived
  }
  get mapsUnmappedAsText(): boolean {
    return this.#base.mapsUnmappedAsText
  }
  get defaultFields(): IndexMapping['defaultFields'] {
    return this.#base.defaultFields
  }
  get engineVersion(): IndexMapping['engineVersion'] {
    return this.#base.engineVersion
  }
  get ignoresMalformed(): boolean {
    return this.#base.ignoresMalformed
  }
  get keepsFieldNames(): boolean {
    return this.#base.keepsFieldNames
  }
  get sourceEnabled(): IndexMapping['sourceEnabled'] {
    return this.#base.sourceEnabled
  }

  mapping(type: string): ReturnType<IndexMapping['mapping']> {
    return this.#base.mapping(type)
  }

  derivedFields(definitions: Parameters<IndexMapping['derivedFields']>[0]): ReadonlyMap<string, FieldMapping> {
    return this.#base.derivedFields(definitions)
  }

  derivedMember(object: FieldMapping, part: string, type: string): FieldMapping {
    return this.#base.derivedMember(object, part, type)
  }

  isObject(path: string): boolean {
    return this.#base.isObject(path)
  }

  isNested(path: string): boolean {
    return this.#base.isNested(path)
  }

  sourceFilter(type: string): ReturnType<IndexMapping['sourceFilter']> {
    return this.#base.sourceFilter(type)
  }

  withSettings(settings: MappingSettings): IndexMapping {
    return this.#base.withSettings(settings)
  }

  routingRequired(type: string): boolean {
    return this.#base.routingRequired(type)
  }

  merge(...mapping: Parameters<IndexMapping['merge']>): IndexMapping {
    return this.#base.merge(...mapping)
  }

  parse(...document: Parameters<IndexMapping['parse']>): ReturnType<IndexMapping['parse']> {
    return this.#base.parse(...document)
  }
}
