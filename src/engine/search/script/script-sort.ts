import { ServiceError } from '../../../errors.ts'
import { greatest, least as leastNumber } from '../../algorithms/long-lists.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { ScriptSortKey } from '../search-request.ts'
import { combineNumbers } from '../sort/combined-values.ts'
import { nestedSortDocs } from '../sort/nested-sort.ts'
import type { SegmentSort, SortValue } from '../sort/segment-sort.ts'
import { compileIndexScript } from './index-script.ts'
import { numberResult, textResult } from './script-results.ts'

/**
 * Sorts by what a script gives for each document, or for each of its nested objects.
 *
 * @throws {ServiceError} script_exception; illegal_argument_exception for a mode that there is none of
 */
export function scriptSort(key: ScriptSortKey, searcher: IndexSearcher): (leaf: Leaf) => SegmentSort {
  const { script, type, order, nested: objectsOf, watch } = key
  const isNumber = type === 'number'
  const compiled = compileIndexScript(script, isNumber ? 'number_sort' : 'string_sort', {
    searcher,
    engineVersion: searcher.mapping.engineVersion,
    watch,
  })
  const nested = nestedSortDocs(objectsOf, searcher)
  const mode = key.mode ?? (order === 'desc' ? 'max' : 'min')
  if (nested !== undefined && mode === 'median') {
    throw new ServiceError('illegal_argument_exception', 'Unsupported sort mode: MEDIAN', { inQueryPhase: true })
  }
  const most = objectsOf?.maxChildren ?? Number.MAX_SAFE_INTEGER
  return (leaf) => {
    const opened = compiled.open(leaf.segment)
    const value = (doc: number, score: number): number | string => {
      const result = isNumber ? opened.runNumber(doc, { score }) : opened.run(doc, { score })
      if (!isNumber) return textResult(result as ScriptValue)
      // What 7.x declares to be a double is one already.
      return Number(numberResult(result as ScriptValue))
    }
    const objects = nested?.(leaf)
    if (objects === undefined) return { read: value, before: () => undefined }
    const read = (root: number, score: number): SortValue => {
      const found: (number | string)[] = []
      objects(root, (doc) => {
        if (found.length >= most) return true
        found.push(value(doc, score))
        return false
      })
      return isNumber ? joined(found as number[], mode) : least(found as string[], mode)
    }
    return { read, before: () => undefined }
  }
}

function joined(numbers: number[], mode: NonNullable<ScriptSortKey['mode']>): number {
  if (numbers.length === 0) return Number.MAX_VALUE
  if (mode === 'min') return leastNumber(numbers)
  if (mode === 'max') return greatest(numbers)
  return combineNumbers(
    numbers.sort((a, b) => a - b),
    mode,
  ) as number
}

function least(texts: string[], mode: NonNullable<ScriptSortKey['mode']>): string | null {
  const sorted = texts
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  return (mode === 'max' ? sorted.at(-1) : sorted[0])?.text ?? null
}
