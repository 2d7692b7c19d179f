import type { Json } from './grammar.ts'

/** Queries and so on that hold others, which may stand alone. */
const HOLDERS = new Set('bool dis_max constant_score function_score boosting nested has_child has_parent'.split(' '))

/**
 * Makes a body as small as it goes while it still shows the same.
 *
 * @param shows  whether a smaller body still does
 * @param most   how often to ask at most
 */
export async function reduce(body: Json, shows: (smaller: Json) => Promise<boolean>, most = 300): Promise<Json> {
  let left = most
  let smallest = body
  search: for (;;) {
    for (const candidate of smaller(smallest)) {
      if (left-- <= 0) break search
      if (!(await shows(candidate))) continue
      smallest = candidate
      continue search
    }
    break
  }
  return smallest
}

/** One step smaller: without a member, an item or a word, or what a compound query holds in its place. */
function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1)
    for (let i = 0; i < value.length; i++) for (const item of smaller(value[i])) yield value.with(i, item)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const { [name]: _, ...rest } = value
      yield rest
    }
    for (const [name, holder] of Object.entries<Json>(value)) {
      if (HOLDERS.has(name) && holder !== null)
        yield* Object.values<Json>(holder)
          .flat()
          .filter((held) => typeof held === 'object')
    }
    for (const [name, member] of Object.entries(value))
      for (const less of smaller(member)) yield { ...value, [name]: less }
  } else if (typeof value === 'string' && value.includes(' ')) {
    const words = value.split(' ')
    for (let i = 0; i < words.length; i++) yield words.toSpliced(i, 1).join(' ')
  }
}
