/** An error as DynamoDB answers it: an HTTP status and a JSON body whose `__type` names the exception. */
export interface AwsError extends Error {
  statusCode: number;
  body: { __type: string; message?: string; [field: string]: unknown };
}

/** Whether an error is an answer for the client (dynalite's own errors have the same form), not a fault of ours. */
export function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

/** The exception's name without its namespace, such as `ConditionalCheckFailedException`. */
export function exceptionName(error: AwsError): string {
  return error.body.__type.split('#').at(-1) ?? '';
}

/** Builds an error of DynamoDB's own namespace, status 400; `fields` are added to the body. */
export function awsError(name: string, message: string, fields: object = {}): AwsError {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...fields };
  return Object.assign(new Error(message), { statusCode: 400, body });
}

/** A request that can never succeed as it stands. */
export function validationError(message: string): AwsError {
  const error = awsError('ValidationException', message);
  error.body.__type = 'com.amazon.coral.validate#ValidationException';
  return error;
}

/** A request that is not in the protocol's form. */
export function serializationError(message: string): AwsError {
  const error = awsError('SerializationException', message);
  error.body.__type = 'com.amazon.coral.service#SerializationException';
  return error;
}
