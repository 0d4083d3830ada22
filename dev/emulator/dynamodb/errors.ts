import { AwsError } from '../endpoint/awsError.ts';

/** Builds an error of DynamoDB's own namespace; `fields` are added to the body. */
export function dynamoDbError(name: string, message: string, fields: object = {}): AwsError {
  return new AwsError(`com.amazonaws.dynamodb.v20120810#${name}`, message, { fields });
}

/** The error of an invalid request. */
export function validationError(message: string): AwsError {
  return new AwsError('com.amazon.coral.validate#ValidationException', message);
}
