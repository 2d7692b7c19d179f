/** A user: somebody with long-term keys. */
export interface UserRecord {
  readonly name: string
  /** `/` or `/staff/`; part of the ARN. */
  readonly path: string
  readonly createdAt: string
  /** Attached identity policies, JSON text by name. */
  readonly policies: Readonly<Record<string, string>>
}

/** A role: what sessions are of. */
export interface RoleRecord {
  readonly name: string
  readonly path: string
  readonly createdAt: string
  readonly policies: Readonly<Record<string, string>>
}

/** A user's access key. */
export interface KeyRecord {
  readonly accessKeyId: string
  readonly userName: string
  /** Sealed (secret-box.ts) under the access key's id. */
  readonly secret: string
  readonly active: boolean
  readonly createdAt: string
}

/** Temporary credentials. */
export interface SessionRecord {
  readonly accessKeyId: string
  readonly roleName: string
  readonly sessionName: string
  /** Sealed under the access key's id. */
  readonly secret: string
  /** SHA-256, hexadecimal: the token itself is kept nowhere. */
  readonly tokenHash: string
  readonly expiresAtMs: number
  /** Person of the identity pool it was given to. */
  readonly person: string | undefined
}

/** Somebody signed up with the identity pool. */
export interface PersonRecord {
  readonly name: string
  /** scrypt, see password-hash.ts. */
  readonly passwordHash: string
  /** `us-east-1:<uuid>`: what the cloud calls the identity id. */
  readonly identityId: string
  readonly confirmed: boolean
  readonly enabled: boolean
  readonly createdAt: string
}

/** What a domain tells the commands that work on its data directory. */
export interface DomainRecord {
  readonly name: string
  readonly region: string
  readonly account: string
  /** `https://localhost:9443` */
  readonly url: string
  /** Path of the authority clients have to trust; undefined for plain HTTP or a certificate of one's own. */
  readonly caFile: string | undefined
}
