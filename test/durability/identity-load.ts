import type { DomainProcess } from '../../scripts/domain-process.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'
import { type Answer, ask } from './ask-domain.ts'
import { IdentityAdmin } from './identity-admin.ts'
import type { IdentityCall } from './identity-child.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const NAMES = 3
/** Keys that were refused before are asked about so long. */
const MOST_REFUSED = 200
const PASSWORD = 'correct horse'

/** Of a key: whose it is, and whether it is to work. Of a session: its role, and its person. */
type KeyFact = readonly [state: 'works' | 'refused', of: string, person?: string]

/**
 * Changes users, keys, roles and sessions as the commands do, in a process that is killed with the domain; signs people up, in and
 * out at the domain. A key or session that was ended never works again, one that was shown works until then.
 */
export class IdentityLoad extends ModelLoad {
  readonly #secrets = new Map<string, SigningCredentials>()
  /** Keys that were turned off, of users who are there. */
  #off: string[] = []
  #admin: IdentityAdmin | undefined

  async prepare(domain: DomainProcess): Promise<void> {
    this.#admin = new IdentityAdmin(domain.dataDir)
    await this.#admin.do('list')
  }

  override async work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void> {
    const look = setInterval(() => {
      if (killing.now) this.#admin?.kill()
    }, 1)
    await super.work(domain, killing)
    clearInterval(look)
    this.#admin?.kill()
  }

