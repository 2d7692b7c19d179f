/** The westernmost and easternmost longitudes there are. */
export declare const MIN_ENCODED: number
export declare const MAX_ENCODED: number
/** A latitude as Lucene indexes it: the step at or below it. @throws {ServiceError} beyond the poles */
export declare function encodeLat(degrees: number): number
/** The step at or above a latitude. @throws {ServiceError} beyond the poles */
export declare function encodeLatCeil(degrees: number): number
/** A longitude as Lucene indexes it. @throws {ServiceError} beyond ±180° */
export declare function encodeLon(degrees: number): number
/** The step at or above a longitude. @throws {ServiceError} beyond ±180° */
export declare function encodeLonCeil(degrees: number): number
/** Degrees of an encoded latitude. */
export declare function decodeLat(encoded: number): number
/** Degrees of an encoded longitude. */
export declare function decodeLon(encoded: number): number
/** @throws {ServiceError} illegal_argument_exception */
export declare function checkLat(degrees: number): void
/** @throws {ServiceError} illegal_argument_exception */
export declare function checkLon(degrees: number): void
/** A longitude brought onto the map; -180 becomes 180. */
export declare function normalizeLon(degrees: number): number
/** A latitude beyond a pole brought back. */
export declare function normalizeLat(degrees: number): number
/** A turn's rest in (-180, 180]. */
export declare function centered(degrees: number): number
