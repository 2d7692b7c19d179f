import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EngineVersion } from '../engine-version.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import {
  checkCopiesApart,
  checkFieldCount,
  checkLimits,
  checkMapping,
  checkPlaces,
  mappingLimit,
} from './check-mapping.ts'
import { checkTypesAgree } from './check-types-agree.ts'
import { checkTimestamp, TimestampCount } from './data-stream-timestamp.ts'
import { DynamicFields } from './dynamic-fields.ts'
import type { FieldMapping, KeywordField } from './field-mapping.ts'
import { IGNORED_FIELD } from './ignored-field.ts'
import type { IndexMapping } from './index-mapping.ts'
import { IndexingFault } from './indexing-fault.ts'
import { hasUnusualNumbers, mayHaveExponents, parseLosslessJson, withBigInts } from './lossless-json.ts'
import type { Definition, LeafDefinition, ObjectDefinition, RootDefinition } from './mapping-definition.ts'
import { buildObject, type LeafNode, type MappingNode, type ObjectNode } from './mapping-tree.ts'
import { DEFAULT_TYPE, mergeDefaults } from './merge-defaults.ts'
import { mergeRoot } from './merge-mapping.ts'
import { DocumentParser, type ParseScope } from './parse-document.ts'
import type { MappingUpdate, ParsedDocument, ParsedLuceneDocument } from './parsed-document.ts'
import { readDerived } from './read-field.ts'
import { emptyRoot, readMapping } from './read-mapping.ts'
import { withoutRedundantIncludes } from './redundant-includes.ts'
import { renderMapping } from './render-mapping.ts'
import { ROUTING_FIELD } from './routing-field.ts'
import { SourceScanner } from './scan-source.ts'
import { tellTextPlace } from './tell-text-place.ts'
import { derivedField, derivedOf } from './types/derived-field-type.ts'
import { flatPart, flatRoot } from './types/flat-object-path.ts'
import type { JoinField } from './types/join-field.ts'
import { InexactNumber } from './types/number-value.ts'
import type { MappingListener, MappingScope, MappingSettings } from './types/parameter.ts'
import type { ValueSink } from './value-sink.ts'

type Json = Readonly<Record<string, unknown>>

/** One type: its mapping as defined and the tree its documents are parsed with. */
class MappedType {
  readonly definition: RootDefinition
  readonly tree: ObjectNode
  readonly #scope: MappingScope
  #rendered: Json | undefined

  /** @param before  the type as it was */
  constructor(definition: RootDefinition, scope: MappingScope, before: MappedType | undefined) {
    this.definition = definition
    this.#scope = scope
    const known = before !== undefined && before.#scope === scope ? before.tree : undefined
    this.tree = buildObject(definition.root, '', { dynamic: 'true', nestedPath: undefined }, scope, known)
  }

  /** Made when it is asked for: one mapping after the other may come of the documents of a request. */
  get rendered(): Json {
    this.#rendered ??= renderMapping(this.definition, this.#scope.engineVersion)
    return this.#rendered
  }
}

/** Metadata that is indexed as fields are. */
const METADATA_WITH_TERMS: ReadonlyMap<string, FieldMapping> = new Map(
  [IGNORED_FIELD, ROUTING_FIELD].map((field) => [field.path, field]),
)

/** The mappings of an index over types that share their fields. A value: merging makes a new one. */
export class TypedIndexMapping implements IndexMapping {
  readonly types: readonly string[]
  readonly #scope: MappingScope
  readonly #indexName: string
  readonly #types: ReadonlyMap<string, MappedType>
  /** `_default_`'s. */
  readonly #defaults: Json | undefined
  readonly #fields = new Map<string, FieldMapping>()
  readonly #flatObjects = new Map<string, KeywordField>()
  readonly #aliases = new Map<string, string>()
  readonly #objects = new Map<string, ObjectNode>()
  readonly #scanners = new Map<string, SourceScanner>()
  #join: JoinField | undefined
  #ignoresMalformed = false
  #hasDerived = false

