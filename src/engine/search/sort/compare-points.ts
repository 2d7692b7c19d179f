interface Point {
  readonly lat: number
  readonly lon: number
}

/** The order in which Lucene keeps a document's points: by latitude; east of Greenwich come before those west of it. */
export function comparePoints(a: Point, b: Point): number {
  return a.lat - b.lat || Number(a.lon < 0) - Number(b.lon < 0) || a.lon - b.lon
}
