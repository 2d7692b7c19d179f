import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { builtInPatterns } from '../ingest/grok/pattern-bank.ts'

/** `GET /_ingest/processor/grok`: the patterns that come with grok; `?s` sorts them (7 and later). */
export const grokPatterns: EndpointHandler = (request, { engine }) => {
  const bank = builtInPatterns(engine.version)
  const isSorted = engine.version !== 'Elasticsearch_6.8' && request.parameters.boolean('s', false)
  const isOpenSearch = engine.version === 'OpenSearch_2.19'
  const names = isSorted ? [...bank.keys()].sort() : isOpenSearch ? [...bank.keys()] : inJavaHashOrder([...bank.keys()])
  return { status: 200, json: { patterns: Object.fromEntries(names.map((name) => [name, bank.get(name) as string])) } }
}
