import { systemEffects } from '../../shared/runtime/effects.ts';
import type { Credentials } from '../../shared/runtime/signature.ts';
import { SignedRequests } from '../../shared/runtime/signedRequests.ts';
import { Refused, sendDirectly } from '../../shared/store/table/directTable.ts';
import { defaultProvider } from './credentials.ts';

/*
 * DynamoDB's client in Lambda bundles, in place of `@aws-sdk/client-dynamodb`: its names, for what the functions use, by signed requests.
 * The SDK is most of a cold start (docs/decisions/0023-bun.md). Region and clock are Lambda's, and the access key by default.
 */

/** What the SDK multiplies with a random number, and doubles with each attempt, in milliseconds. */
const PAUSE_MS = { throttle: 500, other: 100 } as const;

/** An operation, and its input as the SDK takes it. */
interface Command {
  readonly operation: string;
  readonly input: object;
}

const command = (operation: string) =>
  class implements Command {
    readonly operation = operation;
    readonly input: object;
    constructor(input: object) {
      this.input = input;
    }
  };
export const GetItemCommand = command('GetItem');
export const QueryCommand = command('Query');
export const PutItemCommand = command('PutItem');
export const UpdateItemCommand = command('UpdateItem');
export const DeleteItemCommand = command('DeleteItem');
/** With a token, so that a repeated transaction is applied once. */
export class TransactWriteItemsCommand extends command('TransactWriteItems') {
  constructor(input: object) {
    super({ ClientRequestToken: systemEffects.uuid(), ...input });
  }
}

const refusal = (name: string) => ({
  [Symbol.hasInstance]: (error: unknown) => error instanceof Refused && error.name === name,
});
export const ConditionalCheckFailedException = refusal('ConditionalCheckFailedException');
export const TransactionCanceledException = refusal('TransactionCanceledException');

/** Those of the SDK's client that are used, in milliseconds. */
interface ClientSettings {
  readonly region?: string;
  readonly maxAttempts?: number;
  readonly credentials?: () => Promise<Credentials>;
  readonly requestHandler?: { readonly connectionTimeout?: number; readonly socketTimeout?: number };
}

/** Sends requests. It repeats those that the SDK repeats. */
export class DynamoDBClient {
  readonly middlewareStack = { remove: () => false };
  readonly #requests: SignedRequests;
  readonly #attempts: number;

  constructor(settings: ClientSettings = {}) {
    const { region = process.env['AWS_REGION'] ?? '', maxAttempts = 3, credentials, requestHandler } = settings;
    const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] || `https://dynamodb.${region}.${domain}`;
    const connectMs = requestHandler?.connectionTimeout;
    const target = { service: 'dynamodb', endpoint, region, keys: credentials ?? defaultProvider(), connectMs };
    this.#requests = new SignedRequests(target, requestHandler?.socketTimeout ?? 3_000, systemEffects);
    this.#attempts = maxAttempts;
  }

  /**
   * @param options.abortSignal ends the wait for the answer. The request may still have its effect
   * @throws {Refused} for an error of DynamoDB
   * @throws {Error} if there is no answer
   */
  async send({ operation, input }: Command, { abortSignal }: { abortSignal?: AbortSignal } = {}): Promise<object> {
    for (let attempt = 1; ; attempt++) {
      try {
        abortSignal?.throwIfAborted();
        return await unlessAborted(sendDirectly(this.#requests, operation, input, 0), abortSignal);
      } catch (error) {
        const isFinal = error instanceof Refused && !error.isTemporary;
        if (isFinal || attempt >= this.#attempts || abortSignal?.aborted) throw error;
        const pauseMs = PAUSE_MS[error instanceof Refused && error.isThrottle ? 'throttle' : 'other'];
        await systemEffects.pause(systemEffects.random() * pauseMs * 2 ** (attempt - 1));
      }
    }
  }

  /** Lambda ends the process. */
  destroy(): void {}
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
  });
}
