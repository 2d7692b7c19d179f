/** A place as it was written: longitude, latitude and, if there is one, height (else NaN). In degrees, anywhere. */
export interface Position {
  readonly x: number
  readonly y: number
  readonly z: number
}
/** Rings of a polygon, each closed; the first is its outline. */
export interface PolygonGeometry {
  readonly kind: 'polygon'
  readonly shell: readonly Position[]
  readonly holes: readonly (readonly Position[])[]
  /** True: an outline counter to the clock goes around the smaller part of the earth; false: one with the clock does. */
  readonly isRight: boolean
}
/** A shape as a document or a query says it, before it is cut at the date line. */
export type Geometry =
  | {
      readonly kind: 'point'
      readonly point: Position
    }
  | {
      readonly kind: 'multipoint'
      readonly points: readonly Position[]
    }
  | {
      readonly kind: 'linestring'
      readonly line: readonly Position[]
    }
  | {
      readonly kind: 'multilinestring'
      readonly lines: readonly (readonly Position[])[]
    }
  | PolygonGeometry
  | {
      readonly kind: 'multipolygon'
      readonly polygons: readonly PolygonGeometry[]
    }
  | {
      readonly kind: 'envelope'
      readonly left: number
      readonly right: number
      readonly top: number
      readonly bottom: number
    }
  | {
      readonly kind: 'circle'
      readonly center: Position
      readonly meters: number
    }
  | {
      readonly kind: 'geometrycollection'
      readonly shapes: readonly Geometry[]
    }
/** How a field reads shapes. */
export interface ShapeReading {
  /** True: rules and words of 6.x. */
  readonly isVersion6: boolean
  /** As of {@link PolygonGeometry}, for polygons that say nothing. */
  readonly isRight: boolean
  /** True: rings that are not closed are closed. */
  readonly coerce: boolean
  /** False: a third coordinate is refused. */
  readonly ignoreZ: boolean
}
/** How shapes are read where no field says it. */
export declare function defaultReading(isVersion6: boolean): ShapeReading
