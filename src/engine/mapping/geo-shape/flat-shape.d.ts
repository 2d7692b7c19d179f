/** A ring of longitudes and latitudes on the map, in degrees, its last place being its first. */
export interface Ring {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}
/** A simple shape on the map: nothing crosses the date line any more, but for a box whose left is east of its right. */
export type FlatShape =
  | {
      readonly kind: 'point'
      readonly x: number
      readonly y: number
    }
  | ({
      readonly kind: 'line'
    } & Ring)
  | FlatPolygon
  | {
      readonly kind: 'box'
      readonly left: number
      readonly right: number
      readonly top: number
      readonly bottom: number
    }
  | {
      readonly kind: 'circle'
      readonly x: number
      readonly y: number
      readonly meters: number
    }
/** A polygon on the map. */
export interface FlatPolygon extends Ring {
  readonly kind: 'polygon'
  readonly holes: readonly Ring[]
}
