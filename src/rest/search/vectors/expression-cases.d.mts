export const PROPERTIES: object
export const DOCUMENTS: readonly string[]
export const PLACES: Readonly<Record<string, (script: object) => object>>
export function shown(status: number, json: unknown): unknown
