import type { DomainProcess } from '../../scripts/domain-process.ts'

/** What asks a domain for one thing after the other while it is killed, and knows what there must be afterwards. */
export interface SoakLoad {
  readonly faults: string[]
  /** Requests that were acknowledged. */
  readonly acknowledged: number
  /** Requests that were under way when the domain was killed. */
  readonly cutOff: number
  /** Called once, before the first round. */
  prepare?(domain: DomainProcess): Promise<void>
  /** Works until the domain is gone. */
  work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void>
  /** Compares what there is with what must be; answers how many things that were. */
  compare(domain: DomainProcess): Promise<number>
  /** Called once, after the last round. */
  close?(): void
}
