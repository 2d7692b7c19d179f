import { isMap, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'
import { templateOf } from './template-text.ts'

/** `copy` (OpenSearch): a field as another one. */
export const copy: ProcessorFactory = (config) => {
  const sourceField = templateOf(config, 'source_field')
  const targetField = templateOf(config, 'target_field')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const removesSource = config.boolean('remove_source', false)
  const overrides = config.boolean('override_target', false)
  return (document) => {
    const source = sourceField(document)
    if (source === '' || !document.hasWithinLists(source)) {
      if (ignoreMissing) return
      throw new IngestFault(
        source === '' ? 'source field path cannot be null nor empty' : `source field [${source}] doesn't exist`,
      )
    }
    const target = targetField(document)
    if (target === '') throw new IngestFault('target field path cannot be null nor empty')
    if (source === target) throw new IngestFault('source field path and target field path cannot be same')
    if (!overrides && document.hasWithinLists(target) && document.get(target) !== null)
      throw new IngestFault(`target field [${target}] already exists`)
    document.set(target, deepCopy(document.get(source)))
    if (removesSource) document.remove(source)
    return undefined
  }
}

function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deepCopy(member)]))
}
