import { startDynamoDb } from '../../emulator/dynamodb/server.ts';
import { createTables } from '../../emulator/tables.ts';
import { readTables } from './tables.ts';

/**
 * The embedded DynamoDB with the stacks' tables, in memory, as a program, to be used by the access key of its environment. It
 * says where it is, and ends by a signal.
 */
const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;
const { endpoint } = await startDynamoDb({ accessKey: { accessKeyId, secretAccessKey } });
const { model, ...tables } = await readTables();
await createTables(model, endpoint);
console.log(JSON.stringify({ message: 'listening', endpoint, ...tables }));