  override async compare(domain: DomainProcess): Promise<number> {
    await this.prepare(domain)
    const compared = await super.compare(domain)
    const refused = Object.entries(this.facts).filter(
      ([name, fact]) => isKey(name) && (fact as KeyFact)[0] === 'refused',
    )
    for (const [name] of refused.slice(0, -MOST_REFUSED)) if (!this.#off.includes(name)) delete this.facts[name]
    return compared
  }

  close(): void {
    this.#admin?.kill()
  }

  protected step(): Step {
    const [user, role, person] = ['user', 'role', 'person'].map(
      (kind) => `${kind}${this.number}-${this.below(NAMES)}`,
    ) as [string, string, string]
    const working = this.#keys((fact) => fact[0] === 'works' && fact[1].startsWith('user'))
    const dice = this.below(20)
    if (dice < 10) {
      if (dice === 0 || !(user in this.facts)) return this.#addOrRemove('User', user)
      return dice < 5 || working.length === 0 ? this.#shown('addKey', user, [user]) : this.#endKey(this.pick(working))
    }
    if (dice < 15) {
      if (dice === 10 || !(role in this.facts)) return this.#addOrRemove('Role', role)
      return this.#shown('assume', role, [role])
    }
    if (dice < 17 && this.#off.length > 0) return this.#turnOn(this.pick(this.#off))
    return this.#person(person)
  }

  protected override async perform(domain: DomainProcess, step: Step): Promise<Answer> {
    if (step.method !== 'admin') return ask(domain, step.method, step.path, step.body)
    const [call, ...args] = step.path.split(' ') as [IdentityCall, ...string[]]
    return { status: 200, json: await (this.#admin as IdentityAdmin).do(call, ...args) }
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { users, roles, people, damaged } = (await (this.#admin as IdentityAdmin).do('list')) as {
      users: string[]
      roles: string[]
      people: [name: string, enabled: boolean][]
      damaged: string[]
    }
    if (damaged.length > 0) throw new Error(damaged.join())
    const isOwn = (name: string) => /^[a-z]+(\d+)-/.exec(name)?.[1] === String(this.number)
    const facts: Facts = {}
    for (const name of [...users, ...roles].filter(isOwn)) facts[name] = true
    for (const [name, enabled] of people) if (isOwn(name)) facts[name] = enabled ? 'enabled' : 'disabled'
    for (const [name, fact] of Object.entries(this.facts)) {
      if (!isKey(name)) continue
      const [, of, ...person] = fact as KeyFact
      facts[name] = [(await this.#works(domain, name)) ? 'works' : 'refused', of, ...person]
    }
    return facts
  }

  #addOrRemove(kind: 'User' | 'Role', name: string): Step {
    if (!(name in this.facts)) return admin(`add${kind} ${name}`, { [name]: true })
    this.#off = this.#off.filter((id) => (this.facts[id] as KeyFact)[1] !== name)
    return admin(`remove${kind} ${name}`, { ...this.#refused((fact) => fact[1] === name), [name]: undefined })
  }

  /** Something whose secret is shown. */
  #shown(
    call: 'addKey' | 'assume' | 'rotateKey',
    argument: string,
    of: readonly [string, string?],
    ended: Facts = {},
  ): Step {
    const facts: Facts = { ...ended }
    return {
      ...admin(`${call} ${argument}`, facts),
      check: ({ json }) => {
        this.#show(json, facts, of)
        return undefined
      },
    }
  }

  #show(shown: SigningCredentials, facts: Facts, of: readonly [string, string?]): void {
    this.#secrets.set(shown.accessKeyId, shown)
    facts[shown.accessKeyId] = ['works', ...of]
  }

  #endKey(id: string): Step {
    const [, user] = this.facts[id] as KeyFact
    const ended = { [id]: ['refused', user] }
    const dice = this.below(3)
    if (dice === 0) return this.#shown('rotateKey', id, [user], ended)
    if (dice === 1) return admin(`removeKey ${id}`, ended)
    const check = () => {
      this.#off.push(id)
      return undefined
    }
    return { ...admin(`disableKey ${id}`, ended), check }
  }

  #turnOn(id: string): Step {
    const [, user] = this.facts[id] as KeyFact
    this.#off = this.#off.filter((other) => other !== id)
    return admin(`enableKey ${id}`, { [id]: ['works', user] })
  }

  #person(name: string): Step {
    const state = this.facts[name]
    if (state === undefined) return pool('sign-up', { Username: name, Password: PASSWORD }, { [name]: 'enabled' })
    const ended = this.#refused((fact) => fact[2] === name)
    if (state === 'disabled') return admin(`enable ${name}`, { [name]: 'enabled' })
    const dice = this.below(8)
    if (dice === 0) return admin(`disable ${name}`, { ...ended, [name]: 'disabled' })
    if (dice === 1) return admin(`removePerson ${name}`, { ...ended, [name]: undefined })
    const sessions = this.#keys((fact) => fact[0] === 'works' && fact[2] === name)
    if (dice < 5 && sessions.length > 0) {
      const id = this.pick(sessions)
      const [, of] = this.facts[id] as KeyFact
      const SessionToken = this.#secrets.get(id)?.sessionToken
      const Everywhere = this.below(2) === 0
      return pool('sign-out', { SessionToken, Everywhere }, Everywhere ? ended : { [id]: ['refused', of, name] })
    }
    const facts: Facts = {}
    return {
      ...pool('sign-in', { Username: name, Password: PASSWORD }, facts),
      check: ({ json: { Credentials: shown } }) => {
        const { AccessKeyId, SecretKey, SessionToken } = shown
        const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretKey, sessionToken: SessionToken }
        this.#show(credentials, facts, ['pool', name])
        return undefined
      },
    }
  }

  /** That keys which work are to be refused. */
  #refused(fits: (fact: KeyFact) => boolean): Facts {
    const working = this.#keys((fact) => fits(fact))
    return Object.fromEntries(
      working.map((id) => {
        const [, of, ...person] = this.facts[id] as KeyFact
        return [id, ['refused', of, ...person]]
      }),
    )
  }

  #keys(fits: (fact: KeyFact) => boolean): string[] {
    return Object.keys(this.facts).filter((name) => isKey(name) && fits(this.facts[name] as KeyFact))
  }

  async #works(domain: DomainProcess, id: string): Promise<boolean> {
    const credentials = this.#secrets.get(id) as SigningCredentials
    const request = { method: 'GET', target: '/', headers: { host: new URL(domain.url).host } }
    const headers = await signRequest(request, credentials, { region: 'us-east-1', hash: nodeHash })
    const { status } = await fetch(`${domain.url}/`, { headers })
    if (status !== 200 && status !== 403) throw new Error(`a signed request is answered with ${status}`)
    return status === 200
  }
}

const isKey = (name: string): boolean => /^A[KS]IA/.test(name)

const admin = (path: string, facts: Facts): Step => ({ method: 'admin', path, facts })

const pool = (call: string, body: object, facts: Facts): Step => ({
  method: 'POST',
  path: `/-/pool/${call}`,
  body,
  facts,
})
