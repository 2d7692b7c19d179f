import type { Geometry, Position } from './geometry.ts'
/** A line as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export declare function checkLine(points: readonly Position[]): readonly Position[]
/** A ring as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export declare function checkRing(points: readonly Position[]): readonly Position[]
/** Rings of a polygon as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export declare function checkPolygon(shell: readonly Position[], holes: readonly (readonly Position[])[]): void
/** A collection as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export declare function checkCollection(shapes: readonly Geometry[]): void
/** From 7.x on heights are looked at when all is read. @throws {ServiceError} illegal_argument_exception */
export declare function checkHeights(geometry: Geometry): void
