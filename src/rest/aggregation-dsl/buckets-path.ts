import type { BucketsPath } from '../../engine/aggregation/pipeline-definition.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Reads a path to a result: `a>b.metric`, `a>b[metric]`, `a['key']>b`, `_count`.
 *
 * @throws {ServiceError} aggregation_execution_exception
 */
export function parseBucketsPath(text: string): BucketsPath {
  const names: { name: string; key: string | undefined }[] = []
  let metric: string | undefined
  const tokens = text.split('>')
  tokens.forEach((token, i) => {
    const isLast = i === tokens.length - 1
    const [, name = '', inside] = /^([^[]*)(?:\[(.*)\])?$/.exec(token) ?? []
    if (token === '' || (name === '' && inside === undefined)) {
      throw new ServiceError('aggregation_execution_exception', `Invalid path element [${token}] in path [${text}]`)
    }
    if (inside !== undefined) {
      const quoted = /^'(.*)'$/.exec(inside)
      if (quoted === null && !isLast) {
        throw new ServiceError('aggregation_execution_exception', `Invalid path element [${token}] in path [${text}]`)
      }
      if (quoted === null) metric = inside
      names.push({ name, key: quoted === null ? undefined : (quoted[1] as string) })
      return
    }
    const dot = isLast ? name.lastIndexOf('.') : -1
    if (dot > 0) {
      metric = name.slice(dot + 1)
      names.push({ name: name.slice(0, dot), key: undefined })
    } else if (isLast && (name === '_count' || name === '_key' || name === '_bucket_count')) metric = name
    else names.push({ name, key: undefined })
  })
  return { text, names, metric }
}
