import { protocolError } from '../endpoint/awsError.ts';
import {
  type DynaliteOperation,
  type DynaliteStore,
  dynaliteOperation,
  type Input,
  validations,
} from './dynaliteInternals.ts';
import { validationError } from './errors.ts';

/** Runs one API operation: request body in, answer out. Rejects with an AwsError for the client. */
export type Operation = (body: unknown) => Promise<object>;

/** Returns the item that failed a condition. dynalite does not know this parameter. */
export const returnOnFailure = {
  ReturnValuesOnConditionCheckFailure: { type: 'String', enum: ['ALL_OLD', 'NONE'] },
};

/** A dynalite operation that accepts more parameters than dynalite knows. */
export function extendedOperation(name: string, types: object = {}): DynaliteOperation {
  const operation = dynaliteOperation(name);
  return { ...operation, types: { ...operation.types, ...types } };
}

/**
 * Checks a request against an operation's types and rules and answers its known parameters; unknown ones are dropped.
 * @throws SerializationException or ValidationException, in DynamoDB's words.
 */
export function parseInput(operation: DynaliteOperation, body: unknown, store: DynaliteStore): Input {
  const input = validations.checkTypes(objectOf(body), operation.types);
  validations.checkValidations(input, operation.types, operation.custom, store);
  return input;
}

/** Requires a JSON object. */
export function objectOf(value: unknown): Input {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw protocolError('SerializationException', 'Start of structure expected');
}

/** Requires a string parameter. */
export function requiredString(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === 'string' && value !== '') return value;
  throw validationError(`The parameter '${name}' is required but was not present in the request`);
}
