/** What an operator's AWS credentials may not do, in the words of IAM. */
export interface MissingPermission {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** An ARN; AWS does not always tell it. */
  readonly resource?: string;
}

const DENIALS = new Set(['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation']);

/** What AWS refused, by its error. @returns undefined for an error of another kind, or one that does not name the action */
export function missingPermission(error: unknown): MissingPermission | undefined {
  if (!(error instanceof Error) || !DENIALS.has(error.name)) return undefined;
  const [, refused = ''] = error.message.split('not authorized to perform: ');
  const [, action, resource] = /^(\w+:\w+)(?: on resource: (\S+))?/.exec(refused) ?? [];
  return action === undefined ? undefined : { action, ...(resource === undefined ? {} : { resource }) };
}
