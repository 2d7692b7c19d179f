import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { mappingLimit, tooManyFields } from './check-mapping.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from './dates/create-date-format.ts'
import {
  DEFAULT_TYPES,
  type DynamicTemplate,
  type MatchMappingType,
  templateMapping,
  templateMatches,
} from './dynamic-template.ts'
import { isWholeText, JsonNumber } from './lossless-json.ts'
import type { Definition, ObjectDefinition, RootDefinition } from './mapping-definition.ts'
import { emptyObject } from './mapping-definition.ts'
import { mapperParsing } from './mapping-errors.ts'
import { buildObject, type ObjectNode } from './mapping-tree.ts'
import { mergeDefinition } from './merge-mapping.ts'
import { METADATA_FIELDS } from './metadata-fields.ts'
import { readDefinition, readFromTemplate } from './read-field.ts'
import { fieldType } from './types/field-types.ts'
import type { MappingScope } from './types/parameter.ts'

/** The second of the default `dynamic_date_formats`; the first is the default date format. */
const SLASHED_DATES = 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'
const SLASHED_DATE = /^\d{4}\/\d{2}\/\d{2}(?: \d{2}:\d{2}:\d{2})?$/

/** What texts become where no template is for them. */
const STRING_MAPPINGS = {
  long: { type: 'long' },
  double: { type: 'float' },
  string: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
} as const

/**
 * The fields that one document brings: the mapping that its values ask for, by templates and by the rules of dynamic
 * mapping, gathered until they are merged into the type's mapping.
 */
export class DynamicFields {
  readonly #root: RootDefinition
  readonly #scope: MappingScope
  readonly #type: string
  /** Definition of a field that another type of the index maps already. */
  readonly #elsewhere: (path: string) => Definition | undefined
  readonly #objects = new Map<string, ObjectNode>()
  /** What values of a kind make of a path, for the next of them: a list may hold a hundred thousand. */
  readonly #made = new Map<string, Definition>()
  /** What is new, and the objects on the way to it. */
  #update: MutableObject | undefined
  /** Definitions of a path that differ, each once, in the order they came. */
  readonly #differing = new Map<string, Definition[]>()
  #first: FirstField | undefined
  #overflow: ServiceError | undefined
  readonly #indexName: string
  /** More than may be there in all need not be looked at: a document may bring millions. */
  readonly #mostNew: number
  #added = 0

  constructor(
    root: RootDefinition,
    scope: MappingScope,
    { type, indexName }: { readonly type: string; readonly indexName: string },
    elsewhere: (path: string) => Definition | undefined,
  ) {
    this.#root = root
    this.#scope = scope
    this.#type = type
    this.#elsewhere = elsewhere
    this.#indexName = indexName
    this.#mostNew = mappingLimit(scope, 'total_fields', 1000)
  }

