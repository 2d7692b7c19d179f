import type { FlatShape } from './flat-shape.ts'
import type { Position } from './geometry.ts'

type FlatLine = FlatShape & {
  readonly kind: 'line'
}
/** Cuts a line at the date line as 6.x does. @throws {ServiceError} array_index_out_of_bounds_exception as there */
export declare function linePiecesSix(line: readonly Position[]): FlatLine[]
/** Cuts a line wherever it leaves the map, as from 7.x on. */
export declare function linePieces(line: readonly Position[]): FlatLine[]
/** A place brought onto the map, beyond the poles and around. */
export declare function normalizedPlace({ x, y }: Position): {
  readonly x: number
  readonly y: number
}
