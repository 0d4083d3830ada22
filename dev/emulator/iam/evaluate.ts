/** A statement of a policy whose intrinsics are resolved. */
export interface Statement {
  readonly Effect: string;
  readonly Action?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** A request of a service for authorization by IAM. */
export interface AccessRequest {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** An ARN, or `*` for an action without a resource. */
  readonly resource: string;
  /** The values of condition keys, for those keys that the request has. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** The answer of IAM. */
export type Decision =
  | { readonly allowed: true; readonly by: Statement }
  | {
      readonly allowed: false;
      /** True if a statement denies it. Otherwise none allows it. */
      readonly explicit: boolean;
      /** Elements, operators, keys and variables of statements about this request that are not known here, by name. */
      readonly unknown: readonly string[];
    };

/** Condition keys that the emulator can tell. A condition on another key denies. */
const KNOWN_KEYS = new Set(
  [
    'aws:SecureTransport',
    'aws:SourceAccount',
    'aws:SourceArn',
    'aws:SourceIdentity',
    'cloudwatch:namespace',
    'dynamodb:Attributes',
    'dynamodb:LeadingKeys',
    'dynamodb:Select',
    'sts:SourceIdentity',
  ].map((key) => key.toLowerCase()),
);

const KNOWN_ELEMENTS = new Set(['Sid', 'Effect', 'Principal', 'Action', 'Resource', 'Condition']);

/** Condition operators. Each compares a value of the policy with a value of the request. */
const OPERATORS: Readonly<Record<string, (pattern: string, value: string) => boolean>> = {
  StringEquals: (pattern, value) => pattern === value,
  StringLike: matchesWildcards,
  ArnLike: matchesArn,
  Bool: (pattern, value) => pattern.toLowerCase() === value.toLowerCase(),
};

/**
 * Decides as IAM does within one account: a request needs a statement that allows it, and none that denies it. A statement with an
 * unknown part never allows, and always denies if its effect is `Deny`.
 *
 * @see AWS IAM User Guide, "Policy evaluation logic" and "IAM JSON policy elements: Condition operators"
 */
export function evaluate(statements: readonly Statement[], request: AccessRequest): Decision {
  const unknown = new Set<string>();
  let by: Statement | undefined;
  for (const statement of statements) {
    if (!isAbout(statement, request)) continue;
    const problems = unknownIn(statement);
    for (const problem of problems) unknown.add(problem);
    const applies = problems.length === 0 && conditionsHold(statement, request);
    if (statement.Effect !== 'Allow') {
      if (applies || problems.length > 0) return { allowed: false, explicit: true, unknown: [...unknown] };
    } else if (applies) by ??= statement;
  }
  return by ? { allowed: true, by } : { allowed: false, explicit: false, unknown: [...unknown] };
}

/** Names the parts of a statement that the emulator does not know. */
export function unknownIn(statement: Statement): string[] {
  const problems = Object.keys(statement)
    .filter((element) => !KNOWN_ELEMENTS.has(element))
    .map((element) => `element ${element}`);
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny') problems.push(`effect ${statement.Effect}`);
  for (const [operator, keys] of Object.entries(statement.Condition ?? {})) {
    if (!Object.hasOwn(OPERATORS, parseOperator(operator).name)) problems.push(`operator ${operator}`);
    for (const [key, values] of Object.entries(keys)) {
      if (!KNOWN_KEYS.has(key.toLowerCase())) problems.push(`condition key ${key}`);
      const variable = listOf(values).find((value) => value.includes('${'));
      if (variable !== undefined) problems.push(`variable ${variable}`);
    }
  }
  for (const resource of listOf(statement.Resource)) {
    if (resource.includes('${')) problems.push(`variable ${resource}`);
  }
  return problems;
}

/** A value of a policy as the list that it may also be written as. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

/** Checks whether a pattern with `*` and `?` matches all of a text. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Actions are not case-sensitive, resources are. A statement without a known form of either is about everything. */
function isAbout(statement: Statement, { action, resource }: AccessRequest): boolean {
  const { Action, Resource } = statement;
  const actions = Action === undefined ? ['*'] : listOf(Action);
  const resources = Resource === undefined ? ['*'] : listOf(Resource);
  return (
    actions.some((pattern) => matchesWildcards(pattern.toLowerCase(), action.toLowerCase())) &&
    // One with a variable is about everything, so that what is unknown in it is seen.
    resources.some((pattern) => pattern.includes('${') || matchesWildcards(pattern, resource))
  );
}

function conditionsHold({ Condition = {} }: Statement, { context = {} }: AccessRequest): boolean {
  const byKey = new Map(Object.entries(context).map(([key, values]) => [key.toLowerCase(), values]));
  return Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) =>
      conditionHolds(operator, listOf(patterns), byKey.get(key.toLowerCase())),
    ),
  );
}

/** The rules for keys that the request lacks are those of the IAM User Guide, "Single-valued vs. multivalued context keys". */
function conditionHolds(operator: string, patterns: readonly string[], values: readonly string[] | undefined): boolean {
  const { isForAll, name } = parseOperator(operator);
  const matches = OPERATORS[name];
  const holds = (value: string) => patterns.some((pattern) => matches?.(pattern, value));
  return isForAll ? (values ?? []).every(holds) : values?.length === 1 && values.every(holds);
}

function parseOperator(operator: string): { isForAll: boolean; name: string } {
  const name = operator.replace(/^ForAllValues:/, '');
  return { isForAll: name !== operator, name };
}

/** Matches each of the six parts of an ARN separately: a wildcard matches no colon between parts. */
function matchesArn(pattern: string, arn: string): boolean {
  const [parts, actual] = [partsOf(pattern), partsOf(arn)];
  return parts.length === actual.length && parts.every((part, index) => matchesWildcards(part, actual[index] ?? ''));
}

function partsOf(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}
