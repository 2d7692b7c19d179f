import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { append } from '../algorithms/long-lists.ts'
import type { EngineVersion } from '../engine-version.ts'
import { javaFloat } from '../java/java-number-text.ts'
import type { DynamicFields } from './dynamic-fields.ts'
import type { FieldMapping } from './field-mapping.ts'
import { IGNORED_FIELD } from './ignored-field.ts'
import { IndexingFault } from './indexing-fault.ts'
import { javaText } from './java-text.ts'
import { isWholeText, JsonNumber } from './lossless-json.ts'
import type { Dynamic } from './mapping-definition.ts'
import { mapperParsing } from './mapping-errors.ts'
import type { LeafNode, MappingNode, ObjectNode } from './mapping-tree.ts'
import { MemberError, UNREADABLE } from './member-error.ts'
import { isMetadataField } from './metadata-fields.ts'
import type { IndexedValue, ParsedField, ParsedLuceneDocument } from './parsed-document.ts'
import { ROUTING_FIELD } from './routing-field.ts'
import type { JoinField } from './types/join-field.ts'
import { hasNumberAsParent, joinValues } from './types/join-value.ts'
import { InexactNumber, OUT_OF_UNSIGNED } from './types/number-value.ts'
import { secondQuery } from './types/opaque-field-types.ts'

/** Objects and arrays in one another before a document is refused, where the real server would overflow its stack. */
const MAX_DEPTH = 1000

/** What a document is parsed with. */
export interface ParseScope {
  readonly engineVersion: EngineVersion
  readonly type: string
  readonly id: string
  readonly routing: string | undefined
  /** True for a document that is there already: it need not have what is asked of new ones. */
  readonly isStored: boolean
  readonly root: ObjectNode
  /** The index' join field. */
  readonly join: JoinField | undefined
  /** Objects in objects, and arrays in arrays, that OpenSearch reads; undefined: as many as can be. */
  readonly maxDepth: number | undefined
  /** Nested documents that one document may hold. */
  readonly maxNestedDocuments: number
  /** Gathers what the mapping does not know; undefined: such fields are skipped. */
  readonly dynamic: DynamicFields | undefined
  /** True when a number's digits are no longer to be asked for. */
  readonly lossless: boolean
  /** Throws {@link InexactNumber} when numbers of the document may read otherwise than their values print. */
  readonly requireUsualNumbers: () => void
  /** The same when one of them may have an exponent. */
  readonly requireNoExponents: () => void
}

/** A Lucene document in the making. */
interface DocumentBuilder {
  readonly nestedPath: string | undefined
  readonly parent: DocumentBuilder | undefined
  readonly fields: ParsedField[]
  fieldNames: Set<string> | undefined
}

/** Whether what a range is refused for is how one of its ends is written, which can be passed over; not that they make none. */
const isMalformedEnd = (error: ServiceError): boolean =>
  (error.type === 'illegal_argument_exception' || error.type === 'number_format_exception') &&
  !(error instanceof MemberError && error.member === null)

/** Types whose numbers Java reads as floats. */
const READ_AS_FLOATS: ReadonlySet<string> = new Set([
  'float',
  'half_float',
  'float_range',
  'rank_feature',
  'rank_features',
])

/** What a number is once it was read as a float: not as it was written (2.x), and, of more than 63 bits, nothing any more. */
function asFloat(shown: unknown, engineVersion: EngineVersion): unknown {
  const isWritten = shown instanceof JsonNumber
  const isWhole = isWritten ? isWholeText(shown.text) : typeof shown === 'bigint'
  if (isWhole) {
    const value = BigInt(isWritten ? shown.text : (shown as bigint))
    if (BigInt.asIntN(64, value) === value) return shown
    return engineVersion === 'OpenSearch_2.19' ? UNREADABLE : null
  }
  const value = isWritten ? shown.value : shown
  // What JavaScript prints with an exponent was written with one, too.
  const isDecimal = typeof value === 'number' && (isWritten || !Number.isInteger(value) || Math.abs(value) >= 1e21)
  return isDecimal && engineVersion === 'OpenSearch_2.19' ? javaFloat(Math.fround(value)) : shown
}