  /** Two values of the document ask for different mappings of one field: to be thrown when all of it has been read. */
  get conflict(): ServiceError | undefined {
    for (const path of [...this.#differing.keys()].sort()) {
      const [first, ...rest] = this.#differing.get(path) as [Definition, ...Definition[]]
      const next = this.#first?.path === path ? this.#first.next : undefined
      const fault =
        (next === undefined ? undefined : faultOf(() => this.#merge(first, next, path))) ??
        rest.map((later) => faultOf(() => this.#mergeAgain(later, next ?? first, path))).find(Boolean)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  /** More fields than the index may have, which ends the reading: no fault of the value that it was thrown at. */
  get overflow(): ServiceError | undefined {
    return this.#overflow
  }

  /** The new fields, as a mapping of objects around them; undefined when there are none. */
  get update(): ObjectDefinition | undefined {
    if (this.#update === undefined) return undefined
    const { path, parent, next } = this.#first as FirstField
    const [first] = this.#differing.get(path) ?? []
    if (first?.kind === 'leaf' && next !== undefined) parent.others.set(first.name, this.#merge(first, next, path))
    return freeze(this.#update)
  }

  /** The same with what is asked for in two ways left out: no value of it is looked at. */
  get undisputed(): ObjectDefinition | undefined {
    return this.#update === undefined ? undefined : freeze(this.#update, (path) => this.#differing.has(path))
  }

  /** A new object on the way of a dotted name, to parse its members with. */
  object(parent: ObjectNode, name: string): ObjectNode {
    const node = this.objectOrLeaf(parent, name)
    if (node === undefined) {
      throw mapperParsing(`Could not dynamically add mapping for field [${pathOf(parent, name)}].`)
    }
    return node
  }

  /** A new object; undefined where a template makes a field of it. */
  objectOrLeaf(parent: ObjectNode, name: string): ObjectNode | undefined {
    const path = pathOf(parent, name)
    const known = this.#objects.get(path)
    if (known !== undefined) {
      this.#add(parent, known.definition)
      return known
    }
    const definition = this.#fromTemplate(path, name, 'object') ?? this.#elsewhereObject(path, name)
    this.#add(parent, definition)
    if (definition.kind !== 'object') return undefined
    const node = buildObject(definition, path, parent, this.#scope)
    this.#objects.set(path, node)
    return node
  }

  #elsewhereObject(path: string, name: string): Definition {
    const other = this.#elsewhere(path)
    return other?.kind === 'object' ? { ...other, children: new Map() } : emptyObject(name)
  }

  /** A new field for a value that is no object, array or null. */
  leaf(parent: ObjectNode, name: string, value: unknown): void {
    const path = pathOf(parent, name)
    if (METADATA_FIELDS[this.#scope.engineVersion].has(path))
      throw mapperParsing(`Cannot generate dynamic mappings of type [${path}] for [${path}]`)
    this.#add(parent, this.#elsewhereLeaf(path) ?? this.#leafDefinition(path, name, value))
  }

  #elsewhereLeaf(path: string): Definition | undefined {
    const other = this.#elsewhere(path)
    return other?.kind === 'leaf' ? other : undefined
  }

  /** True when a template makes of an array a field that reads arrays whole (`geo_point`). */
  takesArray(parent: ObjectNode, name: string): boolean {
    const path = pathOf(parent, name)
    const template = this.#template(path, name, 'object')
    if (template === undefined || template.mapping['type'] !== 'geo_point') return false
    this.#add(parent, this.#fromTemplate(path, name, 'object') as Definition)
    return true
  }

  #leafDefinition(path: string, name: string, value: unknown): Definition {
    const of = (kind: MatchMappingType, type: string): Definition =>
      this.#once(kind, path, () => this.#fromTemplate(path, name, kind) ?? this.#plain(name, { type }))
    if (typeof value === 'boolean') return of('boolean', 'boolean')
    if (typeof value === 'string') return this.#stringDefinition(path, name, value)
    if (
      typeof value === 'bigint' &&
      this.#scope.engineVersion === 'Elasticsearch_6.8' &&
      BigInt.asIntN(64, value) !== value
    ) {
      throw new ServiceError('illegal_state_exception', 'No matching token for number_type [BIG_INTEGER]')
    }
    return isFraction(value) ? of('double', 'float') : of('long', 'long')
  }

  #once(kind: string, path: string, make: () => Definition): Definition {
    const key = `${kind} ${path}`
    let made = this.#made.get(key)
    if (made === undefined) {
      made = make()
      this.#made.set(key, made)
    }
    return made
  }

  #plain(name: string, mapping: Readonly<Record<string, unknown>>): Definition {
    if (name === '') throw illegalArgument('name cannot be empty string')
    return readDefinition(name, mapping, this.#scope, false)
  }

  #stringDefinition(path: string, name: string, text: string): Definition {
    const kind = this.#stringKind(text)
    if (kind === 'date') {
      const format = this.#dateFormatOf(text) as string
      return this.#once(`date ${format}`, path, () => this.#dateDefinition(path, name, format))
    }
    return this.#once(
      kind,
      path,
      () => this.#fromTemplate(path, name, kind) ?? this.#plain(name, STRING_MAPPINGS[kind]),
    )
  }

  #stringKind(text: string): 'long' | 'double' | 'date' | 'string' {
    const isLong =
      /^[+-]?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))
    const isDouble = isLong || isJavaDouble(text)
    if (this.#root.numericDetection === true && isDouble) return isLong ? 'long' : 'double'
    const isDate = !isDouble && this.#root.dateDetection !== false && this.#dateFormatOf(text) !== undefined
    return isDate ? 'date' : 'string'
  }

  #dateFormatOf(text: string): string | undefined {
    const formats = this.#root.dynamicDateFormats
    if (formats === undefined && SLASHED_DATE.test(text))
      return parses(text, SLASHED_DATES, this.#scope) ? SLASHED_DATES : undefined
    return (formats ?? [DEFAULT_DATE_FORMAT]).find((format) => parses(text, format, this.#scope))
  }

  #dateDefinition(path: string, name: string, format: string): Definition {
    const printed = this.#scope.engineVersion === 'OpenSearch_2.19' ? { print_format: format.split('||')[0] } : {}
    const own = format === DEFAULT_DATE_FORMAT ? {} : { format, ...printed }
    const template = this.#template(path, name, 'date')
    if (template === undefined) return this.#plain(name, { type: 'date', ...own })
    const mapping = templateMapping(template, name, 'date')
    const isDate = (mapping['type'] ?? 'date') === 'date'
    return this.#read(name, isDate ? { ...own, ...mapping } : mapping, 'date')
  }

  /** Whether a template is for a new field with this value, which is not null. */
  hasTemplate(parent: ObjectNode, name: string, value: unknown): boolean {
    return this.#template(pathOf(parent, name), name, this.#kind(value)) !== undefined
  }

  #kind(value: unknown): MatchMappingType {
    if (typeof value === 'boolean') return 'boolean'
    if (typeof value === 'string') return this.#stringKind(value)
    if (typeof value === 'object' && !(value instanceof JsonNumber)) return 'object'
    return isFraction(value) ? 'double' : 'long'
  }

  #template(path: string, name: string, kind: MatchMappingType): DynamicTemplate | undefined {
    return this.#root.dynamicTemplates?.find((template) => templateMatches(template, path, name, kind))
  }

  #fromTemplate(path: string, name: string, kind: MatchMappingType): Definition | undefined {
    const template = this.#template(path, name, kind)
    return template === undefined ? undefined : this.#read(name, templateMapping(template, name, kind), kind)
  }

  #read(name: string, mapping: Readonly<Record<string, unknown>>, kind: MatchMappingType): Definition {
    if (name === '') throw illegalArgument('name cannot be empty string')
    return readFromTemplate(name, mapping, DEFAULT_TYPES[kind], this.#scope)
  }

  #add(parent: ObjectNode, definition: Definition): void {
    this.#update ??= mutable(emptyObject(''))
    let object = this.#update
    let path = ''
    // Objects on the way keep what a merge compares: nested or not, enabled or not.
    for (const part of parent.path === '' ? [] : parent.path.split('.')) {
      path = path === '' ? part : `${path}.${part}`
      let child = object.objects.get(part)
      if (child === undefined) {
        child = mutable(this.#objectOnTheWay(path, part))
        object.objects.set(part, child)
      }
      object = child
    }
    const { name } = definition
    const newPath = pathOf(parent, name)
    if (this.#first?.path === newPath) this.#first.next ??= definition
    else if (this.#first === undefined || newPath < this.#first.path)
      this.#first = { path: newPath, parent: object, next: undefined }
    const existing = object.objects.get(name)?.definition ?? object.others.get(name)
    if (existing === definition) return
    if (existing !== undefined) {
      const differing = this.#differing.get(newPath) ?? [existing]
      if (!differing.includes(definition)) differing.push(definition)
      this.#differing.set(newPath, differing)
      return
    }
    if (++this.#added > this.#mostNew) {
      this.#overflow = tooManyFields(this.#scope, this.#indexName, this.#mostNew)
      throw this.#overflow
    }
    if (definition.kind === 'object') object.objects.set(name, mutable(definition))
    else object.others.set(name, definition)
  }

  #objectOnTheWay(path: string, name: string): ObjectDefinition {
    const dynamic = this.#objects.get(path)
    if (dynamic !== undefined) return dynamic.definition
    let definition: Definition | undefined = this.#root.root
    for (const part of path.split('.')) {
      definition = definition?.kind === 'object' ? definition.children.get(part) : undefined
    }
    if (definition?.kind !== 'object') return emptyObject(name)
    return { ...definition, dynamic: undefined, includeInAll: undefined, children: new Map() }
  }

  #merge(existing: Definition, definition: Definition, path: string): Definition {
    const isNumber = (candidate: Definition): boolean =>
      candidate.kind === 'leaf' && fieldType(candidate.type)?.family === 'number'
    // 6.x merges numbers of one document to whatever comes last.
    if (this.#scope.engineVersion === 'Elasticsearch_6.8' && isNumber(existing) && isNumber(definition))
      return definition
    return mergeDefinition(existing, definition, path, this.#scope, this.#type)
  }

  /** As a field that comes again is merged with what it was: only to see whether it can be. */
  #mergeAgain(later: Definition, earlier: Definition, path: string): void {
    if (this.#scope.engineVersion !== 'Elasticsearch_6.8' && later.kind === 'leaf' && earlier.kind === 'object')
      throw illegalArgument(`mapper [${path}] cannot be changed from type [${later.type}] to [ObjectMapper]`)
    this.#merge(later, earlier, path)
  }
}

/**
 * The new field whose path comes first of all: what comes next under it is merged into it, where any other field is merged
 * into what comes again under it, and stays as it was.
 */
interface FirstField {
  readonly path: string
  readonly parent: MutableObject
  next: Definition | undefined
}

/** An object definition that still grows. */
interface MutableObject {
  readonly definition: ObjectDefinition
  readonly objects: Map<string, MutableObject>
  readonly others: Map<string, Definition>
}

function mutable(definition: ObjectDefinition): MutableObject {
  const objects = new Map<string, MutableObject>()
  const others = new Map<string, Definition>()
  for (const [name, child] of definition.children) {
    if (child.kind === 'object') objects.set(name, mutable(child))
    else others.set(name, child)
  }
  return { definition, objects, others }
}

/** @param isLeftOut  paths whose values are to be passed over */
function freeze(
  { definition, objects, others }: MutableObject,
  isLeftOut: (path: string) => boolean = () => false,
  path = '',
): ObjectDefinition {
  const children = new Map<string, Definition>(others)
  for (const [name, child] of objects) children.set(name, freeze(child, isLeftOut, `${path}${name}.`))
  for (const name of children.keys())
    if (isLeftOut(path + name)) children.set(name, { ...emptyObject(name), enabled: false })
  return { ...definition, children }
}

function pathOf(parent: ObjectNode, name: string): string {
  return parent.path === '' ? name : `${parent.path}.${name}`
}

/** Whether a number is none of the whole ones, as it is written. */
const isFraction = (value: unknown): boolean =>
  value instanceof JsonNumber ? !isWholeText(value.text) : typeof value === 'number' && !Number.isInteger(value)

/** What Java's Double.parseDouble takes. */
function isJavaDouble(text: string): boolean {
  return /^\s*[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)\s*$/.test(text)
}

function parses(text: string, format: string, scope: MappingScope): boolean {
  // Most strings are no dates: the default format wants digits first.
  if (format === DEFAULT_DATE_FORMAT && !/^[+-]?\d/.test(text)) return false
  return faultOf(() => createDateFormat(format, scope.engineVersion).parse(text)) === undefined
}
