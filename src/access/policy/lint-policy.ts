import { Glob } from './glob.ts'
import type { PolicyDocument, PolicyStatement } from './policy-document.ts'

/** A trap in a valid policy. */
export interface LintFinding {
  /** `Statement[0]`. */
  readonly path: string
  /** Short name of the rule. */
  readonly rule: string
  readonly message: string
}

/** Every action there is for requests to a domain. */
const HTTP_ACTIONS = ['get', 'head', 'post', 'put', 'delete', 'patch'].map((method) => `es:eshttp${method}`)

/** Keys requests have here; a key outside is always absent. */
const KNOWN_KEYS = new Set([
  'aws:sourceip',
  'aws:securetransport',
  'aws:currenttime',
  'aws:epochtime',
  'aws:requestedregion',
  'aws:useragent',
  'aws:referer',
  'aws:principalarn',
  'aws:principalaccount',
  'aws:principaltype',
  'aws:username',
  'aws:userid',
])

/** Paths POST reads through: a resource that ends in one of these gives no way to write. */
const READING_APIS =
  /\/(?:_search|_msearch|_mget|_count|_analyze|_field_caps|_validate\/query|_search\/scroll|_explain)(?:\/\*)?$/

/**
 * Finds what a policy probably does not mean.
 *
 * @param domainArn  the domain it is for, where that is known
 * @source facts of the service's documentation and of what people report
 */
export function lintPolicy(policy: PolicyDocument, domainArn?: string): readonly LintFinding[] {
  const findings: LintFinding[] = []
  for (const statement of policy.statements) {
    const add = (rule: string, message: string) => {
      findings.push({ path: `Statement[${statement.index}]`, rule, message })
    }
    lintPrincipal(statement, add)
    lintAction(statement, add)
    lintResource(statement, domainArn, add)
    lintConditions(statement, add)
    if (policy.version === '2008-10-17') {
      const texts = [
        ...statement.resource.patterns.map((p) => p.source),
        ...statement.conditions.flatMap((c) => c.values),
      ]
      if (texts.some((text) => text.includes('${'))) {
        add('variables-need-2012', 'policy variables are plain text in Version 2008-10-17: use "2012-10-17"')
      }
    }
  }
  if (!policy.statements.some((statement) => statement.effect === 'Allow')) {
    findings.push({ path: '', rule: 'nothing-allowed', message: 'no statement allows anything' })
  }
  return findings
}

type Add = (rule: string, message: string) => void

function lintPrincipal(statement: PolicyStatement, add: Add): void {
  const { principal } = statement
  if (principal === undefined) return
  if (principal.negated) add('not-principal', 'the cloud service does not support NotPrincipal')
  for (const other of principal.others)
    add('principal-never-calls', `${other} never calls a domain: a session is its role's`)
  if (principal.accounts.size > 0 && statement.effect === 'Allow') {
    add(
      'account-principal',
      'an account stands for its root user alone; its users and roles also need policies of their own',
    )
  }
  if (statement.effect === 'Allow' && principal.everyone && !principal.negated && statement.conditions.length === 0) {
    add('open-to-everyone', 'Principal "*" without a condition lets in everybody, unsigned callers too')
  }
}

function lintAction(statement: PolicyStatement, add: Add): void {
  const covered = HTTP_ACTIONS.filter((action) => covers(statement, action))
  if (covered.length === 0) {
    add(
      'no-http-action',
      'none of its actions is one of requests: those are es:ESHttpGet, Head, Post, Put, Delete, Patch',
    )
    return
  }
  if (statement.effect !== 'Allow') return
  const writes = covered.includes('es:eshttpput') || covered.includes('es:eshttpdelete')
  if (!covered.includes('es:eshttppost') || writes) return
  const readsOnly = statement.resource.patterns.every((pattern) => READING_APIS.test(pattern.source))
  if (!statement.resource.negated && readsOnly) return
  add(
    'post-writes',
    'without PUT and DELETE it looks read-only, but es:ESHttpPost writes: POST /index/type, _bulk, _update, ' +
      '_delete_by_query, _reindex; for reading, allow es:ESHttpGet and es:ESHttpHead, and POST on <domain>/*/_search alone',
  )
}

function lintResource(statement: PolicyStatement, domainArn: string | undefined, add: Add): void {
  const sources = statement.resource.patterns.map((pattern) => pattern.source)
  for (const source of sources) {
    if (/:domain\/[^/*?]+$/.test(source)) {
      add('missing-star', `${source} names the domain and covers no request: ${source}/* does`)
    }
    if (/:(?:user|role|assumed-role|federated-user)\//.test(source)) {
      add(
        'own-arn',
        `${source} as Resource means the whole domain for that principal here; the usual form is <domain ARN>/*`,
      )
    }
    if (domainArn !== undefined && source.startsWith('arn:aws:es:')) {
      const head = source.split('/', 2).join('/')
      if (!Glob.parse(head).matches(domainArn) && !Glob.parse(source).matches(`${domainArn}/x`)) {
        add('another-domain', `${source} is not of this domain, ${domainArn}`)
      }
    }
    const index = /:domain\/[^/]+\/([^/*?_][^/]*)(\/\*)?$/.exec(source)
    if (statement.effect === 'Deny' && !statement.resource.negated && index !== null) {
      const below = index[2] !== undefined
      const twin = below ? source.slice(0, -2) : `${source}/*`
      const covered = sources.some(
        (other) => other !== source && Glob.parse(other).matches(below ? twin : `${source}/_search`),
      )
      if (!covered && !source.endsWith('*/')) {
        add(
          'half-denied-index',
          below
            ? `it denies what is below ${index[1]}: here the index itself too, but in the cloud DELETE /${index[1]} stays allowed; add ${twin}`
            : `it denies the index itself, not what is below: /${index[1]}/_search stays allowed; add ${twin}`,
        )
      }
      add(
        'path-only-in-the-cloud',
        `the cloud service judges the path alone: _bulk, _mget, _msearch bodies, wildcards and aliases still reach ${index[1]} there (not here, unless policyCompat is aws)`,
      )
    }
  }
}

function lintConditions(statement: PolicyStatement, add: Add): void {
  for (const { key, operator } of statement.conditions) {
    const name = key.toLowerCase()
    if (name === 'aws:securetransport' || name.startsWith('aws:principaltag/')) {
      add('ignored-by-the-cloud', `the cloud service does not support the condition key ${key} in a domain's policy`)
    }
    if (!KNOWN_KEYS.has(name)) {
      add('unknown-key', `requests never have the condition key ${key}, so ${operator} is decided by its absence`)
    }
  }
}

function covers(statement: PolicyStatement, action: string): boolean {
  const matches = statement.action.patterns.some((pattern) => pattern.glob(() => undefined)?.matches(action) === true)
  return matches !== statement.action.negated
}
