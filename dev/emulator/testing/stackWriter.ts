import { writeSync } from 'node:fs';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { startLocal } from '../emulator.ts';
import { onReceived } from './handlers/received.ts';
import { exampleTemplates } from './templates.ts';

// Run as a process of its own: writes numbered flags until it is killed, telling which were written and published.
onReceived('publish', (event) => {
  for (const { dynamodb } of (event as DynamoDBStreamEvent).Records) {
    writeSync(1, `published ${dynamodb?.Keys?.['sk']?.S}\n`);
  }
});
const stack = await startLocal({ templates: exampleTemplates, dataDir: process.argv[2] ?? '' });
const client = new DynamoDBClient({ endpoint: stack.dynamoDbEndpoint });
for (let i = 0; ; i += 1) {
  const item = { pk: { S: 'ENV#1' }, sk: { S: String(i) }, kind: { S: 'flag' } };
  await client.send(new PutItemCommand({ TableName: stack.tables.flags, Item: item }));
  writeSync(1, `written ${i}\n`);
}
