import { faultOf, type ServiceError } from '../../errors.ts'
import type { AggregationContext } from './aggregation-context.ts'
import { type AggregationPlace, placeInside, TOP } from './aggregation-place.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree } from './aggregation-tree.ts'
import { checkLevel } from './pipelines/check-pipelines.ts'

const NOTHING: AggregationTree = { aggregations: [], pipelines: [] }

/**
 * The fault of a search's aggregations that the real servers come upon first. They read all of them for an index, each
 * before those inside it, and then make them ready to collect in the same order.
 *
 * @param make      makes an aggregation without those inside it
 * @param hearRead  told of each that is read, the one that is refused last
 */
export function firstFault(
  tree: AggregationTree,
  { engineVersion }: AggregationContext,
  make: (node: AggregationNode, place: AggregationPlace) => void,
  hearRead: ((definition: AggregationDefinition) => void) | undefined,
): ServiceError | undefined {
  const later: ServiceError[] = []
  const visit = (level: AggregationTree, place: AggregationPlace, parent: AggregationNode | undefined): void => {
    if (engineVersion === 'Elasticsearch_6.8') checkLevel(level, engineVersion, parent)
    for (const node of level.aggregations) {
      hearRead?.(node.definition)
      for (const fault of faultsOf(node, place, make)) {
        if (!fault.detail.isLate) throw fault
        later.push(fault)
      }
      visit(node.inside, placeInside(node, place), node)
    }
  }
  return faultOf(() => visit(tree, TOP, undefined)) ?? later[0]
}

/** Of one aggregation alone: what is wrong with its field, what was noted of it, then what is found late. */
function faultsOf(
  node: AggregationNode,
  place: AggregationPlace,
  make: (node: AggregationNode, place: AggregationPlace) => void,
): ServiceError[] {
  // Orders by what is inside are looked at when that is made.
  const definition = 'order' in node.definition ? { ...node.definition, order: [] } : node.definition
  const found = faultOf(() => make({ ...node, definition, inside: NOTHING }, place))
  const faults = [...(found === undefined ? [] : [found]), ...(node.faults ?? [])]
  return faults.sort((a, b) => Number(a.detail.isLate === true) - Number(b.detail.isLate === true))
}
