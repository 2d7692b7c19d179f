import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DomainProcess } from '../../scripts/domain-process.ts'
import { startTransfer } from '../transfer/transfer-command.ts'
import { AgreementHistory } from './agreement-history.ts'
import { ask } from './ask-domain.ts'
import type { SoakLoad } from './soak-load.ts'

/** {@link AgreementHistory} with a domain that is killed. */
export class AgreementLoad implements SoakLoad {
  readonly #history: AgreementHistory

  constructor(number: number, random: () => number) {
    this.#history = new AgreementHistory(number, random)
  }

  get faults(): string[] {
    return this.#history.faults
  }

  get acknowledged(): number {
    return this.#history.acknowledged
  }

  get cutOff(): number {
    return this.#history.cutOff
  }

  prepare(domain: DomainProcess): Promise<void> {
    return this.#history.prepare(askOf(domain))
  }

  async work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void> {
    const children = new Set<ChildProcess>()
    const folder = mkdtempSync(join(tmpdir(), 'chaja-agreed-'))
    this.#history.transfer = async (source, target) => {
      const { child, ended } = startTransfer([`${domain.url}/${source}`, `${domain.url}/${target}`], { folder })
      children.add(child)
      const { code, stderr } = await ended
      children.delete(child)
      return code === 0 ? undefined : `${code} ${stderr.slice(-600)}`
    }
    domain.child.once('exit', () => {
      for (const child of children) child.kill('SIGKILL')
    })
    await this.#history.work(askOf(domain), killing)
    rmSync(folder, { recursive: true, force: true })
  }

  compare(domain: DomainProcess): Promise<number> {
    return this.#history.compare(askOf(domain))
  }
}

const askOf = (domain: DomainProcess) => (method: string, path: string, body?: unknown) =>
  ask(domain, method, path, body)
