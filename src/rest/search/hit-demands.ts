import type { Query } from '../../engine/search/query.ts'

/** What the parts of a query ask to be shown with each hit. */
export interface HitDemands {
  /** A part has a `_name`. */
  names: boolean
  innerHits: boolean
  /** A part percolates. */
  percolates: boolean
}

/** Walks a query once, so that searches that ask for nothing of the kind pay for nothing of the kind. */
export function hitDemands(query: Query): HitDemands {
  const demands = { names: false, innerHits: false, percolates: false }
  add(query, demands)
  return demands
}

function add(query: object, demands: HitDemands): void {
  const { kind, name, innerHits } = query as { kind: string; name?: unknown; innerHits?: unknown }
  if (name !== undefined) demands.names = true
  if (innerHits !== undefined) demands.innerHits = true
  if (kind === 'percolate') demands.percolates = true
  for (const key in query) {
    const value = (query as Record<string, unknown>)[key]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const part of value) if (isQuery(part)) add(part, demands)
    } else if (isQuery(value)) add(value, demands)
  }
}

function isQuery(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value
}
