import { ClientError } from '../client/client-error.ts'

/** What to do about an error, where its own words do not tell; undefined where they do or nobody knows. */
export function hintFor(error: unknown, env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (!(error instanceof ClientError)) return undefined
  if (error.kind === 'connection') return connectionHint(error, env)
  if (error.kind === 'configuration' && /lacks .*(the host|access key|secret key)/.test(error.reason))
    return 'for a domain of your own, eval "$(chaja env)" sets them; --help tells of profiles and of requests without a signature'
  if (error.status === 403) return REFUSALS.find(([words]) => words.test(error.reason))?.[1]
  if (error.status === 400) return OF_TYPES.find(([words]) => words.test(error.reason))?.[1]
  if (error.status !== undefined && error.status >= 500 && error.requestId !== undefined)
    return `the server knows this request as ${error.requestId}`
  return undefined
}

function connectionHint({ type = '', reason }: ClientError, env: NodeJS.ProcessEnv): string | undefined {
  if (/SELF_SIGNED|UNABLE_TO_/.test(type))
    return 'name the authority that signed its certificate by --ca <file>; for a domain of your own, eval "$(chaja env)" does'
  if (type === 'CERT_HAS_EXPIRED' || type === 'CERT_NOT_YET_VALID')
    return "its certificate is out of its time: renew it there, or set this machine's clock"
  if (type === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for other names: ask for it by one of those'
  if (type === 'EPROTO' && /wrong version number|packet length too long/i.test(reason))
    return 'it seems to speak plain HTTP: begin the host with http://'
  if (type === 'ECONNRESET' && /socket hang up/.test(reason))
    return 'it closed the connection without an answer: does it speak TLS (https://)?'
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => env[name])
  if (proxy !== undefined && /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/.test(type))
    return `${proxy} is set, but chaja goes through no proxy`
  if (type === 'ECONNREFUSED') return 'nothing listens there: is the server running, and is this its port?'
  if (type === 'ENOTFOUND' || type === 'EAI_AGAIN')
    return "no such name: look at the host's spelling and at the network"
  return undefined
}

/** What servers that have no types say of them. */
const OF_TYPES: readonly (readonly [RegExp, string])[] = [
  [
    /^no handler found for uri \[\/(?:_all|[^/_][^/]*)\/[^/_][^/]*\/[^/]+\]/,
    "this server has no types: say _doc in a type's place, and no --type",
  ],
  [/unknown parameter \[_type\]/, 'this server has no types: leave out _type and --type'],
  [
    /unsupported parameters: +\[\w+ : \{(?:properties|dynamic\w*|date_detection|numeric_detection|_\w+)=/,
    'this server has no types: what is mapped stands in mappings itself',
  ],
]

/** Refusals of a domain's edge, by their words. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/security token .* is expired/, 'these temporary keys have ended: get new ones'],
  [
    /security token .* is invalid/,
    'the access key (or session token) is not known there; eval "$(chaja env)" loads those of a domain of your own',
  ],
  [/signature we calculated/, "the secret key is not the access key's, or something on the way changes requests"],
  [/scoped to a valid region/, "sign for the domain's own region: --region, or AWS_REGION"],
  [/Signature (expired|not yet current)/, "this machine's clock is wrong"],
  [
    /missing equal-sign|requires 'Credential' parameter/,
    'it takes signatures: leave the name and password out of the host',
  ],
  [/anonymous is not authorized/, 'the request was not signed, and the access policy lets nobody in unsigned'],
]
