/** A table of the identities, and what its records are called in messages. */
const WORDS = {
  user: 'user',
  role: 'role',
  key: 'access key',
  session: 'session',
  person: 'person of the pool',
} as const

/** What to do about a record that cannot be read. */
const REMEDIES = {
  user: (name) => `chaja user remove ${name}, then add it and its keys again`,
  role: (name) => `chaja role remove ${name}, then add it again`,
  key: (name) => `chaja key remove ${name}, then add another`,
  session: () => 'sign in again',
  person: (name) => `chaja pool remove ${name}, then add them again`,
} as const satisfies Record<keyof typeof WORDS, (name: string) => string>

/**
 * A record of the identities that is not as it was written. It counts for nothing: whoever it lets in is refused, and nobody
 * else may take its name.
 */
export class DamagedIdentityError extends Error {
  override readonly name = 'DamagedIdentityError'
  /** `key/AKIA…` */
  readonly key: string

  /** @param text  what is left of it */
  constructor(key: string, text: string) {
    const [table = '', name = ''] = key.split(/\/(.*)/s)
    if (Object.hasOwn(WORDS, table)) {
      const kind = table as keyof typeof WORDS
      const [, what, owner] = /"(user|role)Name":"([\w+=,.@-]{1,64})"/.exec(text) ?? []
      const of = owner === undefined ? '' : ` (of ${what} [${owner}], as far as it can be read)`
      super(`${WORDS[kind]} [${name}]${of} is damaged on disk: ${REMEDIES[kind](name)}`)
    } else if (key === 'meta/policy') super('the stored access policy is damaged on disk: chaja policy set <file>')
    else super(`the entry [${key}] of the identities is damaged on disk`)
    this.key = key
  }
}
