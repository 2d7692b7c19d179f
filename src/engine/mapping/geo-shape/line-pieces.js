import { ServiceError } from '../../../errors.js'
import { centered, checkLat, checkLon, normalizeLat, normalizeLon } from './encoded-degrees.js'
import { partAt, placeAlong } from './ring-edge.js'
/** Cuts a line at the date line as 6.x does. @throws {ServiceError} array_index_out_of_bounds_exception as there */
export function linePiecesSix(line) {
  return cutSix(180, line)
    .flatMap((part) => cutSix(-180, part))
    .map((part) => checkedLine({ xs: part.map(({ x }) => normalizeLon(x)), ys: part.map(({ y }) => normalizeLat(y)) }))
}
function cutSix(dateLine, line) {
  const points = [...line]
  const parts = []
  const shiftOf = ({ x }) => (x > 180 ? -360 : x < -180 ? 360 : 0)
  const moved = (part, by) => (by === 0 ? [...part] : part.map(({ x, y }) => ({ x: x + by, y, z: Number.NaN })))
  let offset = 0
  let shift = shiftOf(points[0])
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]]
    const part = partAt(from.x, to.x, dateLine)
    if (part === undefined) continue
    if (part < 1) {
      const cut = placeAlong(from, to, part)
      parts.push(moved([...points.slice(offset, i), cut], shift))
      // Where the next part begins, but for lines that cross more than once: there 6.x counts wrong.
      const at = offset + i - 1
      if (at >= points.length) {
        throw new ServiceError(
          'array_index_out_of_bounds_exception',
          `Index ${at} out of bounds for length ${points.length}`,
        )
      }
      points[at] = cut
      offset = i - 1
      shift = shiftOf(points[i])
    } else {
      parts.push(moved(points.slice(offset, i + 1), shift))
      offset = i
    }
  }
  if (offset === 0 || offset < points.length - 1) parts.push(moved(points.slice(offset), shift))
  return parts
}
/** Cuts a line wherever it leaves the map, as from 7.x on. */
export function linePieces(line) {
  const places = line.map((place) => normalizedAtPoles(place, false))
  const xs = places.map(({ x }) => x)
  const ys = places.map(({ y }) => y)
  const parts = []
  let offset = 0
  let shift = 0
  const add = (partXs, partYs) => {
    parts.push(checkedLine({ xs: partXs.map((x) => (shift === 0 ? x : x + shift)), ys: partYs }))
  }
  for (let i = 1; i < xs.length; ) {
    const [fromX, toX, fromY, toY] = [xs[i - 1], xs[i], ys[i - 1], ys[i]]
    const newShift = shiftAt(fromX, toX < fromX)
    if (i - offset > 1 && newShift !== shift) {
      add(xs.slice(offset, i), ys.slice(offset, i))
      shift = newShift
      offset = i - 1
      continue
    }
    shift = newShift
    const part = cutOf(fromX + shift, toX + shift)
    if (part === undefined) {
      i++
      continue
    }
    const cutX = (toX > fromX ? 180 : -180) - shift
    const cutY = fromY + (toY - fromY) * part
    add([...xs.slice(offset, i), cutX], [...ys.slice(offset, i), cutY])
    xs[i - 1] = cutX
    ys[i - 1] = cutY
    offset = i - 1
  }
  if (offset === 0 || offset < xs.length - 1) add(xs.slice(offset), ys.slice(offset))
  return parts
}
function shiftAt(x, isWestward) {
  const onMap = centered(x)
  const shift = Math.floor(onMap - x + 0.5)
  return !isWestward && onMap === 180 ? shift - 360 : shift
}
function cutOf(fromX, toX) {
  if (fromX === toX) return undefined
  const part = ((fromX < toX ? 180 : -180) - fromX) / (toX - fromX)
  return part >= 1 || part <= 0 ? undefined : part
}
/** A place brought onto the map, beyond the poles and around. */
export function normalizedPlace({ x, y }) {
  const isAround = x > 180 || x < -180 || y > 90 || y < -90
  const place = normalizedAtPoles({ x, y }, isAround)
  return isAround ? { x: centered(place.x), y: place.y } : place
}
function normalizedAtPoles({ x, y }, isAround) {
  if (!(y > 90 || y < -90)) return { x, y }
  const lat = centered(y)
  if (lat >= -90 && lat <= 90) return { x, y: lat }
  const shift = isAround || normalizeLon(x) <= 0 ? 180 : -180
  return { x: x + shift, y: lat < -90 ? -180 - lat : 180 - lat }
}
function checkedLine({ xs, ys }) {
  for (let i = 0; i < xs.length; i++) {
    checkLat(ys[i])
    checkLon(xs[i])
  }
  return { kind: 'line', xs, ys }
}
