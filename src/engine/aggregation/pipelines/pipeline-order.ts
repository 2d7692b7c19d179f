import type { PipelineNode } from '../aggregation-tree.ts'
import { pathsOf } from './pipeline-definition.ts'

/** Pipelines after those whose numbers they read. */
export function inOrder(pipelines: readonly PipelineNode[]): PipelineNode[] {
  const ordered: PipelineNode[] = []
  const open = new Set<PipelineNode>()
  const visit = (node: PipelineNode): void => {
    if (ordered.includes(node) || open.has(node)) return
    open.add(node)
    for (const { names } of pathsOf(node.definition)) {
      const read = pipelines.find(({ name }) => name === names[0]?.name)
      if (read !== undefined) visit(read)
    }
    ordered.push(node)
  }
  for (const node of pipelines) visit(node)
  return ordered
}
