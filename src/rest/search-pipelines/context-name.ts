import type { ProcessorConfig } from '../ingest/processor-config.ts'

/** The name under which a search's own size is remembered, behind the `context_prefix` of a processor. */
export function contextName(config: ProcessorConfig): string {
  const prefix = config.optionalText('context_prefix') ?? ''
  return prefix === '' ? 'original_size' : `${prefix}.original_size`
}
