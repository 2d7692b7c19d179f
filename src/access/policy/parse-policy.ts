import { isObject } from '../../is-object.ts'
import { compileCondition, type PolicyCondition } from './policy-condition.ts'
import type { PatternList, PolicyDocument, PolicyPrincipal, PolicyStatement } from './policy-document.ts'
import { PolicyText } from './policy-text.ts'
import { type JsonValue, parseStrictJson, StrictJsonError } from './strict-json.ts'

/** A fault of a policy document. */
export interface PolicyIssue {
  /** `Statement[1].Condition.IpAddress.aws:SourceIp`; `''` for the document itself. */
  readonly path: string
  readonly message: string
}

/** A policy that is not taken; the message names every fault and its place. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly issues: readonly PolicyIssue[]

  constructor(issues: readonly PolicyIssue[]) {
    super(issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '))
    this.issues = issues
  }
}

/** The service's own limit. */
const MAX_POLICY_BYTES = 100 * 1024

type JsonObject = { readonly [key: string]: JsonValue }

const STATEMENT_ELEMENTS = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
])
const PRINCIPAL_KINDS = new Set(['AWS', 'Federated', 'Service', 'CanonicalUser'])
const PRINCIPAL_ARN =
  /^arn:aws[\w-]*:(?:iam::(\d{12}):(?:root|(?:user|role)\/[^*?]+)|sts::(\d{12}):(?:assumed-role\/[^*?/]+\/[^*?/]+|federated-user\/[^*?]+))$/

/**
 * Reads and validates a policy: an access policy of the domain (`resource`), or one attached to a user or role (`identity`).
 *
 * @throws {PolicyError} naming every fault; what is misspelt or unknown is refused, since it would widen access silently
 */
export function parsePolicy(text: string, kind: 'resource' | 'identity' = 'resource'): PolicyDocument {
  if (Buffer.byteLength(text) > MAX_POLICY_BYTES) {
    throw new PolicyError([{ path: '', message: `larger than ${MAX_POLICY_BYTES} bytes` }])
  }
  let value: JsonValue
  try {
    value = parseStrictJson(text)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    throw new PolicyError([{ path: '', message: `not valid JSON: ${error.message}` }])
  }
  const reader = new PolicyReader(kind)
  const document = reader.document(value)
  if (document === undefined || reader.issues.length > 0) throw new PolicyError(reader.issues)
  return document
}

class PolicyReader {
  readonly issues: PolicyIssue[] = []
  readonly #kind: 'resource' | 'identity'
  #version2012 = false

  constructor(kind: 'resource' | 'identity') {
    this.#kind = kind
  }

  document(value: JsonValue): PolicyDocument | undefined {
    if (!isObject(value)) return this.#fault('', 'a policy is a JSON object')
    for (const key of Object.keys(value)) {
      if (key !== 'Version' && key !== 'Id' && key !== 'Statement') this.#fault(key, 'unknown element')
    }
    const version = value['Version'] ?? '2008-10-17'
    if (version !== '2012-10-17' && version !== '2008-10-17') {
      return this.#fault('Version', 'must be "2012-10-17" or "2008-10-17"')
    }
    this.#version2012 = version === '2012-10-17'
    const id = value['Id']
    if (id !== undefined && typeof id !== 'string') this.#fault('Id', 'must be a string')
    const list = value['Statement']
    if (list === undefined) return this.#fault('Statement', 'is missing')
    const items = Array.isArray(list) ? (list as readonly JsonValue[]) : isObject(list) ? [list] : []
    if (items.length === 0) return this.#fault('Statement', 'must be a statement or a list of at least one')
    const sids = new Set<string>()
    const statements: PolicyStatement[] = []
    items.forEach((item, index) => {
      const path = Array.isArray(list) ? `Statement[${index}]` : 'Statement'
      const statement = this.#statement(item as JsonValue, index, path)
      if (statement === undefined) return
      if (statement.sid !== undefined) {
        if (sids.has(statement.sid)) this.#fault(`${path}.Sid`, `${JSON.stringify(statement.sid)} stands twice`)
        sids.add(statement.sid)
      }
      statements.push(statement)
    })
    return { version, statements }
  }

