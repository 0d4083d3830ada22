/** What a Lambda authorizer must return. */
export interface AuthorizerAnswer {
  readonly principalId: string;
  readonly policyDocument: { readonly Statement: readonly PolicyStatement[] };
  readonly context?: Readonly<Record<string, unknown>>;
}

/** A statement of an IAM policy, as far as authorizers use it. */
export interface PolicyStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/**
 * Whether a policy lets `execute-api:Invoke` through for `methodArn`: some statement allows it and none denies it.
 * `*` and `?` in actions and resources are wildcards, as in IAM.
 */
export function allows(statements: readonly PolicyStatement[], methodArn: string): boolean {
  const applying = statements.filter(
    ({ Action, Resource }) =>
      list(Action).some((action) => matches(action.toLowerCase(), 'execute-api:invoke')) &&
      list(Resource).some((resource) => matches(resource, methodArn)),
  );
  return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny');
}

function list(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(text);
}
