import { ClientError } from './client-error.ts'
import type { Credentials } from './credentials.ts'
import { parseEndpoint, serviceSuffix } from './endpoint.ts'
import { NodeConnection } from './node-connection.ts'
import { signWireRequest } from './sign-wire-request.ts'

/** What `sts:AssumeRole` is asked for. */
export interface AssumeRoleRequest {
  readonly roleArn: string
  readonly sessionName: string
  readonly externalId: string | undefined
  readonly durationSeconds: number
  readonly region: string
  /** Keys of the identity that assumes the role. */
  readonly credentials: Credentials
}

/**
 * Exchanges long-term keys for a role's temporary ones at the regional security token service
 * (or where AWS_ENDPOINT_URL_STS points).
 *
 * @throws {ClientError} with the service's code and message when it refuses
 */
export async function assumeRole(request: AssumeRoleRequest): Promise<Credentials> {
  const { region } = request
  const endpoint = parseEndpoint(
    process.env['AWS_ENDPOINT_URL_STS'] || `https://sts.${region}.${serviceSuffix(region)}`,
  )
  const form = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: request.roleArn,
    RoleSessionName: request.sessionName,
    DurationSeconds: String(request.durationSeconds),
    ...(request.externalId === undefined ? {} : { ExternalId: request.externalId }),
  })
  const connection = new NodeConnection(endpoint)
  try {
    const signed = await signWireRequest(
      {
        method: 'POST',
        target: `${endpoint.basePath}/`,
        headers: {
          host: endpoint.host,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: new TextEncoder().encode(form.toString()),
      },
      { credentials: request.credentials, region, service: 'sts', now: new Date() },
    )
    const answer = await connection.send(signed, { timeoutMs: 15_000 })
    const text = new TextDecoder().decode(answer.body)
    if (answer.status !== 200) {
      throw new ClientError(
        'response',
        `cannot assume ${request.roleArn}: ${element(text, 'Message') ?? text.slice(0, 300)}`,
        {
          status: answer.status,
          type: element(text, 'Code'),
        },
      )
    }
    return readCredentials(text, request.roleArn)
  } finally {
    connection.close()
  }
}

/** Credentials in an answer, which is XML, or JSON where the service heeds `accept`. */
function readCredentials(text: string, roleArn: string): Credentials {
  const accessKeyId = element(text, 'AccessKeyId')
  const secretAccessKey = element(text, 'SecretAccessKey')
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ClientError('response', `the answer to AssumeRole of ${roleArn} holds no credentials`)
  }
  const expiration = element(text, 'Expiration')
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: element(text, 'SessionToken'),
    // JSON answers give seconds since 1970, XML an ISO date.
    expiration:
      expiration === undefined
        ? undefined
        : new Date(/^[\d.]+$/.test(expiration) ? Number(expiration) * 1000 : expiration),
  }
}

function element(text: string, name: string): string | undefined {
  const xml = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]
  if (xml !== undefined) return xml
  return new RegExp(`"${name}"\\s*:\\s*"?([^",}]*)`).exec(text)?.[1]
}
