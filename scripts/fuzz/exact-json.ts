import type { Json } from './grammar.ts'

/** JSON with whole numbers beyond 2^53 and -0 as they are, and `name` once more where a member is called `name\0`. */
export function json(value: Json): string {
  const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `@@${v}@@` : Object.is(v, -0) ? '@@-0.0@@' : v))
  return text.replace(/"@@(.*?)@@"/g, '$1').replaceAll('\\u0000":', '":')
}
