/** An error as an AWS service that speaks JSON answers it. dynalite's own errors have the same form. */
export class AwsError extends Error {
  readonly statusCode: number;
  /** `__type` names the exception, with or without a namespace before a `#`. */
  readonly body: { readonly __type: string; readonly message?: string; readonly [field: string]: unknown };
  /** The older code that services moved from the query protocol still send, e.g. `AWS.SimpleQueueService.…`. */
  readonly queryCode: string | undefined;

  constructor(
    type: string,
    message: string,
    options: { statusCode?: number; queryCode?: string; fields?: object } = {},
  ) {
    super(message);
    this.statusCode = options.statusCode ?? 400;
    this.body = { __type: type, message, ...options.fields };
    this.queryCode = options.queryCode;
  }
}

/** Checks whether an error is an answer for the client, and not a fault of the emulator. */
export function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

/** The exception's name without its namespace, such as `ConditionalCheckFailedException`. */
export function exceptionName(error: AwsError): string {
  return error.body.__type.split('#').at(-1) ?? '';
}

/** An error that all services share: the request is not in the protocol's form. */
export function protocolError(name: string, message: string, statusCode = 400): AwsError {
  return new AwsError(`com.amazon.coral.service#${name}`, message, { statusCode });
}
