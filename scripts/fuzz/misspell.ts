import { json } from './exact-json.ts'
import type { Json } from './grammar.ts'
import type { Random } from './random.ts'
import type { Call } from './searches.ts'

/** What the real servers read by hand: where an object is none they look for its end for ever, and answer nobody any more. */
const ENDLESS = new Set(['termvectors', 'artificial'])

/** A call as somebody in a hurry writes it: with a mistake in its body, or two. */
export function misspelt(random: Random, call: Call): Call {
  const { body } = call
  if (ENDLESS.has(call.kind)) return call
  if (typeof body === 'object' && body !== null) return { ...call, body: mistaken(random, body) }
  if (typeof body !== 'string' || !body.endsWith('\n')) return call
  const lines = body.slice(0, -1).split('\n')
  const at = random.whole(0, lines.length - 1)
  const line = parsed(lines[at] as string)
  return line === undefined ? call : { ...call, body: `${lines.with(at, json(mistaken(random, line))).join('\n')}\n` }
}

/** A line of a bulk, unless it is wrong already. */
function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function mistaken(random: Random, body: Json): Json {
  const copy = structuredClone(body)
  for (let faults = random.chance(0.3) ? 2 : 1; faults > 0; faults--) mistake(random, copy)
  return copy
}

/** Changes one of the members, at any depth. */
function mistake(random: Random, body: Json): void {
  const members = [...membersOf(body)]
  if (members.length === 0) return
  const { holder, name } = random.pick(members)
  if (Array.isArray(holder)) {
    holder[Number(name)] = random.pick(OTHERS)(holder[Number(name)])
    return
  }
  const change = random.pick(MISTAKES)
  const changed = change(random, name, holder[name], members)
  const kept = Object.entries(holder).flatMap((entry) => (entry[0] === name ? changed : [entry]))
  for (const key of Object.keys(holder)) delete holder[key]
  Object.assign(holder, Object.fromEntries(kept))
}

interface Member {
  readonly holder: Json
  readonly name: string
}

function* membersOf(value: Json): Generator<Member> {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    yield { holder: value, name }
    yield* membersOf(value[name])
  }
}

type Entries = [string, Json][]

/** What becomes of a member. Of the wrong type is what clients send most. */
const MISTAKES: readonly ((random: Random, name: string, value: Json, members: readonly Member[]) => Entries)[] = [
  (random, name, value) => [[random.chance(0.5) ? dropped(random, name) : exchanged(random, name), value]],
  (random, _name, value, members) => [[random.chance(0.5) ? random.pick(members).name : random.pick(NAMES), value]],
  (random, name, value) => beside(random, [name, value], [random.pick(['zzz', ...NAMES]), random.pick(VALUES)]),
  (random, name, value) => [[name, random.pick(OTHERS)(value)]],
  (random, name, value) => [[name, random.pick(OTHERS)(value)]],
  (random, name) => [[name, random.pick(VALUES)]],
  () => [],
  // `json` writes the mark that makes two names of it as nothing.
  (random, name, value) => [
    [name, value],
    [`${name}\0`, random.chance(0.5) ? value : random.pick(VALUES)],
  ],
]

const beside = (random: Random, known: [string, Json], unknown: [string, Json]): Entries =>
  random.chance(0.5) ? [known, unknown] : [unknown, known]

const dropped = (random: Random, name: string): string => {
  const at = random.whole(0, name.length - 1)
  return name.slice(0, at) + name.slice(at + 1)
}
const exchanged = (random: Random, name: string): string => {
  const at = random.whole(0, name.length - 1)
  return `${name.slice(0, at)}x${name.slice(at + 1)}`
}

/** The value as it is not meant. */
const OTHERS: readonly ((value: Json) => Json)[] = [
  (value) => [value],
  (value) => ({ zzz: value }),
  (value) => (typeof value === 'object' ? json(value) : { value }),
  (value) => (typeof value === 'object' && value !== null ? (Object.values(value)[0] ?? null) : [value, value]),
  () => null,
  () => ({}),
]
const VALUES: readonly Json[] = [null, '', {}, [], 7, -1.5, true, 'zzz', [{}], [[]], { zzz: 1 }, [null]]
/** Members of this and that. */
const NAMES =
  'query field fields boost size from sort order script filter params value analyzer aggs terms match bool settings mappings type properties format missing _name name source _id index doc'.split(
    ' ',
  )
