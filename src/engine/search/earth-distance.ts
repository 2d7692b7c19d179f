import { EARTH_RADIUS_METERS, RADIANS } from '../mapping/geo/earth.ts'

/** Cosines and sines of a full turn in 2048 steps; the turn is kept in two parts, whose sum has more digits. */
const TURN_HIGH = 4 * 1.5707963267341256
const TURN_LOW = 4 * 6.077100506506192e-11
const STEPS = 2048
const STEP_HIGH = TURN_HIGH / STEPS
const STEP_LOW = TURN_LOW / STEPS
const STEPS_PER_RADIAN = 1 / (STEP_HIGH + STEP_LOW)

const cosines = new Float64Array(STEPS + 1)
const sines = new Float64Array(STEPS + 1)

/** Arc sines up to that of 73°, each with its first four derivatives over their factorials. */
const LARGEST_SINE = Math.sin(73 * RADIANS)
const SINE_STEPS = 8192
const SINE_STEP = LARGEST_SINE / SINE_STEPS
const arcSines = new Float64Array((SINE_STEPS + 1) * 5)

let isReady = false

/** Fills the tables, when the first distance is asked for. */
function prepare(): void {
  for (let i = 0; i <= STEPS; i++) {
    const angle = i * STEP_HIGH + i * STEP_LOW
    cosines[i] = i === STEPS / 4 || i === (STEPS * 3) / 4 ? 0 : Math.cos(angle)
    sines[i] = i === STEPS / 2 || i === STEPS ? 0 : Math.sin(angle)
  }
  for (let i = 0; i <= SINE_STEPS; i++) {
    const x = i * SINE_STEP
    const inverse = 1 / (1 - x * x)
    const first = Math.sqrt(inverse)
    const second = first * inverse
    const third = second * inverse
    const fourth = third * inverse
    arcSines.set(
      [
        Math.asin(x),
        first,
        (x * second) / 2,
        ((1 + 2 * x * x) * third) / 6,
        ((5 + 2 * x * (2 + x * (5 - 2 * x))) * fourth) / 24,
      ],
      i * 5,
    )
  }
  isReady = true
}

/** Cosine as Lucene's SloppyMath approximates it: from a table, by Taylor's series. */
function cosine(radians: number): number {
  const angle = Math.abs(radians)
  const nearest = Math.trunc(angle * STEPS_PER_RADIAN + 0.5)
  const rest = angle - nearest * STEP_HIGH - nearest * STEP_LOW
  const at = nearest & (STEPS - 1)
  const c = cosines[at] as number
  const s = sines[at] as number
  return c + rest * (-s + rest * (-c * (1 / 2) + rest * (s * (1 / 6) + rest * c * (1 / 24))))
}

/** Arc sine of 0 to 1, likewise. */
function arcSine(sine: number): number {
  if (sine > LARGEST_SINE) return steepArcSine(sine)
  const nearest = Math.trunc(sine * (1 / SINE_STEP) + 0.5)
  const rest = sine - nearest * SINE_STEP
  const at = nearest * 5
  const value = arcSines[at] as number
  const first = arcSines[at + 1] as number
  const second = arcSines[at + 2] as number
  const third = arcSines[at + 3] as number
  const fourth = arcSines[at + 4] as number
  return value + rest * (first + rest * (second + rest * (third + rest * fourth)))
}

/** Arc sine near 1, by fdlibm's rational approximation. */
function steepArcSine(sine: number): number {
  const t = (1 - sine) * 0.5
  const p = t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * (P[4] + t * P[5])))))
  const q = 1 + t * (Q[0] + t * (Q[1] + t * (Q[2] + t * Q[3])))
  const s = Math.sqrt(t)
  return 1.5707963267948966 - ((s + (s * p) / q) * 2 - 6.123233995736766e-17)
}

const P = [
  0.16666666666666666, -0.3255658186224009, 0.20121253213486293, -0.04005553450067941, 0.0007915349942898145,
  3.479331075960212e-5,
] as const
const Q = [-2.403394911734414, 2.0209457602335057, -0.6882839716054533, 0.07703815055590194] as const

/** The bits below those that Lucene keeps of a sort key, so that platforms agree. */
const ROUNDED = new Float64Array(1)
const ROUNDED_WORDS = new Uint32Array(ROUNDED.buffer)

function withoutLastBits(value: number): number {
  ROUNDED[0] = value
  // Little-endian: the first word is the lower one.
  ROUNDED_WORDS[0] = ((ROUNDED_WORDS[0] as number) & 0xfffffff8) >>> 0
  return ROUNDED[0] as number
}

/**
 * Meters along the surface of a sphere, digit by digit as the real servers say them.
 *
 * @source Lucene's SloppyMath.haversinMeters
 */
export function arcMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  if (!isReady) prepare()
  const x1 = lat1 * RADIANS
  const x2 = lat2 * RADIANS
  const h1 = 1 - cosine(x1 - x2)
  const h2 = 1 - cosine((lon1 - lon2) * RADIANS)
  const key = withoutLastBits(h1 + cosine(x1) * cosine(x2) * h2)
  return EARTH_RADIUS_METERS * 2 * arcSine(Math.min(1, Math.sqrt(key * 0.5)))
}

/** Meters on a map that is flat around the latitude between both. */
export function planeMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x = (lon2 - lon1) * RADIANS * Math.cos(((lat1 + lat2) / 2) * RADIANS)
  const y = (lat2 - lat1) * RADIANS
  return Math.sqrt(x * x + y * y) * EARTH_RADIUS_METERS
}
