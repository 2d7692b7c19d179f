import { matchWildcard } from '../../../match-wildcard.ts'
import { DelegatingSearcher } from '../../index/delegating-searcher.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { OverlaidMapping } from '../../mapping/overlaid-mapping.ts'
import { inQueryPhase } from '../query-phase.ts'
import { inferMemberType } from './infer-member-type.ts'

/** What a view's derived fields depend on beside its index. */
export interface DerivedPlace {
  /** False: settings keep them from being searched. */
  readonly isAllowed: boolean
  readonly findScript: NonNullable<IndexSearcher['findScript']>
}

/** A view of an index that knows the derived fields of its mapping, of a search, and the members of those that are objects. */
export class DerivedSearcher extends DelegatingSearcher {
  readonly #findScript: DerivedPlace['findScript']
  readonly #mapping: IndexMapping

  /** @param own  what a search defines, by path */
  constructor(base: IndexSearcher, place: DerivedPlace, own: ReadonlyMap<string, FieldMapping> = new Map()) {
    super(base instanceof DerivedSearcher ? base.base : base)
    this.#findScript = place.findScript
    const { allowsExpensive, maxClauses } = base
    if (allowsExpensive !== undefined) Object.assign(this, { allowsExpensive })
    if (maxClauses !== undefined) Object.assign(this, { maxClauses })
    const stored = this.base.mapping
    const resolved = new Map<string, FieldMapping | undefined>()
    const resolve = (path: string): FieldMapping | undefined => {
      const field = stored.field(path)
      // A search defines what its index has derived anew, but nothing that it has stored.
      if (field !== undefined && field.derived === undefined) return field
      const asked = own.get(path) ?? (field === undefined || place.isAllowed ? field : off(field))
      if (asked !== undefined || !path.includes('.')) return asked
      if (!resolved.has(path)) resolved.set(path, this.#memberOf(path, resolve))
      return resolved.get(path)
    }
    this.#mapping = new OverlaidMapping(stored, resolve, (pattern) =>
      [...own.keys()].filter((path) => stored.field(path) === undefined && matchWildcard(pattern, path)),
    )
  }

  override get findScript(): DerivedPlace['findScript'] {
    return this.#findScript
  }

  override get mapping(): IndexMapping {
    return this.#mapping
  }

  /** A member of an object: of the type that is said, or of that which the first documents' values would get. */
  #memberOf(path: string, resolve: (path: string) => FieldMapping | undefined): FieldMapping | undefined {
    const cut = path.indexOf('.')
    const object = resolve(path.slice(0, cut))
    if (object?.derived === undefined || object.derived.isOff) return undefined
    const part = path.slice(cut + 1)
    const type = object.derived.properties[part] ?? inferMemberType(object, part, this)
    return type === undefined ? undefined : inQueryPhase(() => this.base.mapping.derivedMember(object, part, type))
  }
}

function off(field: FieldMapping): FieldMapping {
  return field.derived === undefined ? field : { ...field, derived: { ...field.derived, isOff: true } }
}
