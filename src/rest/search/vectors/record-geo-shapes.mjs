// Records what a real server answers about shapes: node record-geo-shapes.mjs URL 6|2 FILE
// Shapes are made up from a fixed seed: on a grid, where they touch, and anywhere; some are wrong.
import { writeFileSync } from 'node:fs'
import { ODD_SHAPES } from './odd-shapes.mjs'

const [, , url, version, file] = process.argv
const index = 'recorded-geo-shapes'
const path = `${url}/${index}`
const isSix = version === '6'

let state = 20_261_122
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0
  let t = state
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
const int = (limit) => Math.floor(random() * limit)
const pick = (list) => list[int(list.length)]
const latitude = (y) => Math.max(-90, Math.min(90, y))
const short = (number) => Math.round(number * 1000) / 1000

let center = [0, 0]
let span = 10
const elsewhere = () => {
  const where = random()
  center = where < 0.2 ? [pick([180, -180, 176]), int(100) - 50] : where < 0.7 ? [0, 0] : [int(300) - 150, int(140) - 70]
  span = pick([4, 10, 30])
}
const place = () =>
  random() < 0.6
    ? [center[0] + int(span * 2) - span, latitude(center[1] + int(span) - span / 2)]
    : [short(center[0] + (random() * 2 - 1) * span), short(latitude(center[1] + (random() - 0.5) * span))]
const ringAround = (count, [x, y], radius) => {
  const first = random() * 6.28
  const ring = Array.from({ length: count }, (_, i) => {
    const angle = first + (i * 2 * Math.PI) / count
    const far = radius * (1 - random() / 2)
    return [short(x + far * Math.cos(angle)), short(latitude(y + far * Math.sin(angle)))]
  })
  ring.push([...ring[0]])
  return random() < 0.3 ? ring.reverse() : random() < 0.3 ? ring.map((one) => one.map(Math.round)) : ring
}
const polygon = () => {
  const middle = place()
  const radius = span * (0.1 + random())
  if (random() < 0.1) {
    const ring = [place(), place(), place(), place()]
    return [[...ring, ring[0]]]
  }
  const shell = ringAround(3 + int(7), middle, radius)
  return random() < 0.25 ? [shell, ringAround(3 + int(4), middle, radius / 4)] : [shell]
}
const line = () => Array.from({ length: 2 + int(4) }, place)
const box = () => {
  const [a, b] = [place(), place()]
  const around = (x) => (x > 180 ? x - 360 : x < -180 ? x + 360 : x)
  return [
    [around(Math.min(a[0], b[0])), Math.max(a[1], b[1])],
    [around(Math.max(a[0], b[0])), Math.min(a[1], b[1])],
  ]
}
const shape = (depth = 0) => {
  elsewhere()
  switch (int(depth === 0 ? 9 : 8)) {
    case 0:
      return { type: 'point', coordinates: place() }
    case 1:
      return { type: 'multipoint', coordinates: [place(), place()] }
    case 2:
      return { type: 'linestring', coordinates: line() }
    case 3:
      return { type: 'multilinestring', coordinates: [line(), line()] }
    case 4:
    case 5:
      return { type: 'polygon', coordinates: polygon(), ...(random() < 0.15 ? { orientation: 'left' } : {}) }
    case 6:
      return { type: 'multipolygon', coordinates: [polygon(), polygon()] }
    case 7:
      return { type: 'envelope', coordinates: box() }
    default:
      return { type: 'geometrycollection', geometries: [shape(1), shape(1)] }
  }
}

const ask = async (method, address, body) => {
  const answer = await fetch(address, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}
const fault = (error) => {
  const chain = []
  const start = error.failed_shards?.[0]?.reason ?? error
  for (let at = start; at !== undefined; at = at.caused_by) {
    const reason = String(at.reason)
      .replace(/\[\d+:\d+\] /g, '')
      .replace(/^failed to create query: .*$/s, 'failed to create query')
      .replace(/ at \d+:\d+$/, '')
    chain.push({ type: at.type, reason })
  }
  return chain
}

const properties = {
  s: { type: 'geo_shape' },
  l: { type: 'geo_shape', orientation: 'left' },
  c: { type: 'geo_shape', coerce: true },
  z: { type: 'geo_shape', ignore_z_value: false },
  p: { type: 'geo_point' },
}
await ask('DELETE', path)
const settings = { number_of_shards: 1, number_of_replicas: 0 }
await ask('PUT', path, { settings, mappings: isSix ? { _doc: { properties } } : { properties } })

const documents = []
const add = async (source) => {
  const { status, body } = await ask('PUT', `${path}/_doc/${documents.length}`, source)
  documents.push({ source, answer: status < 300 ? { status } : { status, fault: fault(body.error) } })
}
for (let i = 0; i < 160; i++) {
  const source = { [pick(['s', 's', 's', 'l', 'c'])]: shape() }
  elsewhere()
  const [x, y] = place()
  await add({ ...source, p: { lat: y, lon: ((((x + 180) % 360) + 360) % 360) - 180 } })
}
for (const odd of ODD_SHAPES) for (const field of ['s', 'c', 'z']) await add({ [field]: odd })
await ask('POST', `${path}/_refresh`)

const queries = []
for (let i = 0; i < 320; i++) {
  const field = !isSix && random() < 0.1 ? 'p' : pick(['s', 's', 's', 'l', 'c'])
  const asked = random() < 0.15 ? Object.values(pick(documents).source)[0] : shape()
  const relation = field === 'p' ? 'intersects' : pick(isSix ? ['intersects', 'disjoint', 'within'] : ['intersects', 'disjoint', 'within', 'contains'])
  const query = { geo_shape: { [field]: { shape: asked, relation } } }
  const { status, body } = await ask('POST', `${path}/_search`, { query, size: 1000, _source: false })
  const ids = (body.hits?.hits ?? []).map(({ _id }) => _id).sort()
  queries.push({ query, answer: status === 200 ? { status, ids } : { status, fault: fault(body.error) } })
}
await ask('DELETE', path)
const text = (list) => list.map((one) => JSON.stringify(one)).join(',\n')
writeFileSync(file, `{"properties":${JSON.stringify(properties)},\n"documents":[\n${text(documents)}\n],\n"queries":[\n${text(queries)}\n]}\n`)