  constructor(scope: MappingScope, indexName: string, types: ReadonlyMap<string, MappedType>, defaults?: Json) {
    this.#scope = scope
    this.#indexName = indexName
    this.#types = types
    this.#defaults = defaults
    this.types = [...types.keys()]
    for (const { tree } of types.values()) this.#collect(tree)
  }

  /** An index without mappings. */
  static empty(scope: MappingScope, indexName: string): TypedIndexMapping {
    return new TypedIndexMapping(scope, indexName, new Map())
  }

  get analyzers() {
    return this.#scope.analyzers
  }

  get join(): JoinField | undefined {
    return this.#join
  }

  get defaultFields(): readonly string[] {
    const named = this.#scope.settings['index.query.default_field'] ?? '*'
    return typeof named === 'string' ? named.split(',') : named
  }

  withSettings(settings: MappingSettings): TypedIndexMapping {
    return new TypedIndexMapping({ ...this.#scope, settings }, this.#indexName, this.#types, this.#defaults)
  }

  get ignoresMalformed(): boolean {
    return this.#ignoresMalformed
  }

  get hasDerived(): boolean {
    return this.#hasDerived
  }

  get allowsDerived(): boolean {
    return this.#scope.settings['index.query.derived_field.enabled'] !== 'false'
  }

  get mapsUnmappedAsText(): boolean {
    const { settings, engineVersion } = this.#scope
    return (
      settings['index.percolator.map_unmapped_fields_as_text'] === 'true' ||
      (engineVersion === 'Elasticsearch_6.8' && settings['index.percolator.map_unmapped_fields_as_string'] === 'true')
    )
  }

  derivedFields(definitions: Json): ReadonlyMap<string, FieldMapping> {
    // Below an object the real server does not find them.
    const own = Object.fromEntries(Object.entries(definitions).filter(([path]) => !path.includes('.')))
    const read = readDerived(own, '', this.#scope) ?? new Map<string, Definition>()
    return new Map(
      [...read].map(([path, definition]) => {
        const derived = { ...derivedOf(definition as LeafDefinition), isOfSearch: true } as const
        return [path, derivedField(path, derived, this.#scope)]
      }),
    )
  }

  derivedMember({ path, derived }: FieldMapping, part: string, type: string): FieldMapping {
    if (derived === undefined) throw new Error(`${path} is not derived`)
    return derivedField(`${path}.${part}`, { ...derived, type, part, isOfSearch: true }, this.#scope)
  }

  mapping(type: string): Json | undefined {
    return type === DEFAULT_TYPE ? this.#defaults : this.#types.get(type)?.rendered
  }

  field(path: string): FieldMapping | undefined {
    const field = this.#fields.get(path) ?? this.#fields.get(this.#aliases.get(path) ?? '')
    if (field?.kind === 'keyword' && field.typeName === 'flat_object') return flatRoot(field)
    return field ?? this.#flatPart(path) ?? METADATA_WITH_TERMS.get(path)
  }

  /** What stands for a path in a flat object: any is there. */
  #flatPart(path: string): FieldMapping | undefined {
    if (this.#flatObjects.size === 0) return undefined
    const own = this.#aliases.get(path) ?? path
    for (let end = own.lastIndexOf('.'); end > 0; end = own.lastIndexOf('.', end - 1)) {
      const parent = own.slice(0, end)
      const object = this.#flatObjects.get(this.#aliases.get(parent) ?? parent)
      if (object !== undefined) return flatPart(object, `${object.path}${own.slice(end)}`)
    }
    return undefined
  }

  matchFields(pattern: string): readonly string[] {
    if (!pattern.includes('*')) return this.field(pattern) === undefined ? [] : [pattern]
    const shown = [...this.#fields].flatMap(([path, field]) => (isHidden(field) ? [] : [path]))
    // The real server lists a flat object's part without a name, too.
    const parts = [...this.#flatObjects.keys()].map((path) => `${path}.`)
    return [...shown, ...parts, ...this.#aliases.keys()].filter((path) => matchWildcard(pattern, path))
  }

  isObject(path: string): boolean {
    return this.#objects.has(path)
  }

  isNested(path: string): boolean {
    return this.#objects.get(path)?.isNested === true
  }

  readonly sourceEnabled = (type: string): boolean => this.#types.get(type)?.definition.source?.enabled !== false

  get keepsFieldNames(): boolean {
    return [...this.#types.values()].some(({ definition }) => definition.fieldNamesEnabled !== false)
  }

  get engineVersion(): EngineVersion {
    return this.#scope.engineVersion
  }

  sourceFilter(
    type: string,
  ): { readonly includes: readonly string[]; readonly excludes: readonly string[] } | undefined {
    const source = this.#types.get(type)?.definition.source
    return source === undefined || (source.includes.length === 0 && source.excludes.length === 0) ? undefined : source
  }

  routingRequired(type: string): boolean {
    const mapped = this.#types.get(type)
    // What `_default_` asks holds for a type's first document.
    return mapped === undefined ? requiresRouting(this.#defaults) : mapped.definition.routingRequired === true
  }

  merge(type: string, mapping: Json, heard?: MappingListener): TypedIndexMapping {
    const begins = type !== DEFAULT_TYPE && this.#defaults !== undefined && !this.#types.has(type)
    const whole = begins ? mergeDefaults(mapping, this.#defaults as Json) : mapping
    checkFieldCount(whole[type] ?? whole, this.#scope, this.#indexName)
    return this.mergeDefinition(
      type,
      readMapping(type, whole, heard === undefined ? this.#scope : { ...this.#scope, heard }),
    )
  }

  /**
   * Merges a mapping that has been read, and completed.
   *
   * @param isStored  of an index that is there already: no limit is checked
   * @param isNew     of an index that is being made
   * @throws {ServiceError} illegal_argument_exception
   */
  mergeDefinition(type: string, update: RootDefinition, isStored = false, isNew = false): TypedIndexMapping {
    if (type === DEFAULT_TYPE) return this.#withDefaults(renderMapping(update, this.#scope.engineVersion))
    const current = this.#types.get(type)
    if (current === undefined) this.#checkSingleType(type)
    const added = this.#asKept(update)
    const definition =
      current === undefined ? added : this.#asKept(mergeRoot(current.definition, added, this.#scope, type))
    const others = [...this.#types].filter(([name]) => name !== type)
    for (const [, other] of others) {
      checkTypesAgree(other.definition.root, definition.root, type, this.#scope.engineVersion)
    }
    const types = new Map(this.#types)
    const mapped = new MappedType(definition, this.#scope, current)
    types.set(type, mapped)
    const merged = new TypedIndexMapping(this.#scope, this.#indexName, types, this.#defaults)
    const whole = {
      scope: this.#scope,
      indexName: this.#indexName,
      type,
      isUpdate: !isNew,
      root: mapped.tree,
      fields: merged.#fields,
      aliases: merged.#aliases,
      objects: merged.#objects,
    }
    checkMapping(whole)
    if (isStored) return merged
    checkCopiesApart(whole, this.#fields)
    checkPlaces(whole, this.#fields)
    checkLimits(whole)
    return merged
  }

  #asKept(definition: RootDefinition): RootDefinition {
    if (this.#scope.engineVersion !== 'Elasticsearch_6.8') return definition
    const root = withoutRedundantIncludes(definition.root)
    return root === definition.root ? definition : { ...definition, root }
  }

  /** Types that are there already stay as they are. */
  #withDefaults(defaults: Json): TypedIndexMapping {
    if (this.#scope.engineVersion === 'Elasticsearch_6.8')
      return new TypedIndexMapping(this.#scope, this.#indexName, this.#types, defaults)
    throw illegalArgument(
      `[${DEFAULT_TYPE}] mappings are not allowed on new indices and should no longer be used. See [https://www.elastic.co/guide/en/elasticsearch/reference/current/breaking-changes-7.0.html#default-mapping-not-allowed] for more information.`,
    )
  }

  /** 7.x has one type an index; of 6.8 only the restriction is kept, for those who ask for it. */
  #checkSingleType(type: string): void {
    const isAsked = this.#scope.settings['index.mapping.single_type'] === 'true'
    if (this.#types.size === 0 || (this.#scope.engineVersion === 'Elasticsearch_6.8' && !isAsked)) return
    const named = [...this.#types.keys(), type]
    const types = this.#scope.engineVersion === 'Elasticsearch_6.8' ? inJavaHashOrder(named) : named
    throw illegalArgument(
      `Rejecting mapping update to [${this.#indexName}] as the final mapping would have more than 1 type: [${types.join(', ')}]`,
    )
  }

  parse(
    type: string,
    id: string,
    source: Json,
    raw?: string | Uint8Array,
    routing?: string,
    isStored = false,
  ): ParsedDocument {
    if (!this.#types.has(type)) {
      if (type === DEFAULT_TYPE)
        throw illegalArgument(`It is forbidden to index into the default mapping [${DEFAULT_TYPE}]`)
      const mapping = this.merge(type, {})
      const parsed = mapping.parse(type, id, source, raw, routing, isStored)
      return { ...parsed, mappingUpdate: parsed.mappingUpdate ?? { type, mapping: {} } }
    }
    let document: unknown = source
    let lossless = false
    let mapping: TypedIndexMapping = this
    let update: ObjectDefinition | undefined
    let fault: ServiceError | undefined
    const brought = (): MappingUpdate | undefined => {
      if (update === undefined) return undefined
      return { type, mapping: renderMapping({ ...emptyRoot(), root: update }, this.#scope.engineVersion) }
    }
    const bring = (found: ObjectDefinition): void => {
      update =
        update === undefined
          ? found
          : mergeRoot({ ...emptyRoot(), root: update }, { ...emptyRoot(), root: found }, this.#scope, type).root
    }
    // A round ends with fields that are new, or with numbers to be read again; each of them happens a few times at most.
    for (;;) {
      const dynamic = mapping.#dynamicFields(type)
      let documents: ParsedLuceneDocument[]
      try {
        documents = mapping.#parser({ type, id, routing, isStored }, dynamic, lossless, raw).parse(document as Json)
      } catch (error) {
        if (dynamic.overflow !== undefined) throw dynamic.overflow
        if (error instanceof ServiceError && fault === undefined) {
          // Values of new fields are parsed once these are known: what is wrong with one that came before is told first.
          const known = mapping.#withNew(type, dynamic)
          if (known !== undefined) {
            mapping = known
            fault = error
            if (dynamic.update !== undefined) bring(dynamic.update)
            continue
          }
        }
        if (error instanceof IndexingFault) error.mappingUpdate = brought()
        if (error instanceof ServiceError && raw !== undefined) throw tellTextPlace(error, raw, document)
        if (!(error instanceof InexactNumber) || lossless) throw error
        document = raw === undefined ? withBigInts(source) : parseLosslessJson(text(raw))
        lossless = true
        continue
      }
      if (fault !== undefined) throw fault
      if (dynamic.conflict !== undefined) {
        // What is asked for in two ways is found out last: values that other new fields cannot take are told before it.
        const known =
          this.#scope.engineVersion === 'Elasticsearch_6.8' ? undefined : mapping.#with(type, dynamic.undisputed)
        if (known === undefined) throw dynamic.conflict
        mapping = known
        fault = dynamic.conflict
        continue
      }
      const found = dynamic.update
      if (found === undefined) {
        const { timestamp } = (mapping.#types.get(type) as MappedType).definition
        if (timestamp !== undefined) checkTimestamp(timestamp, documents.at(-1) as ParsedLuceneDocument)
        return { documents, mappingUpdate: brought() }
      }
      mapping = mapping.mergeDefinition(type, { ...emptyRoot(), root: found })
      bring(found)
    }
  }

  /** With the fields that part of a document brings; undefined where it brings none, or none that can be. */
  #withNew(type: string, dynamic: DynamicFields): TypedIndexMapping | undefined {
    return this.#with(type, dynamic.conflict === undefined ? dynamic.update : undefined)
  }

  #with(type: string, found: ObjectDefinition | undefined): TypedIndexMapping | undefined {
    if (found === undefined) return undefined
    try {
      return this.mergeDefinition(type, { ...emptyRoot(), root: found }, true)
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  readonly scan = (type: string, source: Buffer, sink: ValueSink): boolean => {
    let scanner = this.#scanners.get(type)
    if (scanner === undefined) {
      const tree = this.#types.get(type)?.tree
      if (tree === undefined) return false
      scanner = new SourceScanner(tree)
      this.#scanners.set(type, scanner)
    }
    const timestamp = this.#types.get(type)?.definition.timestamp
    if (!timestamp?.enabled) return scanner.scan(source, sink)
    const counted = new TimestampCount(timestamp, sink)
    return scanner.scan(source, counted) && counted.count === 1
  }

  #parser(
    document: Pick<ParseScope, 'type' | 'id' | 'routing' | 'isStored'>,
    dynamic: DynamicFields,
    lossless: boolean,
    raw: string | Uint8Array | undefined,
  ): DocumentParser {
    const limit = this.#scope.settings['index.mapping.depth.limit']
    let isUsual: boolean | undefined
    let hasExponents: boolean | undefined
    return new DocumentParser({
      type: document.type,
      id: document.id,
      routing: document.routing,
      isStored: document.isStored,
      engineVersion: this.#scope.engineVersion,
      root: (this.#types.get(document.type) as MappedType).tree,
      join: this.#join,
      maxDepth:
        this.#scope.engineVersion === 'OpenSearch_2.19' ? Number(typeof limit === 'string' ? limit : 20) : undefined,
      maxNestedDocuments:
        this.#scope.engineVersion === 'Elasticsearch_6.8'
          ? Number.POSITIVE_INFINITY
          : mappingLimit(this.#scope, 'nested_objects', 10_000),
      dynamic,
      lossless,
      requireUsualNumbers: () => {
        isUsual ??= raw === undefined || !hasUnusualNumbers(text(raw, 'latin1'))
        if (!isUsual) throw new InexactNumber()
      },
      requireNoExponents: () => {
        hasExponents ??= raw !== undefined && mayHaveExponents(text(raw, 'latin1'))
        if (hasExponents) throw new InexactNumber()
      },
    })
  }

  #dynamicFields(type: string): DynamicFields {
    const { definition } = this.#types.get(type) as MappedType
    const place = { type, indexName: this.#indexName }
    return new DynamicFields(definition, this.#scope, place, (path) => this.#elsewhere(type, path))
  }

  #elsewhere(type: string, path: string): Definition | undefined {
    for (const [name, { definition }] of this.#types) {
      if (name === type) continue
      let found: Definition | undefined = definition.root
      for (const part of path.split('.')) found = found?.kind === 'object' ? found.children.get(part) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  #collect(node: MappingNode): void {
    switch (node.kind) {
      case 'alias':
        this.#aliases.set(node.path, node.target)
        return
      case 'leaf':
        this.#collectLeaf(node)
        return
      case 'object':
        if (node.path !== '') this.#objects.set(node.path, node)
        for (const child of node.children.values()) this.#collect(child)
    }
  }

  #collectLeaf(node: LeafNode): void {
    this.#fields.set(node.path, node.field)
    this.#join ??= node.join
    this.#hasDerived ||= node.field.derived !== undefined
    this.#ignoresMalformed ||= node.notesIgnored
    if (node.field.kind === 'keyword' && node.field.typeName === 'flat_object') {
      this.#flatObjects.set(node.path, node.field)
      return
    }
    for (const field of node.multiFields) this.#collectLeaf(field)
  }
}

const requiresRouting = (mapping: Json | undefined): boolean =>
  (mapping?.['_routing'] as Json | undefined)?.['required'] === true

function text(raw: string | Uint8Array, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  if (typeof raw === 'string') return raw
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString(encoding)
}

/** What a completion makes for itself has the completion's own name in the real server. */
const isHidden = (field: FieldMapping): boolean => field.kind === 'text' && field.subField?.kind === 'completion'
