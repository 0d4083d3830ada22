import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { attributesOf, type Values } from './attributes.ts';
import { type Condition, conditionOf } from './itemCondition.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** A write that may take only so many milliseconds. By default, the client's own limits apply. */
interface Limited extends Condition {
  readonly timeoutMs?: number;
}

/** An update of an item, as an expression. */
export interface Update extends Limited {
  readonly update: string;
}

/** Writes an item. @returns false if the condition does not hold */
export function putItem(table: Table, key: Key, values: Values, limits: Limited = {}): Promise<boolean> {
  const Item = { ...key, ...attributesOf(values) };
  const command = new PutItemCommand({ TableName: table.name, Item, ...conditionOf(limits) });
  return isAccepted(table.client.send(command, soon(table, limits)));
}

/** Deletes an item, if there is one. @returns false if the condition does not hold */
export function deleteItem(table: Table, { pk, sk }: Key, limits: Limited = {}): Promise<boolean> {
  const command = new DeleteItemCommand({ TableName: table.name, Key: { pk, sk }, ...conditionOf(limits) });
  return isAccepted(table.client.send(command, soon(table, limits)));
}

/** Updates an item, or creates it. @returns false if the condition does not hold */
export function updateItem(table: Table, Key: Key, update: Update): Promise<boolean> {
  const command = new UpdateItemCommand({
    TableName: table.name,
    Key,
    UpdateExpression: update.update,
    ...conditionOf(update),
  });
  return isAccepted(table.client.send(command, soon(table, update)));
}

/** The options of a request with a time limit. */
export function soon({ effects }: Table, { timeoutMs }: Limited): { abortSignal?: AbortSignal } {
  return timeoutMs === undefined ? {} : { abortSignal: effects.timeout(timeoutMs) };
}

async function isAccepted(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
