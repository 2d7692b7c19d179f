import { tileOf } from './geo-tile.ts'

/** Tells for many points which cell they are in: column × rows + row. */
export interface GeoColumns {
  /** Cells are below it. */
  readonly count: number
  fill(lats: Float64Array, lons: Float64Array, count: number, cells: Float64Array): void
}

/** Strips of one width that latitudes are cut into. */
const STRIPS = 1 << 15

/** What sines and logarithms may be off by, and much more. */
const DOUBT = 1e-9

/** Where each strip begins on the square map of the world, 0 (north) to 1; of the last its end, too. 256 KiB. */
let strips: Float64Array | undefined

/** A zoom at which places on the map are whole enough numbers to look where strips begin. */
const FINEST = 29

function stripStarts(): Float64Array {
  if (strips !== undefined) return strips
  strips = new Float64Array(STRIPS + 1)
  for (let i = 0; i <= STRIPS; i++) strips[i] = tileOf((i * 180) / STRIPS - 90, 0, FINEST).y / 2 ** FINEST
  return strips
}

/**
 * {@link tileOf} for many points. A sine and a logarithm a point were most of the work: the row is now looked up by the strip
 * that a latitude is in, and computed only where a strip has several rows.
 *
 * @param zoom  0 to 26
 */
export function tileRows(zoom: number): GeoColumns {
  const rows = 2 ** zoom
  const starts = stripStarts()
  const last = rows - 1
  return {
    count: rows * rows,
    fill(lats, lons, count, cells) {
      for (let i = 0; i < count; i++) {
        const lat = lats[i] as number
        const column = Math.floor((((lons[i] as number) + 180) / 360) * rows)
        const strip = Math.min(Math.floor((lat + 90) * (STRIPS / 180)), STRIPS - 1)
        // Rows are counted from the north, strips from the south.
        const lower = Math.min(Math.floor(((starts[strip] as number) + DOUBT) * rows), last)
        const upper = Math.max(Math.floor(((starts[strip + 1] as number) - DOUBT) * rows), 0)
        const row = lower === upper ? lower : tileOf(lat, 0, zoom).y
        cells[i] = Math.min(Math.max(column, 0), last) * rows + row
      }
    },
  }
}

/**
 * The columns and rows of geohashes: as many halves of the map as its letters have bits, the first one by longitude.
 *
 * @param letters  1 to 10
 */
export function geohashColumns(letters: number): GeoColumns {
  const columns = 2 ** Math.ceil((letters * 5) / 2)
  const rows = 2 ** Math.floor((letters * 5) / 2)
  return {
    count: columns * rows,
    fill(lats, lons, count, cells) {
      for (let i = 0; i < count; i++) {
        cells[i] = placeOf(lons[i] as number, 180, columns) * rows + placeOf(lats[i] as number, 90, rows)
      }
    },
  }
}

/** Which of the parts from -end to end has a value; where two meet it is the greater's. */
function placeOf(value: number, end: number, parts: number): number {
  const width = (2 * end) / parts
  const guess = Math.floor(((value + end) / (2 * end)) * parts)
  let place = Math.min(Math.max(guess, 0), parts - 1)
  // The sum is rounded, while all places where parts meet are exact.
  if (place > 0 && value < place * width - end) place--
  else if (place < parts - 1 && value >= (place + 1) * width - end) place++
  return place
}

/** Five bits with as many zeros between them. */
const SPREAD = Int32Array.from({ length: 32 }, (_, bits) => {
  let spread = 0
  for (let bit = 0; bit < 5; bit++) spread |= ((bits >> bit) & 1) << (2 * bit)
  return spread
})

/** The letters, as a number, of a cell of {@link geohashColumns}. */
export function geohashNumberOf(cell: number, letters: number): number {
  const rows = 2 ** Math.floor((letters * 5) / 2)
  const isOdd = letters % 2 === 1
  const pairs = (letters + 1) >> 1
  // Two letters are five bits of each; where one is alone zeros stand for the other.
  const column = Math.floor(cell / rows) * (isOdd ? 4 : 1)
  const row = (cell % rows) * (isOdd ? 8 : 1)
  let number = 0
  for (let pair = pairs - 1; pair >= 0; pair--) {
    const [x, y] = [Math.floor(column / 32 ** pair) % 32, Math.floor(row / 32 ** pair) % 32]
    number = number * 1024 + (((SPREAD[x] as number) << 1) | (SPREAD[y] as number))
  }
  return isOdd ? Math.floor(number / 32) : number
}
