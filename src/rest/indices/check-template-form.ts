import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'

/** Whether a template for every index would hide them all. */
export const isGlobalHidden = (patterns: readonly string[], settings: FlatSettings = {}): boolean =>
  patterns.includes('*') && settings['index.hidden'] !== undefined

/**
 * Checks the name and the patterns of a template of any kind.
 *
 * @param further  what else is wrong with it
 * @throws {ServiceError} invalid_index_template_exception, with all that is wrong
 */
export function checkTemplateForm(
  name: string,
  indexPatterns: readonly string[],
  version: EngineVersion,
  further: readonly string[] = [],
): void {
  const faults: string[] = []
  if (name.includes(' ')) faults.push('name must not contain a space')
  if (name.includes(',')) faults.push("name must not contain a ','")
  if (name.includes('#')) faults.push("name must not contain a '#'")
  if (name.includes('*') && version !== 'Elasticsearch_6.8') faults.push("name must not contain a '*'")
  if (name.startsWith('_')) faults.push("name must not start with '_'")
  if (name !== name.toLowerCase()) faults.push('name must be lower cased')
  for (const pattern of indexPatterns) {
    const said = version === 'Elasticsearch_6.8' ? 'template' : `index_pattern [${pattern}]`
    if (pattern.includes(' ')) faults.push(`${said.replace('pattern', 'patterns')} must not contain a space`)
    if (pattern.includes(',')) faults.push(`${said} must not contain a ','`)
    if (pattern.includes('#')) faults.push(`${said} must not contain a '#'`)
    if (pattern.startsWith('_')) faults.push(`${said} must not start with '_'`)
    if (/[\\/?"<>| ,]/.test(pattern)) {
      faults.push(`${said} must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`)
    }
  }
  faults.push(...further)
  if (faults.length === 0) return
  const numbered = faults.map((fault, i) => `${i + 1}: ${fault};`).join('')
  throw new ServiceError(
    'invalid_index_template_exception',
    `index_template [${name}] invalid, cause [Validation Failed: ${numbered}]`,
  )
}
