/** A script of a search as its request has it: neither looked up nor compiled yet. */
export interface SearchScript {
  /** Its text, or the name it is stored under. */
  readonly script:
    | { readonly kind: 'inline'; readonly lang: string; readonly source: string }
    | { readonly kind: 'stored'; readonly id: string; readonly find: FindStoredScript }
  /** JSON; numbers as `parseLosslessJson` has them. */
  readonly params: Readonly<Record<string, unknown>>
}

/** Finds a script that is stored; undefined: there is none of that name. */
export type FindStoredScript = (id: string) => { readonly lang: string; readonly source: string } | undefined

/** What tells a script from others. */
export function scriptKey({ script, params }: SearchScript): string {
  const name = script.kind === 'inline' ? [script.lang, script.source] : [script.id]
  return JSON.stringify([...name, params], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
