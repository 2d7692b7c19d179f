import type { QueryArea } from './query-area.ts'
/** Several areas as one: what is in any of them is in it. */
export declare function manyAreas(areas: readonly QueryArea[]): QueryArea
