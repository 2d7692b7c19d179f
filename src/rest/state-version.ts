import type { Engine } from '../engine/engine.ts'
import { newUuid } from '../engine/metadata/create-index-settings.ts'

/**
 * Number and id of the cluster's state: others than before when anything of it has changed, so that who keeps a copy sees that it
 * is an old one. Counted from the start of the process.
 */
export class StateVersion {
  readonly #stored: readonly string[]
  #seen: readonly unknown[] = []
  #version = 0
  #uuid = ''

  /** @param stored  namespaces of what the state tells besides indices, templates and settings */
  constructor(stored: readonly string[]) {
    this.#stored = stored
  }

  /** Looks whether anything has changed since it was asked last: what is there is never changed, but replaced. */
  of(engine: Engine): { readonly version: number; readonly state_uuid: string } {
    const now: unknown[] = [engine.persistentSettings, engine.transientSettings]
    for (const index of engine.indices.values()) now.push(index)
    for (const template of engine.templates.values()) now.push(template)
    for (const namespace of this.#stored)
      for (const [name, value] of engine.extras.entries(namespace)) now.push(name, value)
    const isSame = now.length === this.#seen.length && now.every((one, i) => one === this.#seen[i])
    if (!isSame || this.#version === 0) {
      this.#seen = now
      this.#version++
      this.#uuid = newUuid()
    }
    return { version: this.#version, state_uuid: this.#uuid }
  }
}
