import { ServiceError } from '../../errors.ts'

/** A script's text, and what it is called where it is stored. */
export interface ScriptSource {
  readonly source: string
  readonly stored?: StoredSource | undefined
}

/** A text that may be kept from who runs it. */
export interface StoredSource {
  readonly id: string
  /** Whether faults may show it; asked when there is one. */
  readonly mayBeTold: () => boolean
}

/** A fault of a script without its text, and without where in it. */
export function withoutText(error: ServiceError, name: string): ServiceError {
  const { cause, metadata } = error.detail
  const inner = cause === undefined ? {} : { cause: withoutText(cause, name) }
  if (error.type !== 'script_exception' || metadata === undefined) return error.with(inner)
  const { position: _, ...rest } = metadata
  return error.with({ ...inner, metadata: { ...rest, script_stack: [], script: name } })
}

/** A fault of a script as it may be told: where it is stored, by its name alone to who may not read it. */
export function asToldOf({ stored }: ScriptSource, error: unknown): unknown {
  if (stored === undefined || !(error instanceof ServiceError) || stored.mayBeTold()) return error
  return withoutText(error, stored.id)
}
