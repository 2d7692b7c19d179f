import type { Caller } from './caller.ts'

/**
 * The caller an ARN stands for, for questions asked without a request.
 *
 * @param roleArn  of an assumed role's session, whose ARN does not tell the role's path; guessed when absent
 * @returns        undefined when it is the ARN of no caller
 */
export function callerFromArn(arn: string, roleArn?: string): Caller | undefined {
  const match = /^arn:(aws[\w-]*):(iam|sts)::(\d{12}):(root|user|role|assumed-role|federated-user)(?:\/(.+))?$/.exec(
    arn,
  )
  if (match === null) return undefined
  const [, partition, , account, kind, rest] = match
  switch (kind) {
    case 'root':
      return { kind: 'root', arn }
    case 'user':
      return { kind: 'user', arn }
    case 'federated-user':
      return { kind: 'federated', arn }
    case 'role':
      // A role calls through a session; any will do.
      return {
        kind: 'role',
        arn: `arn:${partition}:sts::${account}:assumed-role/${rest?.split('/').at(-1)}/session`,
        roleArn: arn,
      }
    default:
      return { kind: 'role', arn, roleArn: roleArn ?? `arn:${partition}:iam::${account}:role/${rest?.split('/')[0]}` }
  }
}
