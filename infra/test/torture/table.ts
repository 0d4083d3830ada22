import { startDynamoDb } from '../../emulator/dynamodb/server.ts';
import { createTables } from '../../emulator/tables.ts';
import { readTables } from './tables.ts';

/** The embedded DynamoDB with the stacks' tables, in memory, as a program. It says where it is, and ends by a signal. */
const { endpoint } = await startDynamoDb();
const { model, flags } = await readTables();
await createTables(model, endpoint);
console.log(JSON.stringify({ message: 'listening', endpoint, flags }));