  #statement(value: JsonValue, index: number, path: string): PolicyStatement | undefined {
    if (!isObject(value)) return this.#fault(path, 'a statement is a JSON object')
    for (const key of Object.keys(value)) {
      if (!STATEMENT_ELEMENTS.has(key)) this.#fault(`${path}.${key}`, 'unknown element')
    }
    const sid = value['Sid']
    if (sid !== undefined && typeof sid !== 'string') this.#fault(`${path}.Sid`, 'must be a string')
    const effect = value['Effect']
    if (effect !== 'Allow' && effect !== 'Deny') this.#fault(`${path}.Effect`, 'must be "Allow" or "Deny"')
    const principal = this.#principal(value, path, effect)
    const action = this.#patterns(value, path, 'Action')
    const resource = this.#patterns(value, path, 'Resource')
    const conditions = this.#conditions(value['Condition'], `${path}.Condition`)
    if (action === undefined || resource === undefined || conditions === undefined) return undefined
    if (effect !== 'Allow' && effect !== 'Deny') return undefined
    return { index, sid: typeof sid === 'string' ? sid : undefined, effect, principal, action, resource, conditions }
  }

  #principal(value: JsonObject, path: string, effect: JsonValue | undefined): PolicyPrincipal | undefined {
    const plain = value['Principal']
    const negative = value['NotPrincipal']
    if (this.#kind === 'identity') {
      if (plain !== undefined || negative !== undefined) {
        this.#fault(`${path}.Principal`, 'a policy attached to an identity names no principal')
      }
      return undefined
    }
    if ((plain === undefined) === (negative === undefined)) {
      return this.#fault(
        path,
        plain === undefined ? 'Principal is missing' : 'Principal and NotPrincipal exclude each other',
      )
    }
    const name = plain === undefined ? 'NotPrincipal' : 'Principal'
    const given = (plain ?? negative) as JsonValue
    if (name === 'NotPrincipal' && effect === 'Allow') {
      return this.#fault(
        `${path}.NotPrincipal`,
        'goes with "Deny" only: with "Allow" it lets in everyone else, unsigned callers too',
      )
    }
    const result = {
      negated: name === 'NotPrincipal',
      everyone: false,
      arns: new Set<string>(),
      accounts: new Set<string>(),
      others: [] as string[],
    }
    if (given === '*') return { ...result, everyone: true }
    if (!isObject(given) || Object.keys(given).length === 0) {
      return this.#fault(`${path}.${name}`, 'must be "*" or an object such as {"AWS": "arn:aws:iam::…:user/…"}')
    }
    for (const [kind, entries] of Object.entries(given)) {
      const at = `${path}.${name}.${kind}`
      if (!PRINCIPAL_KINDS.has(kind)) {
        this.#fault(at, 'unknown kind of principal')
        continue
      }
      for (const entry of this.#strings(entries, at)) {
        if (kind !== 'AWS') result.others.push(`${kind} ${entry}`)
        else if (entry === '*') result.everyone = true
        else if (/^\d{12}$/.test(entry)) result.accounts.add(entry)
        else {
          const match = PRINCIPAL_ARN.exec(entry)
          if (match === null) {
            this.#fault(
              at,
              `${JSON.stringify(entry)} is no account, user, role or session (and wildcards match none of them)`,
            )
          } else if (entry.endsWith(':root')) result.accounts.add(match[1] as string)
          else result.arns.add(entry)
        }
      }
    }
    return result
  }

  #patterns(value: JsonObject, path: string, name: 'Action' | 'Resource'): PatternList | undefined {
    const plain = value[name]
    const negative = value[`Not${name}`]
    if ((plain === undefined) === (negative === undefined)) {
      return this.#fault(path, plain === undefined ? `${name} is missing` : `${name} and Not${name} exclude each other`)
    }
    const at = `${path}.${plain === undefined ? `Not${name}` : name}`
    const patterns: PolicyText[] = []
    for (const entry of this.#strings((plain ?? negative) as JsonValue, at)) {
      const wrong = name === 'Action' ? wrongAction(entry) : wrongResource(entry)
      if (wrong !== undefined) this.#fault(at, `${JSON.stringify(entry)} ${wrong}`)
      else {
        try {
          patterns.push(new PolicyText(name === 'Action' ? entry.toLowerCase() : entry, this.#version2012))
        } catch (error) {
          this.#fault(at, (error as Error).message)
        }
      }
    }
    return { negated: plain === undefined, patterns }
  }

  #conditions(value: JsonValue | undefined, path: string): readonly PolicyCondition[] | undefined {
    if (value === undefined) return []
    if (!isObject(value)) return this.#fault(path, 'must be an object of operators')
    const conditions: PolicyCondition[] = []
    for (const [operator, keys] of Object.entries(value)) {
      const at = `${path}.${operator}`
      if (!isObject(keys) || Object.keys(keys).length === 0) {
        this.#fault(at, 'must be an object of keys and values')
        continue
      }
      for (const [key, values] of Object.entries(keys)) {
        if (key === '') this.#fault(at, 'a condition key is empty')
        const list = this.#strings(values, `${at}.${key}`, true)
        if (list.length === 0) continue
        try {
          conditions.push(compileCondition(operator, key, list, this.#version2012))
        } catch (error) {
          this.#fault(`${at}.${key}`, (error as Error).message)
        }
      }
    }
    return conditions
  }

  /** A string or a list of at least one; with `scalars`, booleans and numbers count as their text. */
  #strings(value: JsonValue, path: string, scalars = false): string[] {
    const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
    if (items.length === 0) this.#fault(path, 'must not be an empty list')
    const strings: string[] = []
    for (const item of items) {
      if (typeof item === 'string' && (item !== '' || scalars)) strings.push(item)
      else if (scalars && (typeof item === 'boolean' || typeof item === 'number')) strings.push(String(item))
      else this.#fault(path, item === '' ? 'must not be empty' : 'must be a string or a list of strings')
    }
    return strings
  }

  #fault(path: string, message: string): undefined {
    this.issues.push({ path, message })
    return undefined
  }
}

function wrongAction(action: string): string | undefined {
  if (action === '*') return undefined
  if (!/^[A-Za-z0-9-]+:/.test(action)) return 'has no service before the colon, as in es:ESHttpGet'
  return /^[^:]+:[A-Za-z0-9*? ]+$/.test(action) ? undefined : 'is no action: letters, digits, * and ? follow the colon'
}

function wrongResource(resource: string): string | undefined {
  if (resource === '*') return undefined
  const parts = resource.split(':')
  if (parts[0] !== 'arn') return 'is no ARN'
  return parts.length >= 6 || resource.endsWith('*') ? undefined : 'is no complete ARN'
}
