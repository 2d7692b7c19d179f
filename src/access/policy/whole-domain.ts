import { appliesToSome, namesOwnArn, type PolicyRequest, type PolicySet } from './evaluate-policy.ts'
import type { PolicyStatement } from './policy-document.ts'

/**
 * Why a caller may not do something with everything of a domain, or everything whose name begins in some way, names included
 * that nothing has yet; undefined: may.
 *
 * On the safe side: a Deny counts unless it is sure to name something else, and several Allows are not put together.
 * @param request  its resource is `<domain ARN>/`, and how the names begin
 */
export function whyNotWholeDomain(
  policies: PolicySet,
  request: PolicyRequest,
): 'denied-in-part' | 'not-allowed' | undefined {
  let isAllowed = false
  for (const { statements } of [policies.resource, ...policies.identity]) {
    for (const statement of statements) {
      if (!appliesToSome(statement, request)) continue
      if (statement.effect === 'Deny') {
        if (mayConcern(statement, request)) return 'denied-in-part'
        continue
      }
      isAllowed ||= coversEverything(statement, request)
    }
  }
  return isAllowed ? undefined : 'not-allowed'
}

/** False when no text that begins as the request's resource fits any of the statement's. */
function mayConcern(statement: PolicyStatement, request: PolicyRequest): boolean {
  const { resource } = statement
  if (resource.negated || (request.ownArnIsDomain && namesOwnArn(statement, request.caller))) return true
  return resource.patterns.some(({ source }) => {
    const beginning = source.replace(/[*?$].*$/s, '')
    return beginning.startsWith(request.resource) || request.resource.startsWith(beginning)
  })
}

/** A pattern with `*` at its end that matches the domain's own prefix matches all that begins with it. */
function coversEverything(statement: PolicyStatement, request: PolicyRequest): boolean {
  const { resource } = statement
  if (resource.negated) return false
  if (request.ownArnIsDomain && namesOwnArn(statement, request.caller)) return true
  return resource.patterns.some(
    (pattern) => pattern.source.endsWith('*') && pattern.glob(request.lookup)?.matches(request.resource) === true,
  )
}
