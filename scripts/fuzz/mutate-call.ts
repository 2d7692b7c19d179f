import type { Random } from './random.ts'

/** A call as it is sent. */
export interface MutableCall {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** Written into JSON as it is: numbers that JavaScript's cannot hold. */
class RawNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): string {
    return `⟦${this.#text}⟧`
  }
}

type Json = null | boolean | number | string | RawNumber | Json[] | { [name: string]: Json }

const RAW_VALUES = /"⟦(.*?)⟧"/g

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS']
const ODD_TEXTS = [
  ...'* ? - . .. , a, ,a _all _id _source _score _doc nix true null NaN -Infinity'.split(' '),
  ...'0 -1 1e5 1.5 0x1f 99999999999999999999 5d -1s 10kb 50% -1% 75%<-1 now-1d/d now||/M 2020-13-45'.split(' '),
  ...'[ ( { " \\ / /.*/ /(a|b)*/ a~ a^ a:b {{x}} {{#x}} doc["a"].value 1,2 u4pruyd'.split(' '),
  ...'\u0000 \ud800 한국어 가 ㄱ 👨‍👩‍👧 İ ß \u202e'.split(' '),
  ...['', ' ', 'a AND', `$${'{a}'}`, 'ctx._source.a = 1', 'POINT(1 2)', 'POLYGON((0 0,1 1,0 1,0 0))', 'e\u0301'],
  'a'.repeat(40_000),
  '한'.repeat(3_000),
  'a '.repeat(3_000),
  '?*'.repeat(50),
  '('.repeat(500),
]
const ODD_NUMBERS = [
  0, -1, 1, 2, 0.5, -0.5, 1e-9, 1e9, 1e21, 1e308, 127, 128, 32_768, 65_536, 2_147_483_647, 2_147_483_648,
  -2_147_483_649,
]
const RAW_NUMBERS =
  '9223372036854775807 9223372036854775808 -9223372036854775809 1e400 -0 -0.0 1e-400 1.0 184467440737095516160'.split(
    ' ',
  )

function oddValue(random: Random): Json {
  switch (random.whole(0, 9)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.pick(ODD_NUMBERS)
    case 4:
      return new RawNumber(random.pick(RAW_NUMBERS))
    case 5:
      return random.pick<Json>([[], {}, [null], [[]], { a: null }, { '': 1 }, { 'a.b': { c: 1 } }, { '.': 1 }])
    case 6:
      return nested(random.whole(2, 60), random)
    default:
      return random.pick(ODD_TEXTS)
  }
}

function nested(depth: number, random: Random): Json {
  let value: Json = random.pick<Json>([1, 'a', {}])
  for (let i = 0; i < depth; i++) value = random.chance(0.5) ? [value] : { a: value }
  return value
}

/** What stands in many calls: the values that names have, the parts of paths, the values of parameters. */
export class CallPool {
  readonly #values = new Map<string, string[]>()
  readonly #names: string[] = []
  readonly #segments = new Set<string>()
  readonly #parameters = new Map<string, string[]>()

