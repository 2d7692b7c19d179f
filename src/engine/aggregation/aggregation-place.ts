import type { AggregationDefinition, AggregationNode } from './aggregation-tree.ts'

/** Where in the tree an aggregation stands. */
export interface AggregationPlace {
  readonly depth: number
  /** Nested path of the documents it is given; undefined: roots. */
  readonly nestedPath: string | undefined
  /** The aggregations around it, from the outermost. */
  readonly around: readonly AggregationDefinition[]
  /** Name of the one right around it. */
  readonly aroundName: string
}

/** Around which there is nothing. */
export const TOP: AggregationPlace = { depth: 0, nestedPath: undefined, around: [], aroundName: '' }

/** Where the aggregations inside one stand. */
export function placeInside({ name, definition }: AggregationNode, place: AggregationPlace): AggregationPlace {
  return {
    depth: place.depth + 1,
    nestedPath: nestedPathInside(definition, place),
    around: [...place.around, definition],
    aroundName: name,
  }
}

function nestedPathInside(definition: AggregationDefinition, { nestedPath }: AggregationPlace): string | undefined {
  switch (definition.kind) {
    case 'nested':
    case 'reverse_nested':
      return definition.path
    case 'children':
    case 'parent':
      return undefined
    default:
      return nestedPath
  }
}
