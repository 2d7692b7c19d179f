import { decodeLoosely } from '../decode-loosely.ts'
import { ServiceError } from '../errors.ts'

/** One address of a cluster. */
export interface ClusterNode {
  /** `http://10.0.0.5:9200`, without credentials: what logs and answers may show. */
  readonly origin: string
  readonly isSecure: boolean
  readonly host: string
  readonly port: number
  /** Before every path, without a slash at its end; `''` for none. */
  readonly basePath: string
  /** `Authorization` header made of the URL's user and password. Never logged. */
  readonly authorization: string | undefined
}

/**
 * Reads the URL of a node.
 *
 * @throws {ServiceError} illegal_argument_exception, which does not repeat the URL: it may hold a password
 */
export function parseClusterNode(text: string): ClusterNode {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ServiceError('illegal_argument_exception', 'a node of the cluster is named by an http or https URL')
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ServiceError('illegal_argument_exception', 'the URL of a node has neither query nor fragment')
  }
  const isSecure = url.protocol === 'https:'
  const user = `${decodeLoosely(url.username)}:${decodeLoosely(url.password)}`
  return {
    origin: url.origin,
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    basePath: url.pathname.replace(/\/+$/, ''),
    authorization: user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
  }
}
