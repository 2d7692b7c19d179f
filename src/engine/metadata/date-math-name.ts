import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import { createDateFormat } from '../mapping/dates/create-date-format.ts'
import { parseDateMath } from '../mapping/dates/date-math.ts'

/**
 * Resolves a date math name, `<logs-{now/d{yyyy.MM.dd|+09:00}}>`; other names come back as they are.
 *
 * @param now  milliseconds since 1970
 * @throws {ServiceError} parse_exception
 */
export function resolveDateMathName(expression: string, now: number, version: EngineVersion): string {
  if (!expression.startsWith('<') || !expression.endsWith('>')) return expression
  const fail = (what: string): ServiceError =>
    new ServiceError('parse_exception', `invalid dynamic name expression [${inner}]. ${what}`)
  const inner = expression.slice(1, -1)
  let result = ''
  let placeholder: string | undefined
  let format: string | undefined
  let depth = 0
  for (let i = 0; i < inner.length; i++) {
    const character = inner.charAt(i)
    if (character === '\\' && i + 1 < inner.length && depth < 2) {
      i++
      if (placeholder === undefined) result += inner.charAt(i)
      else placeholder += inner.charAt(i)
    } else if (character === '{') {
      depth++
      if (depth === 1) placeholder = ''
      else if (depth === 2 && format === undefined) format = ''
      else throw fail(`invalid character in placeholder at position [${i}]`)
    } else if (character === '}') {
      depth--
      if (depth < 0)
        throw fail(
          `invalid character at position [${i}]. \`{\` and \`}\` are reserved characters and should be escaped when used as part of the index name using \`\\\` (e.g. \`\\{text\\}\`)`,
        )
      if (depth === 0) {
        result += resolvePlaceholder(placeholder ?? '', format, inner, now, version)
        placeholder = undefined
        format = undefined
      }
    } else if (depth === 2) format += character
    else if (depth === 1) {
      if (format !== undefined) throw fail(`invalid character in placeholder at position [${i}]`)
      placeholder += character
    } else result += character
  }
  if (depth > 0) throw fail('date math placeholder is open ended')
  if (result === '') throw new ServiceError('parse_exception', 'nothing captured')
  return result
}

function resolvePlaceholder(
  math: string,
  formatText: string | undefined,
  inner: string,
  now: number,
  version: EngineVersion,
): string {
  if (formatText === '') {
    throw new ServiceError('parse_exception', `invalid dynamic name expression [${inner}]. missing date format`)
  }
  const [pattern = '', zone] = splitZone(formatText)
  // Names are formatted with java.time by all versions; the pattern stands in messages as 6.8 writes it.
  const prefix = version === 'Elasticsearch_6.8' ? '8' : ''
  const format = createDateFormat(prefix + (pattern === '' ? 'uuuu.MM.dd' : pattern), 'Elasticsearch_7.10')
  const millis = parseDateMath(math, format, { now, roundUp: false, timeZone: zone })
  return format.format(millis, zone)
}

function splitZone(format: string | undefined): readonly [pattern: string, zone?: string] {
  if (format === undefined) return ['']
  const bar = format.lastIndexOf('|')
  return bar === -1 ? [format] : [format.slice(0, bar), format.slice(bar + 1)]
}
