import type { EngineVersion } from '../../../engine/engine-version.ts'
import { IngestFault } from '../ingest-fault.ts'
import type { ProcessorFactory } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { DissectError } from './dissect-key.ts'
import { DissectPattern } from './dissect-pattern.ts'

/** `dissect`: fields out of a text by what stands between them. */
export const dissect: ProcessorFactory = (config, { engineVersion }) => {
  const field = config.text('field')
  const written = config.text('pattern')
  const separator = config.text('append_separator', '')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const pattern = compile(config, written, separator, engineVersion)
  return (document) => {
    const text = document.textToUse(field, ignoreMissing)
    if (text === undefined) return
    const fields = pattern.parse(text)
    if (fields === undefined) {
      throw new IngestFault(
        `Unable to find match for dissect pattern: ${written} against source: ${text}`,
        'find_match',
      )
    }
    for (const [path, value] of fields) document.set(path, value)
    return undefined
  }
}

const JAVA_CLASSES = {
  key_parse: 'org.elasticsearch.dissect.DissectException$KeyParse',
  pattern_parse: 'org.elasticsearch.dissect.DissectException$PatternParse',
  number_format_exception: 'java.lang.NumberFormatException',
} as const

function compile(
  config: ProcessorConfig,
  pattern: string,
  separator: string,
  engineVersion: EngineVersion,
): DissectPattern {
  try {
    return new DissectPattern(pattern, separator)
  } catch (error) {
    if (!(error instanceof DissectError)) throw error
    const { [error.kind]: javaClass } = JAVA_CLASSES
    const isOpenSearch = engineVersion === 'OpenSearch_2.19'
    const named = isOpenSearch ? javaClass.replace('.elasticsearch.', '.opensearch.') : javaClass
    throw config.failure(error.kind, named, error.message)
  }
}
