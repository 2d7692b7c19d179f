/** Mean radius of the earth in meters, as Lucene has it. */
export const EARTH_RADIUS_METERS = 6371008.7714

/** Radians of a degree. */
export const RADIANS = Math.PI / 180
