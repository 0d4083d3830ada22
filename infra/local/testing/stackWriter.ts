import { writeSync } from 'node:fs';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startLocal } from '../standIn.ts';
import { onReceived } from './handlers/received.ts';
import { exampleTemplates } from './templates.ts';

// Run as a process of its own: writes numbered flags until it is killed, telling which were written and delivered.
onReceived('deliver', (record) => {
  const { key } = JSON.parse((record as { body: string }).body) as { key: string };
  writeSync(1, `delivered ${key}\n`);
});
const stack = await startLocal({ templates: exampleTemplates, dataDir: process.argv[2] ?? '' });
const client = new DynamoDBClient({ endpoint: stack.dynamoDbEndpoint });
for (let i = 0; ; i += 1) {
  const item = { pk: { S: 'ENV#1' }, sk: { S: String(i) }, kind: { S: 'flag' } };
  await client.send(new PutItemCommand({ TableName: stack.tables.flags, Item: item }));
  writeSync(1, `written ${i}\n`);
}
