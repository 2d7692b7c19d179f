import { isDeepStrictEqual } from 'node:util'
import type { DomainProcess } from '../../scripts/domain-process.ts'
import { type Answer, ask } from './ask-domain.ts'
import type { SoakLoad } from './soak-load.ts'

/** What there is, by name. */
export type Facts = Record<string, unknown>

/** A request and what comes of it. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** What is so once it was carried out; undefined: what is no more. */
  readonly facts: Facts
  /** True when a part of the facts may have come to be where it is cut off: bulks, many indices. */
  readonly inParts?: boolean
  /** The status that it must be answered with; any of success where it is not said. */
  readonly status?: number
  /** Looks at the answer further; a text is a fault. */
  readonly check?: (answer: Answer) => string | undefined
}

/**
 * A load whose model is a table of facts: each step says which it changes, and after a kill each must be as it was acknowledged,
 * or, of the step that was under way, as that makes it.
 */
export abstract class ModelLoad implements SoakLoad {
  protected readonly number: number
  protected readonly random: () => number
  /** What was acknowledged. */
  protected facts: Facts = {}
  readonly faults: string[] = []
  acknowledged = 0
  cutOff = 0
  #underWay: Step | undefined
  #counter = 0

  constructor(number: number, random: () => number) {
    this.number = number
    this.random = random
  }

  /** What to do next; undefined where there is nothing to be done now. */
  protected abstract step(): Step | undefined

  /** Reads all facts from a domain. @throws {Error} when something of it cannot be so */
  protected abstract read(domain: DomainProcess): Promise<Facts>

  /** Carries a step out. @throws {Error} when the domain is gone */
  protected perform(domain: DomainProcess, { method, path, body }: Step): Promise<Answer> {
    return ask(domain, method, path, body)
  }

  /** Whether a fact may be so where a step was carried out in part. */
  protected isInBetween(_name: string, _found: unknown, _before: unknown, _after: unknown): boolean {
    return false
  }

  /** A number that was never given before. */
  protected next(): number {
    return ++this.#counter
  }

  protected below(n: number): number {
    return Math.floor(this.random() * n)
  }

  protected pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Some of the numbers below `n`, each once. */
  protected some(most: number, n: number): number[] {
    return [...new Set(Array.from({ length: 1 + this.below(most) }, () => this.below(n)))]
  }

  /** A bulk of which no item may be refused. */
  protected bulk(path: string, lines: readonly string[], facts: Facts): Step {
    return {
      method: 'POST',
      path,
      body: lines.join(''),
      facts,
      inParts: true,
      check: ({ json }) => (json.errors ? 'items are refused' : undefined),
    }
  }

  /** Keeps writes out of an index, which is a fact (`blocked`), or lets them in again. */
  protected block(index: string, blocks: boolean): Step {
    return {
      method: 'PUT',
      path: `/${index}/_settings`,
      body: { 'index.blocks.write': blocks ? true : null },
      facts: { blocked: blocks ? true : undefined },
    }
  }

  async work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void> {
    while (!killing.now) {
      const step = this.step()
      if (step === undefined) continue
      this.#underWay = step
      try {
        const answer = await this.perform(domain, step)
        const expected = step.status === undefined ? answer.status < 300 : answer.status === step.status
        const fault = expected ? step.check?.(answer) : `it is answered with ${answer.status}`
        if (fault !== undefined) {
          this.#fault(`${fault}: ${JSON.stringify(answer.json).slice(0, 400)}`)
          return
        }
        this.facts = changed(this.facts, step.facts)
        this.#underWay = undefined
        this.acknowledged++
      } catch (error) {
        // The connection broke: it may have been carried out or not.
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (!killing.now) this.#fault((error as Error).message)
        return
      }
    }
  }

  async compare(domain: DomainProcess): Promise<number> {
    const step = this.#underWay
    if (step !== undefined) this.cutOff++
    const before = this.facts
    const after = step === undefined ? before : changed(before, step.facts)
    let found: Facts
    try {
      found = await this.read(domain)
    } catch (error) {
      this.#fault(`cannot be read: ${(error as Error).message}`)
      return 0
    }
    const names = [...new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(found)])]
    const unlike = (facts: Facts) => names.filter((name) => !isDeepStrictEqual(found[name], facts[name]))
    const missed = unlike(before)
    const isPart = (name: string) => this.isInBetween(name, found[name], before[name], after[name])
    const faulty = step?.inParts ? missed.filter((name) => unlike(after).includes(name) && !isPart(name)) : missed
    if (faulty.length > 0 && (step?.inParts || unlike(after).length > 0)) {
      for (const name of faulty.slice(0, 5))
        this.#fault(`${name} is ${text(found[name])}, where ${text(before[name])} was acknowledged`)
    }
    this.facts = found
    this.#underWay = undefined
    return names.length
  }

  #fault(words: string): void {
    const { method, path } = this.#underWay ?? { method: 'nothing', path: '' }
    this.faults.push(`${this.constructor.name} ${this.number}: ${words} (under way: ${method} ${path})`)
  }
}

function changed(facts: Facts, changes: Facts): Facts {
  const result = { ...facts, ...changes }
  for (const [name, value] of Object.entries(result)) if (value === undefined) delete result[name]
  return result
}

const text = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 300)
