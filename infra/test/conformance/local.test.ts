import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, jest } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { conformanceCases } from './cases/all.ts';
import type { Target } from './target.ts';

jest.setTimeout(60_000);

let stack: LocalStack;
let target: Target;

beforeAll(async () => {
  // The cases provoke warnings by the dozen; what they are to say is tested beside the functions.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  stack = await startLocal({ templates: synthesizeTemplates(), log: () => undefined });
  const client = new DynamoDBClient({ endpoint: stack.dynamoDbEndpoint });
  target = {
    streamingUrl: stack.streamingUrl,
    httpUrl: stack.httpUrl,
    store: openStore({ client, ...stack.tables }),
    insights: () => readAll(stack.insightDirectory),
  };
});

afterAll(async () => {
  target.store.close();
  await stack.close();
});

conformanceCases(() => target);

function readAll(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('');
}
