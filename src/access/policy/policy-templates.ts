/** The access policies the interface document shows, and the IP-based one. */
export type PolicyTemplateName = 'full-access' | 'read-only' | 'ip-based'

/** Names of the templates, for help texts. */
export const POLICY_TEMPLATE_NAMES: readonly PolicyTemplateName[] = ['full-access', 'read-only', 'ip-based']

/** What a template is filled with. */
export interface PolicyTemplateValues {
  /** The administrator's ARN. */
  readonly userArn: string
  /** ARN of the role of people signed in. */
  readonly roleArn: string | undefined
  readonly domainArn: string
  /** Ranges an IP-based policy lets in, unsigned too. */
  readonly sourceIps: readonly string[]
}

/** A policy document by a template: the administrator may do everything, the role (or the addresses) what the name says. */
export function policyFromTemplate(name: PolicyTemplateName, values: PolicyTemplateValues): object {
  const { userArn, roleArn, domainArn } = values
  const admin = { Effect: 'Allow', Principal: { AWS: userArn }, Action: 'es:*', Resource: `${domainArn}/*` }
  const statements: object[] = [admin]
  const role = { Effect: 'Allow', Principal: { AWS: roleArn }, Resource: `${domainArn}/*` }
  switch (name) {
    case 'full-access':
      if (roleArn !== undefined) statements.push({ ...role, Action: 'es:ESHttp*' })
      break
    case 'read-only':
      if (roleArn !== undefined) {
        statements.push({ ...role, Action: ['es:ESHttpGet', 'es:ESHttpPost', 'es:ESHttpHead'] })
      }
      break
    case 'ip-based':
      statements.push({
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: 'es:ESHttp*',
        Resource: `${domainArn}/*`,
        Condition: { IpAddress: { 'aws:SourceIp': values.sourceIps } },
      })
      break
  }
  return { Version: '2012-10-17', Statement: statements }
}
