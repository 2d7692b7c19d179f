import { castFailure } from '../../engine/java/java-class-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { classOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'

/** `sort`: the values of a list in their order. */
export const sort: ProcessorFactory = (config) => {
  const field = config.text('field')
  const target = config.text('target_field', field)
  const order = config.text('order', 'asc')
  if (order !== 'asc' && order !== 'desc')
    throw config.fault('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`)
  return (document) => {
    const list = document.list(field)
    if (list === null) throw new IngestFault(`field [${field}] is null, cannot sort.`)
    const sign = order === 'asc' ? 1 : -1
    checkComparable(list, sign)
    document.set(
      target,
      [...list].sort((a, b) => sign * compare(a, b)),
    )
    return undefined
  }
}

/** Values of different classes cannot be compared, nor lists and objects, nor what is not there. @throws {IngestFault} */
function checkComparable(list: readonly Value[], sign: number): void {
  for (let index = 1; index < list.length; index++) {
    // Java compares each value with the one before it, the other way round for the reverse order.
    const first = list[sign === 1 ? index : index - 1] as Value
    const second = list[sign === 1 ? index - 1 : index] as Value
    const [own, other] = [classOf(first), classOf(second)]
    if (first === null || second === null)
      throw new IngestFault('Cannot compare with what is null', 'null_pointer_exception')
    if (/ArrayList|HashMap/.test(own))
      throw new IngestFault(castFailure(own, 'java.lang.Comparable'), 'class_cast_exception')
    if (own !== other) throw new IngestFault(castFailure(other, own), 'class_cast_exception')
  }
}

function compare(a: Value, b: Value): number {
  const [left, right] = [a, b].map((value) => (value instanceof JsonNumber ? value.value : value)) as [number, number]
  return left < right ? -1 : left > right ? 1 : 0
}
