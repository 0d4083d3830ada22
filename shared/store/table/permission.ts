/** A permission that an operator's AWS credentials lack. */
export interface MissingPermission {
  /** An IAM action, such as `dynamodb:PutItem`. */
  readonly action: string;
  /** An ARN. AWS does not always include it. */
  readonly resource?: string;
}

const DENIALS = new Set(['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation']);

/** Whether AWS refused a request because its sender lacks a permission. */
export function isAccessDenied(error: unknown): error is Error {
  return error instanceof Error && DENIALS.has(error.name);
}

/** A text of an AWS error without ARNs. They contain the number of the account, which users of a deployed console do not know. */
export function withoutArns(text: string): string {
  return text.replaceAll(/\barn:[^\s;,)]+/g, '…');
}

/** The permission that an AWS error says is missing. @returns undefined for another error, or if it names no action */
export function missingPermission(error: unknown): MissingPermission | undefined {
  if (!isAccessDenied(error)) return undefined;
  const [, refused = ''] = error.message.split('not authorized to perform: ');
  const [, action, resource] = /^(\w+:\w+)(?: on resource: (\S+))?/.exec(refused) ?? [];
  return action === undefined ? undefined : { action, ...(resource === undefined ? {} : { resource }) };
}
