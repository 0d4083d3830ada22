import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { startDynamoDb } from '../../emulator/dynamodb/server.ts';
import { createTables } from '../../emulator/tables.ts';
import { readModel } from '../../emulator/template/resolve.ts';

/**
 * A program that runs the emulated DynamoDB with the stacks' tables in memory, for the access key of its environment. It
 * prints its endpoint and the names of the tables, and runs until a signal.
 */
const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;
const dynamoDb = await startDynamoDb({ accessKey: { accessKeyId, secretAccessKey } });
const model = readModel(synthesizeTemplates(), { gatewayUrl: '', serviceUrl: '', streamArn: () => undefined });
await createTables(model, dynamoDb);
const tables = model.resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
const nameOf = (pattern: RegExp) => tables.find(({ logicalId }) => pattern.test(logicalId))?.value() ?? '';
const names = { flags: nameOf(/^Flags/), connections: nameOf(/^Connections/), usage: nameOf(/^Usage/) };
console.log(JSON.stringify({ message: 'listening', endpoint: dynamoDb.endpoint, ...names }));
