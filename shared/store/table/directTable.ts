import type { GetItemCommandInput, QueryCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Effects } from '../../runtime/effects.ts';
import { SignedRequests, type SignedTarget } from '../../runtime/signedRequests.ts';
import { ageOf, type Moment, momentOf } from './commitWait.ts';
import type { TableRequests } from './tableRequests.ts';

/** The SDK reads sets of binary attributes. */
const BINARY_SET = '"BS":';

/** After a longer time without a use, a process may have been frozen, in milliseconds. Its connections are closed. */
const IDLE_MS = 1_000;

/** Names of DynamoDB's errors for refused requests, which had no effect. */
const THROTTLES: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
];

/** Whether DynamoDB refused a request for now: it had no capacity, or was making the same transaction. */
export function isThrottled(error: unknown): boolean {
  return THROTTLES.includes((error as Error).name);
}

/** The time of AWS in an error on a signature: `… (20261129T120000Z - 5 min.)`. */
const AWS_TIME = /^Signature (?:expired|not yet current): .*\((\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\dZ) [-+]/;

/** An error that DynamoDB answered with. Its name is AWS's. */
export class Refused extends Error {
  readonly isThrottle: boolean;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;
  /** The HTTP status, with the SDK's name. */
  readonly $metadata: { readonly httpStatusCode: number };
  /** Why each write of a transaction was not made. */
  readonly CancellationReasons?: object;
  /** The item that did not meet the condition, if the request asked for it. */
  readonly Item?: object;

  constructor(status: number, name: string, message: string, more: Pick<Refused, 'CancellationReasons' | 'Item'> = {}) {
    super(message);
    this.name = name;
    this.isThrottle = status === 429 || THROTTLES.includes(name);
    this.isTemporary = status >= 500 || this.isThrottle || message.startsWith('Signature expired');
    this.$metadata = { httpStatusCode: status };
    Object.assign(this, more);
  }
}

/**
 * Sends one operation of DynamoDB.
 *
 * @param clockOffsetMs what AWS's clock is ahead of this machine's
 * @throws {Refused} for an error of DynamoDB
 * @throws {Error} if there is no response, or if it has sets of binary attributes
 */
export async function sendDirectly<Output extends object>(
  requests: SignedRequests,
  operation: string,
  input: object,
  clockOffsetMs: number,
): Promise<Output> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const { status, body } = await requests.send('/', JSON.stringify(input, encodeBytes), headers, clockOffsetMs);
  if (status !== 200) throw refusal(status, body);
  if (body.includes(BINARY_SET)) throw new Error('sets of binary attributes are not read');
  return parse(body);
}

/** One table, without the AWS SDK. Only reads are repeated: an update could have an effect twice. */
export class DirectTable implements TableRequests {
  readonly #table: string;
  readonly #connect: () => SignedRequests;
  #requests: SignedRequests;
  readonly #effects: Pick<Effects, 'now' | 'monotonic'>;
  #usedAt: Moment;
  #clockOffsetMs = 0;

  /**
   * @param table name or ARN, sent in place of that of the requests
   * @param timeoutMs timeout of a response
   */
  constructor(
    table: string,
    target: SignedTarget,
    timeoutMs: number,
    effects: Pick<Effects, 'now' | 'monotonic' | 'onSilence'>,
  ) {
    this.#table = table;
    this.#effects = effects;
    this.#usedAt = momentOf(effects);
    this.#connect = () => new SignedRequests(target, timeoutMs, effects);
    this.#requests = this.#connect();
  }

  getItem(input: GetItemCommandInput) {
    return this.#read('GetItem', input);
  }

  query(input: QueryCommandInput) {
    return this.#read('Query', input);
  }

  updateItem(input: UpdateItemCommandInput) {
    if (ageOf(this.#effects, this.#usedAt) > IDLE_MS) {
      this.#requests = this.#connect();
      this.#usedAt = momentOf(this.#effects);
    }
    return this.#send('UpdateItem', input);
  }

  /** The sockets of a process that was frozen are closed, all of them. The next request needs a new one. */
  async #read(operation: string, input: object): Promise<object> {
    const used = this.#requests;
    try {
      return await this.#send(operation, input);
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (this.#requests === used) this.#requests = this.#connect();
      return this.#send(operation, input);
    }
  }

  async #send(operation: string, input: object): Promise<object> {
    const send = () =>
      sendDirectly(this.#requests, operation, { ...input, TableName: this.#table }, this.#clockOffsetMs);
    try {
      const output = await send();
      this.#usedAt = momentOf(this.#effects);
      return output;
    } catch (error) {
      const [, ...parts] = AWS_TIME.exec(error instanceof Refused ? error.message : '') ?? [];
      if (parts.length === 0) throw error;
      const [year, month, day, hour, minute, second] = parts;
      this.#clockOffsetMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`) - this.#effects.now();
      return send();
    }
  }
}

/** @param body JSON with AWS's name of the error, unless something between answered */
function refusal(status: number, body: string): Refused {
  try {
    const { __type: type, message, Message, CancellationReasons, Item } = parse(body);
    const more = { ...(CancellationReasons && { CancellationReasons }), ...(Item && { Item }) };
    return new Refused(status, String(type).replace(/^.*#/, ''), String(message ?? Message ?? ''), more);
  } catch {
    return new Refused(status, 'InvalidResponse', `DynamoDB answered with status ${status}`);
  }
}

/** A response with its binary attributes as bytes. An attribute that is called `B` has an object as its value. */
function parse(body: string) {
  // A reviver makes parsing several times slower.
  if (!body.includes('"B":')) return JSON.parse(body);
  return JSON.parse(body, (name, value) =>
    name === 'B' && typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : value,
  );
}

/** Bytes as DynamoDB takes them. `value` is what they would be without this function. */
function encodeBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const bytes = this[name];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
}
