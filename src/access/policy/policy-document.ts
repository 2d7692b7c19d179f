import type { PolicyCondition } from './policy-condition.ts'
import type { PolicyText } from './policy-text.ts'

/** A validated, compiled policy. */
export interface PolicyDocument {
  readonly version: '2008-10-17' | '2012-10-17'
  readonly statements: readonly PolicyStatement[]
}

/** One statement, in the order of the document. */
export interface PolicyStatement {
  /** Its place, from 0. */
  readonly index: number
  readonly sid: string | undefined
  readonly effect: 'Allow' | 'Deny'
  /** Undefined in identity policies, which belong to their bearer. */
  readonly principal: PolicyPrincipal | undefined
  readonly action: PatternList
  readonly resource: PatternList
  readonly conditions: readonly PolicyCondition[]
}

/** `Action`/`NotAction` or `Resource`/`NotResource`. */
export interface PatternList {
  /** True for the `Not…` element. */
  readonly negated: boolean
  /** Actions are lower-cased. */
  readonly patterns: readonly PolicyText[]
}

/** `Principal` or `NotPrincipal`. */
export interface PolicyPrincipal {
  readonly negated: boolean
  /** `*`. */
  readonly everyone: boolean
  /** ARNs of users, roles, sessions. */
  readonly arns: ReadonlySet<string>
  /** Accounts named by id or root ARN. */
  readonly accounts: ReadonlySet<string>
  /** Entries of other kinds (Federated, Service, …): nobody who calls a domain is one. */
  readonly others: readonly string[]
}
