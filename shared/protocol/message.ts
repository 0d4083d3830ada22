import { roundNumber } from '../flags/exactJson.ts';
import { NestedTooDeep, parseForeignJson } from '../flags/nesting.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import { field, parseUser, type User } from '../flags/user.ts';
import type { SecretType } from './secret.ts';

/** The answer to a ping, byte for byte. */
export const PONG = '{"messageType":"pong","data":{}}';

/** Maximum size of a WebSocket message on API Gateway, in bytes, in either direction. */
export const MESSAGE_LIMIT_BYTES = 128 * 1024;

/**
 * Maximum size of an SDK's message, in bytes: four times that of FeatBit's server. A client-side SDK's user is stored
 * while it is connected, and is read with every change.
 */
export const INBOUND_LIMIT_BYTES = 32 * 1024;

/** An SDK's message with a valid envelope. */
interface InboundMessage {
  /** In lower case. FeatBit ignores case. */
  readonly messageType: string;
  readonly data: unknown;
}

/** The request of an SDK. */
export interface DataSyncRequest {
  /** The SDK's cursor, unix milliseconds. 0 asks for everything. */
  readonly timestamp: number;
  /** The user to evaluate for. Always present for a client-type connection, never for a server-type one. */
  readonly user?: User;
}

/** A request that gets no answer, as in FeatBit. The message is for the log and quotes nothing of the request. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
}

/**
 * Parses a message's envelope: a JSON object with `messageType` and `data`.
 *
 * @throws {InvalidRequest} for anything else, or if it is larger than {@link INBOUND_LIMIT_BYTES}
 */
export function parseMessage(text: string): InboundMessage {
  const bytes = Buffer.byteLength(text);
  if (bytes > INBOUND_LIMIT_BYTES) {
    throw new InvalidRequest(`the message takes ${bytes} bytes, more than the limit of ${INBOUND_LIMIT_BYTES}`);
  }
  let root: unknown;
  try {
    root = parseForeignJson(text);
  } catch (error) {
    throw new InvalidRequest(`the message is ${error instanceof NestedTooDeep ? error.message : 'not JSON'}`);
  }
  if (!isJsonObject(root)) throw new InvalidRequest('the message is not a JSON object');
  if (!Object.hasOwn(root, 'messageType') || !Object.hasOwn(root, 'data')) {
    throw new InvalidRequest('the message has no messageType or data');
  }
  if (typeof root['messageType'] !== 'string') throw new InvalidRequest('messageType is not a string');
  return { messageType: root['messageType'].toLowerCase(), data: root['data'] };
}

/**
 * Parses the `data` of a data-sync message. Field names ignore case.
 *
 * @throws {InvalidRequest} if the timestamp is not a number, or a client-type request has no valid user
 */
export function parseDataSync(data: unknown, type: SecretType): DataSyncRequest {
  if (!isJsonObject(data)) throw new InvalidRequest('data is not an object');
  const timestamp = readCursor(data);
  if (type === 'server') return { timestamp };
  const user = parseUser(field(data, 'user'));
  if (!user) throw new InvalidRequest('the user is missing or not valid: it needs a keyId and text values');
  return { timestamp, user };
}

/** The `timestamp` of a request. FeatBit reads a missing or fractional cursor as 0. @throws {InvalidRequest} */
export function readCursor(data: JsonObject): number {
  const timestamp = roundNumber(field(data, 'timestamp'));
  if (timestamp === undefined) return 0;
  if (typeof timestamp !== 'number') throw new InvalidRequest('timestamp is not a number');
  return Number.isInteger(timestamp) ? timestamp : 0;
}
