import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { isMap, type Value } from '../ingest/ingest-document.ts'

/** Objects in the order in which Java's maps hand their members out. */
export function hashOrdered(value: Value): Value {
  if (Array.isArray(value)) return value.map(hashOrdered)
  if (!isMap(value)) return value
  return Object.fromEntries(inJavaHashOrder(Object.keys(value)).map((key) => [key, hashOrdered(value[key] as Value)]))
}