  constructor(calls: readonly MutableCall[]) {
    for (const { path, body } of calls) {
      const [segments = '', query = ''] = path.split('?')
      for (const segment of segments.split('/')) this.#segments.add(segment)
      for (const [name, value] of new URLSearchParams(query)) put(this.#parameters, name, value)
      for (const line of (body ?? '').split('\n')) this.#readValues(tryJson(line))
    }
    this.#names.push(...this.#values.keys())
  }

  #readValues(value: Json | undefined): void {
    if (value === null || typeof value !== 'object' || value instanceof RawNumber) return
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) put(this.#values, name, JSON.stringify(member))
      this.#readValues(member)
    }
  }

  name(random: Random): string {
    return random.pick(this.#names)
  }

  /** What `name` was somewhere; of any name where it is nobody's. */
  value(name: string, random: Random): Json {
    return JSON.parse(random.pick(this.#values.get(name) ?? (this.#values.get(this.name(random)) as string[])))
  }

  segment(random: Random): string {
    return random.pick([...this.#segments])
  }

  parameter(random: Random): string {
    return random.pick([...this.#parameters.keys()])
  }

  parameterValue(name: string, random: Random): string {
    return random.pick(this.#parameters.get(name) ?? ['true'])
  }
}

const MOST_VALUES = 200

function put(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else if (list.length < MOST_VALUES && value.length < 10_000) list.push(value)
}

function tryJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Another call that resembles `call`: a value replaced, a name moved, a parameter more, a byte less. */
export function mutateCall(call: MutableCall, pool: CallPool, random: Random): MutableCall {
  let { method, path, body } = call
  do {
    const what = random.next()
    if (what < 0.03) method = random.pick(METHODS)
    else if (what < 0.2) path = mutatePath(path, pool, random)
    else if (body !== undefined && body !== '') body = mutateBody(body, pool, random)
    else path = mutatePath(path, pool, random)
  } while (random.chance(0.3))
  return { method, path, ...(body === undefined ? {} : { body }) }
}

function mutatePath(path: string, pool: CallPool, random: Random): string {
  const at = path.indexOf('?')
  const segments = (at < 0 ? path : path.slice(0, at)).split('/')
  const parameters = at < 0 ? [] : path.slice(at + 1).split('&')
  const odd = () => encodeURIComponent(random.pick(ODD_TEXTS).toWellFormed().slice(0, 2_000))
  const place = random.whole(1, Math.max(1, segments.length - 1))
  switch (random.whole(0, 7)) {
    case 0:
      segments[place] = pool.segment(random)
      break
    case 1:
      segments[place] = odd()
      break
    case 2:
      segments.splice(place, 1)
      break
    case 3:
      segments.splice(place, 0, random.chance(0.7) ? pool.segment(random) : odd())
      break
    case 4:
      if (parameters.length > 0) parameters.splice(random.whole(0, parameters.length - 1), 1)
      break
    default: {
      const known =
        parameters.length > 0 && random.chance(0.4) ? random.whole(0, parameters.length - 1) : parameters.length
      const name = parameters[known]?.split('=')[0] ?? pool.parameter(random)
      const value = random.chance(0.4) ? odd() : encodeURIComponent(pool.parameterValue(name, random).toWellFormed())
      parameters[known] = `${name}=${value}`
    }
  }
  return `/${segments.slice(1).join('/')}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
}

function mutateBody(body: string, pool: CallPool, random: Random): string {
  if (random.chance(0.06)) return mutateText(body, random)
  const lines = body.split('\n')
  const at = random.whole(0, Math.max(0, lines.length - (lines.at(-1) === '' ? 2 : 1)))
  const isWhole = tryJson(body) !== undefined
  const value = tryJson(isWhole ? body : (lines[at] as string))
  if (value === undefined) return mutateText(body, random)
  const text = JSON.stringify(mutateValue(value, pool, random)).replace(RAW_VALUES, '$1')
  if (isWhole) return text
  lines[at] = text
  return lines.join('\n')
}

function mutateText(text: string, random: Random): string {
  const from = random.whole(0, text.length)
  const to = Math.min(text.length, from + random.whole(0, 12))
  const put = random.pick(['', '', text.slice(from, to).repeat(2), random.pick(ODD_TEXTS), ...'}],"\n', '{"a":'])
  return random.chance(0.15) ? text.slice(0, from) : text.slice(0, from) + put + text.slice(to)
}

/** One place of `value` changed, each as likely. */
function mutateValue(value: Json, pool: CallPool, random: Random): Json {
  const root: { [name: string]: Json } = { '': value }
  const places: [Json[] | { [name: string]: Json }, string][] = []
  const collect = (holder: Json[] | { [name: string]: Json }): void => {
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder, name])
      if (member !== null && typeof member === 'object') collect(member as Json[])
    }
  }
  collect(root)
  const [holder, name] = random.pick(places)
  const members = holder as { [name: string]: Json }
  const old = members[name] as Json
  const isList = Array.isArray(holder)
  switch (random.whole(0, 11)) {
    case 0:
    case 1:
      members[name] = oddValue(random)
      break
    case 2:
    case 3:
    case 4:
      members[name] = pool.value(name, random)
      break
    case 5:
      members[name] = pool.value(pool.name(random), random)
      break
    case 6:
      members[name] = random.chance(0.5) ? [old] : { [pool.name(random)]: old }
      break
    case 7: {
      const inner = old !== null && typeof old === 'object' ? Object.values(old) : []
      if (inner.length > 0) members[name] = random.pick(inner)
      break
    }
    case 8:
      if (isList) holder.splice(Number(name), 1)
      else if (holder !== root) delete members[name]
      break
    case 9:
      if (isList) holder.push(...new Array<Json>(random.pick([1, 2, 100, 1_100])).fill(old))
      else if (holder !== root) {
        delete members[name]
        members[pool.name(random)] = old
      }
      break
    default: {
      const added = pool.name(random)
      if (old !== null && typeof old === 'object' && !Array.isArray(old))
        (old as { [name: string]: Json })[added] = pool.value(added, random)
      else if (!isList && holder !== root) members[added] = pool.value(added, random)
    }
  }
  return root[''] as Json
}
