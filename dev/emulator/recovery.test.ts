import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { startLocal } from './emulator.ts';
import { whenReceived } from './testing/handlers/received.ts';
import { exampleTemplates } from './testing/templates.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-recovery-'));
afterAll(() => rmSync(directory, { recursive: true }));

const keysOf = ({ Records }: DynamoDBStreamEvent) => Records.map(({ dynamodb }) => Number(dynamodb?.Keys?.['sk']?.S));

test('every change acknowledged before SIGKILL is published, then or after the restart, in order', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/stackWriter.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (told.includes('written 200\n')) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const numbers = (what: string) => [...told.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, n]) => Number(n));
  const lastWritten = numbers('written').at(-1) ?? 0;
  const before = numbers('published');

  const stack = await startLocal({ templates: exampleTemplates, dataDir: directory, log: () => {} });
  const isLast = (event: DynamoDBStreamEvent) => keysOf(event).includes(lastWritten);
  if (!before.includes(lastWritten)) await whenReceived<DynamoDBStreamEvent>('publish', 1, isLast);
  const after = (await whenReceived<DynamoDBStreamEvent>('publish', 0)).flatMap(keysOf);
  await stack.close();

  const all = [...new Set([...before, ...after])];
  expect(all.filter((key) => key <= lastWritten)).toEqual(Array.from({ length: lastWritten + 1 }, (_, i) => i));
});