/** Takes a document apart along its mapping's tree; one parser, one document. */
export class DocumentParser {
  readonly #scope: ParseScope
  readonly #finished: DocumentBuilder[] = []
  #nestedDocuments = 0
  /** Objects around what is read, without the arrays between them. */
  #objects = 0
  #current: DocumentBuilder
  readonly #isLegacy: boolean
  #depth = 0
  /** Inside an array the real parser no longer knows the field's name. */
  #inArray = false
  /** What is wrong with the document once it is read: told where nothing else is. */
  #fault: IndexingFault | undefined
  /** Values to be made whole by the other fields of their Lucene document. */
  readonly #incomplete: {
    readonly node: LeafNode
    readonly document: DocumentBuilder
    readonly parsed: ParsedField
  }[] = []

  constructor(scope: ParseScope) {
    this.#scope = scope
    this.#isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
    this.#current = { nestedPath: undefined, parent: undefined, fields: [], fieldNames: undefined }
  }

  /**
   * Parses the document.
   *
   * @returns its Lucene documents, the root last
   * @throws {ServiceError} mapper_parsing_exception, strict_dynamic_mapping_exception
   * @throws {InexactNumber} digits are needed: parse again, losslessly read
   */
  parse(source: Readonly<Record<string, unknown>>): ParsedLuceneDocument[] {
    const root = this.#current
    try {
      if (this.#scope.root.enabled) this.#object(this.#scope.root, source)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.type === 'mapper_parsing_exception' || error.type === 'strict_dynamic_mapping_exception') throw error
      throw mapperParsing('failed to parse', error)
    }
    if (this.#fault !== undefined) throw this.#fault
    const { routing } = this.#scope
    if (routing !== undefined) root.fields.push({ field: ROUTING_FIELD, value: routing })
    this.#finished.push(root)
    this.#complete()
    return this.#finished.map(({ nestedPath, fields, fieldNames }) => ({
      nestedPath,
      fields,
      fieldNames: fieldNames === undefined ? NO_NAMES : [...fieldNames],
    }))
  }

  /** Makes values whole, wherever they were copied to. @throws {IndexingFault} */
  #complete(): void {
    // Where fields are new the document is parsed once more.
    if (this.#incomplete.length === 0 || this.#scope.dynamic?.update !== undefined) return
    for (const { node, document, parsed } of this.#incomplete) {
      const value = this.#completed(node, parsed.value, document)
      if (value === parsed.value) continue
      for (const { fields } of this.#finished) {
        const at = fields.indexOf(parsed)
        if (at >= 0) fields[at] = { field: parsed.field, value }
      }
    }
  }

  #completed(node: LeafNode, value: IndexedValue, { fields }: DocumentBuilder): IndexedValue {
    try {
      return node.complete?.(value, fields) ?? value
    } catch (error) {
      if (this.#scope.isStored && error instanceof IndexingFault) return value
      throw error
    }
  }

  #object(node: ObjectNode, source: Readonly<Record<string, unknown>>): void {
    if (++this.#depth > MAX_DEPTH) throw depthExceeded('field', MAX_DEPTH)
    const limit = this.#scope.maxDepth
    if (++this.#objects > (limit ?? MAX_DEPTH)) throw depthExceeded('field', limit ?? MAX_DEPTH, limit !== undefined)
    const { children } = node
    for (const key in source) {
      const child = children.get(key)
      if (child === undefined) this.#unresolved(node, key, source[key])
      else this.#value(child, key, source[key])
    }
    this.#objects--
    this.#depth--
  }

  #value(node: MappingNode, name: string, value: unknown): void {
    if (node.kind === 'leaf') {
      if (Array.isArray(value) && node.parseAll === undefined) this.#leafArray(node, value)
      else this.#leafAndCopies(node, value)
    } else if (node.kind === 'object') this.#objectValue(node, name, value)
    else if (!isEmptyList(value)) throw illegalArgument(`Cannot write to a field alias [${node.path}].`)
  }

  #leafArray(node: LeafNode, values: readonly unknown[]): void {
    const wasInArray = this.#inArray
    this.#inArray = true
    this.#elements(node, values)
    this.#inArray = wasInArray
  }

  /** Values of an array, arrays in it opened out, without recursion. */
  #elements(node: LeafNode, values: readonly unknown[]): void {
    let nested: { values: readonly unknown[]; at: number }[] | undefined
    for (let i = 0; ; ) {
      if (i >= values.length) {
        const outer = nested?.pop()
        if (outer === undefined) return
        values = outer.values
        i = outer.at
        continue
      }
      const value = values[i++]
      if (Array.isArray(value)) {
        nested ??= []
        nested.push({ values, at: i })
        this.#checkArrayDepth(nested.length + 1)
        values = value
        i = 0
      } else this.#leafAndCopies(node, value)
    }
  }

  #checkArrayDepth(depth: number): void {
    const limit = this.#scope.maxDepth ?? MAX_DEPTH
    if (depth > limit) throw depthExceeded('nested array field', limit, this.#scope.maxDepth !== undefined)
  }

  #objectValue(node: ObjectNode, name: string, value: unknown): void {
    if (!node.enabled || value === null) return
    if (Array.isArray(value)) {
      if (++this.#depth > MAX_DEPTH) throw depthExceeded('nested array field', MAX_DEPTH)
      const wasInArray = this.#inArray
      this.#inArray = true
      for (const element of value) this.#objectValue(node, name, element)
      this.#inArray = wasInArray
      this.#depth--
      return
    }
    if (typeof value !== 'object' || value instanceof JsonNumber) {
      throw mapperParsing(
        `object mapping for [${node.path}] tried to parse field [${this.#inArray ? 'null' : name}] as object, but found a concrete value`,
      )
    }
    const wasInArray = this.#inArray
    this.#inArray = false
    if (node.isNested) this.#nested(node, value as Record<string, unknown>)
    else this.#object(node, value as Record<string, unknown>)
    this.#inArray = wasInArray
  }

  #nested(node: ObjectNode, value: Readonly<Record<string, unknown>>): void {
    const limit = this.#scope.maxNestedDocuments
    if (++this.#nestedDocuments > limit) {
      throw mapperParsing(
        `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      )
    }
    const parent = this.#current
    const nested: DocumentBuilder = { nestedPath: node.path, parent, fields: [], fieldNames: undefined }
    this.#current = nested
    this.#object(node, value)
    this.#current = parent
    this.#finished.push(nested)
    const { includeInParent, includeInRoot } = node.definition
    if (includeInParent) this.#copyFields(nested, parent)
    if (includeInRoot) {
      let root = parent
      while (root.parent !== undefined) root = root.parent
      // What the parent already got is not given to it twice.
      if (!includeInParent || root !== parent) this.#copyFields(nested, root)
    }
  }

  #copyFields(from: DocumentBuilder, to: DocumentBuilder): void {
    for (const { field } of this.#fault === undefined ? from.fields : []) {
      if (!isHeldAsOne(field) || !to.fields.some((other) => other.field === field)) continue
      this.#fault = doubled(isPercolator(field) ? `${field.path}.query_builder_field` : field.path)
      break
    }
    append(to.fields, from.fields)
    if (from.fieldNames === undefined) return
    to.fieldNames ??= new Set()
    for (const name of from.fieldNames) to.fieldNames.add(name)
  }

  #leafAndCopies(node: LeafNode, value: unknown): void {
    this.#leaf(node, value)
    for (const target of node.copyTo) this.#copy(target, value)
  }

  #leaf(node: LeafNode, value: unknown): void {
    if (node.join !== undefined) {
      this.#joinValue(node.join, value)
      return
    }
    if (node.parseAll !== undefined) this.#leafAll(node, node.parseAll, value)
    else if (value === null && !node.refusesNull) {
      if (node.nullValue !== undefined) this.#add(node, node.nullValue)
      else if (this.#isLegacy && node.field.kind === 'date' && node.definition.parameters.has('null_value')) {
        this.#leaf(node, node.definition.parameters.get('null_value'))
      }
    } else {
      // A flat object's numbers are texts, too.
      const hasTexts = node.type === 'flat_object' || (typeof value === 'number' && value <= node.readsDigitsBelow)
      if (hasTexts && !this.#scope.lossless) {
        this.#scope.requireUsualNumbers()
      }
      // Later versions take no exponent for a date, be it that of a whole number.
      const isDate = (typeof value === 'number' && node.field.kind === 'date') || node.type === 'date_range'
      if (isDate && !this.#isLegacy && !this.#scope.lossless) {
        this.#scope.requireNoExponents()
      }
      let parsed: IndexedValue | undefined
      try {
        parsed = node.parse(value, this.#inArray)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        const isIgnored =
          (node.field.kind === 'range' ? isMalformedEnd(error) : isScalar(value)) &&
          (error.type !== 'json_parse_exception' || !this.#refusesOtherTokens(node)) &&
          // A number is told to be no unsigned long when it is too late to pass it over.
          (typeof value === 'string' || !error.reason.endsWith(OUT_OF_UNSIGNED))
        if (error instanceof IndexingFault) this.#fault ??= error
        else if (!node.ignoreMalformed || !isIgnored) throw this.#fieldError(node, value, error)
        else if (node.notesIgnored) this.#addIgnored(node.path)
      }
      if (parsed !== undefined) this.#add(node, parsed)
    }
    const { forMultiFields } = node
    for (const field of node.multiFields) {
      if (forMultiFields === undefined) this.#leaf(field, value)
      else for (const one of forMultiFields(value, field.type)) this.#leaf(field, one)
    }
  }

  /** Whether true and false are refused for numbers in spite of `ignore_malformed`. */
  #refusesOtherTokens({ type }: LeafNode): boolean {
    return this.#isLegacy || (type === 'scaled_float' && this.#scope.engineVersion === 'Elasticsearch_7.10')
  }

  #joinValue(join: JoinField, value: unknown): void {
    if (hasNumberAsParent(value) && !this.#scope.lossless) this.#scope.requireUsualNumbers()
    const { fields } = this.#current
    for (const parsed of joinValues(join, value, this.#scope)) {
      if (fields.some(({ field }) => field === parsed.field)) this.#fault ??= doubled(parsed.field.path)
      fields.push(parsed)
    }
  }

  /** Remembers that a value of a field was malformed and passed over (`_ignored`). */
  #addIgnored(path: string): void {
    let root = this.#current
    while (root.parent !== undefined) root = root.parent
    if (!root.fields.some(({ field, value }) => field === IGNORED_FIELD && value === path)) {
      root.fields.push({ field: IGNORED_FIELD, value: path })
    }
  }

  /** Whether the document that is read has a value of a field. */
  #has(field: FieldMapping): boolean {
    return this.#current.fields.some((other) => other.field === field)
  }

  #leafAll(node: LeafNode, parseAll: NonNullable<LeafNode['parseAll']>, value: unknown): void {
    try {
      if (isPercolator(node.field) && this.#has(node.field) && !isEmptyList(value)) throw secondQuery()
      for (const parsed of parseAll(value, () => this.#addIgnored(node.path))) this.#add(node, parsed)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error instanceof IndexingFault) {
        this.#fault ??= error
        return
      }
      // A field that knows which value it is about tells that value, as those do that read one at a time.
      if (node.bareErrors || error instanceof MemberError) throw this.#fieldError(node, value, error)
      throw mapperParsing(`failed to parse field [${node.path}] of type [${node.type}]`, error)
    }
  }

  #add(node: LeafNode, value: IndexedValue): void {
    const { field } = node
    if (isSingle(field) && this.#has(field)) this.#fault ??= doubled(field.path)
    const parsed = { field, value }
    this.#current.fields.push(parsed)
    if (node.complete !== undefined) this.#incomplete.push({ node, document: this.#current, parsed })
    if (node.fieldNames !== undefined) {
      this.#current.fieldNames ??= new Set()
      for (const name of node.fieldNames) this.#current.fieldNames.add(name)
    }
  }

  #fieldError(node: LeafNode, value: unknown, error: ServiceError): ServiceError {
    // What is complained of is quoted as it was written.
    const shown = error instanceof MemberError ? error.member : value
    if (typeof shown === 'number' && !this.#scope.lossless) this.#scope.requireUsualNumbers()
    if (node.bareErrors) return mapperParsing('failed to parse', error)
    const { engineVersion, id } = this.#scope
    // A count of tokens is a number to 6.x.
    const type = this.#isLegacy && node.type === 'token_count' ? 'integer' : node.type
    const reason = `failed to parse field [${node.path}] of type [${type}] in document with id '${id}'`
    if (engineVersion === 'Elasticsearch_6.8') return mapperParsing(reason, error)
    const told = READ_AS_FLOATS.has(node.type) ? asFloat(shown, engineVersion) : shown
    const preview =
      told === UNREADABLE ? 'Could not parse field value preview,' : `Preview of field's value: '${javaText(told)}'`
    return mapperParsing(`${reason}. ${preview}`, error)
  }

  /** Hands a value to the field that `copy_to` names, in the document it belongs to. */
  #copy(path: string, value: unknown): void {
    const current = this.#current
    let target: DocumentBuilder = current
    while (target.nestedPath !== undefined && !path.startsWith(`${target.nestedPath}.`)) {
      target = target.parent as DocumentBuilder
    }
    this.#current = target
    let node: MappingNode | undefined = this.#scope.root
    const parts = path.split('.')
    let parent: ObjectNode = this.#scope.root
    for (const part of parts) {
      if (node?.kind !== 'object') break
      parent = node
      node = node.children.get(part)
    }
    if (node?.kind === 'leaf') this.#leaf(node, value)
    else if (node?.kind === 'alias') throw illegalArgument(`Cannot copy to a field alias [${path}].`)
    else if (node === undefined) {
      const depth = parent.path === '' ? 0 : parent.path.split('.').length
      this.#unknown(parent, parts.slice(depth), value)
      if (value === null && parent.dynamic === 'true' && this.#scope.dynamic !== undefined) {
        const reason = `Can't handle serializing a dynamic type with content token [VALUE_NULL] and field name [${parts.at(-1)}]`
        throw new ServiceError('illegal_state_exception', reason)
      }
    }
    this.#current = current
  }

  /** A key that is no child's name: a dotted path, or a field that the mapping does not know. */
  #unresolved(node: ObjectNode, key: string, value: unknown): void {
    const parts = splitPath(key, this.#isLegacy)
    const path = node.path === '' ? key : `${node.path}.${key}`
    if (isMetadataField(path, this.#scope.engineVersion)) throw this.#metadataError(key, value)
    if (this.#scope.join !== undefined) this.#refuseJoined(this.#scope.join, path)
    let parent = node
    for (let i = 0; i < parts.length; i++) {
      const child = parent.children.get(parts[i] as string)
      if (child === undefined) {
        if (value === null) this.#unknownNull(node, key)
        else this.#unknown(parent, parts.slice(i), value)
        return
      }
      if (i === parts.length - 1) {
        this.#value(child, key, value)
        return
      }
      if (child.kind !== 'object') {
        const type = child.kind === 'leaf' ? child.type : 'alias'
        throw mapperParsing(
          `Could not dynamically add mapping for field [${key}]. Existing mapping for [${child.path}] must be of type object but found [${type}].`,
        )
      }
      if (child.isNested) {
        throw mapperParsing(
          `Cannot add a value for field [${key}] since one of the intermediate objects is mapped as a nested object: [${child.path}]`,
        )
      }
      if (!child.enabled) return
      parent = child
    }
  }

  /** What the join field makes for itself is nobody else's to write. */
  #refuseJoined(join: JoinField, path: string): void {
    const isIds = [...join.parents.values()].some(({ idField }) => idField.path === path)
    if (!isIds && path !== '_parent_join') return
    throw mapperParsing(`Cannot generate dynamic mappings of type [${isIds ? 'parent' : 'parent_join'}] for [${path}]`)
  }

  #metadataError(key: string, value: unknown): ServiceError {
    const reason = `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`
    if (this.#scope.engineVersion === 'Elasticsearch_6.8') return mapperParsing(reason)
    return mapperParsing(
      `failed to parse field [${key}] of type [${key}] in document with id '${this.#scope.id}'. Preview of field's value: '${javaText(value)}'`,
      mapperParsing(reason),
    )
  }

  #unknown(parent: ObjectNode, parts: readonly string[], value: unknown): void {
    const [first = ''] = parts
    if (parent.dynamic === 'strict') throw this.#introduced(parent, 'strict', first)
    const { dynamic } = this.#scope
    if (parent.dynamic === 'false' || dynamic === undefined) return
    let object = parent
    for (const part of parts.slice(0, -1)) {
      if (!this.#mayBring(object, part, {})) throw this.#introduced(object, object.dynamic, part)
      object = dynamic.object(object, part)
    }
    const name = parts.at(-1) as string
    if (!this.#mayBring(object, name, value)) throw this.#introduced(object, object.dynamic, name)
    this.#dynamicValue(object, name, value)
  }

  /** A null where nothing is known is refused by what its object itself says, not by what that inherits. */
  #unknownNull(parent: ObjectNode, key: string): void {
    const { dynamic } = parent.definition
    // No template is for a null.
    if (dynamic === 'strict' || dynamic === 'strict_allow_templates') throw this.#introduced(parent, dynamic, key)
  }

  /** Whether `strict_allow_templates` lets a field in: a template has to be for it. */
  #mayBring(parent: ObjectNode, name: string, value: unknown): boolean {
    if (parent.dynamic !== 'strict_allow_templates') return true
    // Whether a template is for it depends on how a number is written.
    if (typeof value === 'number' && !this.#scope.lossless) this.#scope.requireUsualNumbers()
    return this.#scope.dynamic?.hasTemplate(parent, name, value) === true
  }

  #introduced(parent: ObjectNode, dynamic: Dynamic, name: string): ServiceError {
    const within = parent.path === '' ? this.#scope.type : parent.path
    return new ServiceError(
      'strict_dynamic_mapping_exception',
      `mapping set to ${dynamic}, dynamic introduction of [${name}] within [${within}] is not allowed`,
    )
  }

  #dynamicValue(parent: ObjectNode, name: string, value: unknown, arrays = 0): void {
    const dynamic = this.#scope.dynamic as DynamicFields
    if (value === null) return
    if (Array.isArray(value)) {
      if (dynamic.takesArray(parent, name)) return
      if (++this.#depth > MAX_DEPTH) throw depthExceeded('nested array field', MAX_DEPTH)
      this.#checkArrayDepth(arrays + 1)
      for (const element of value) this.#dynamicValue(parent, name, element, arrays + 1)
      this.#depth--
      return
    }
    if (typeof value === 'number' && !this.#scope.lossless) this.#scope.requireUsualNumbers()
    if (typeof value === 'object' && !(value instanceof JsonNumber)) {
      const node = dynamic.objectOrLeaf(parent, name)
      // A template may have made a field of it: the next round parses the value.
      if (node?.enabled) this.#object(node, value as Record<string, unknown>)
      return
    }
    dynamic.leaf(parent, name, value)
  }
}

const NO_NAMES: readonly string[] = []

/** Whether a document holds one value of a field. */
const isSingle = (field: FieldMapping): boolean =>
  field.kind === 'opaque' && 'isSingle' in field && field.isSingle === true

/** Whether it holds all its values as one, which another document's cannot join. */
const isHeldAsOne = (field: FieldMapping): boolean =>
  isSingle(field) || isPercolator(field) || (field.docValues && (field.kind === 'range' || field.kind === 'binary'))

const isPercolator = (field: FieldMapping): boolean => field.kind === 'opaque' && field.type === 'percolator'

/** Whether a value has nothing that anyone would look at. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isEmptyList)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value instanceof JsonNumber
}

function depthExceeded(what: string, limit: number, isSetting = false): ServiceError {
  const setting = ' This limit can be set by changing the [index.mapping.depth.limit] index level setting.'
  return new ServiceError(
    'parse_exception',
    `The depth of the ${what} has exceeded the allowed limit of [${limit}].${isSetting ? setting : ''}`,
  )
}

/** Parts of a key with dots. @throws {ServiceError} illegal_argument_exception */
function splitPath(key: string, isLegacy: boolean): string[] {
  if (key === '') throw illegalArgument('field name cannot be an empty string')
  if (!key.includes('.')) return [key]
  const parts = key.split('.')
  while (parts.at(-1) === '') parts.pop()
  if (parts.length === 0) {
    if (!isLegacy) throw illegalArgument('field name cannot contain only the character [.]')
    throw new ServiceError('array_index_out_of_bounds_exception', 'Index -1 out of bounds for length 0')
  }
  for (const part of parts) {
    if (part === '') {
      throw illegalArgument(`object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`)
    }
    if (part.trim() === '') throw illegalArgument(`object field cannot contain only whitespace: ['${key}']`)
  }
  return parts
}

/** A column that got a second value where only one is allowed: of the join field, or of shapes. */
function doubled(path: string): IndexingFault {
  return new IndexingFault(
    `DocValuesField "${path}" appears more than once in this document (only one value is allowed per field)`,
  )
}
