import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { LocalStack } from '../emulator/emulator.ts';
import { announce, claimDataDir, withdraw, writePrivate } from './announcement.ts';

const root = mkdtempSync(join(tmpdir(), 'flagwire-announcement-'));
afterAll(() => rmSync(root, { recursive: true }));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(root, 'data-'));
});

const stack = {
  streamingUrl: 'ws://127.0.0.1:1',
  httpUrl: 'http://127.0.0.1:1',
  dynamoDbEndpoint: 'http://127.0.0.1:2',
  tables: { flags: 'F', connections: 'C' },
  environment: {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_CLOUDWATCH: 'http://127.0.0.1:3',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:2',
    FLAGS_TABLE: 'F',
  },
} as unknown as LocalStack;

const path = () => join(dataDir, 'local.json');
const announced = () => JSON.parse(readFileSync(path(), 'utf8'));
const announceAs = (pid: unknown) => writeFileSync(path(), JSON.stringify({ ...announced(), pid }));

/** A process that does nothing until it is killed. */
async function aProcess(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child as ChildProcess & { pid: number };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

describe('an announcement', () => {
  test('tells where the tables are, whose they are, and no more than is needed', () => {
    announce(dataDir, stack, 'E');
    expect(announced()).toEqual({
      pid: process.pid,
      dynamoDbEndpoint: 'http://127.0.0.1:2',
      flagsTable: 'F',
      httpUrl: 'http://127.0.0.1:1',
      defaultEnvironment: 'E',
      environment: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_CLOUDWATCH: 'http://127.0.0.1:3',
      },
    });
  });

  test('is its owner’s to read, replaces the one before, and leaves no draft behind', () => {
    announce(dataDir, stack);
    announce(dataDir, { ...stack, dynamoDbEndpoint: 'http://127.0.0.1:3' });
    expect(announced().dynamoDbEndpoint).toBe('http://127.0.0.1:3');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['lambda.sh', 'local.json']);
  });

  test('has a script with the variables of code in Lambda', () => {
    announce(dataDir, stack, 'E');
    const script = join(dataDir, 'lambda.sh');
    expect(readFileSync(script, 'utf8').split('\n')).toEqual([
      ...['export FLAGS_ENVIRONMENT=E', 'export FLAGS_TABLE=F', 'export AWS_REGION=us-east-1'],
      ...['export AWS_ACCESS_KEY_ID=local', 'export AWS_SECRET_ACCESS_KEY=local'],
      ...['export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:2', ''],
    ]);
    expect(statSync(script).mode & 0o777).toBe(0o600);
  });

  test('is gone once it is withdrawn; withdrawing twice is no error', () => {
    announce(dataDir, stack);
    withdraw(dataDir);
    withdraw(dataDir);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('a file', () => {
  test('keeps the former file if the new one cannot be written', () => {
    writePrivate(path(), { kept: true });
    const inode = statSync(path()).ino;
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(() => writePrivate(path(), circular)).toThrow('circular');
    expect(announced()).toEqual({ kept: true });
    writePrivate(path(), { next: true });
    expect(announced()).toEqual({ next: true });
    // A new file in the place of the old one: a reader sees either, never half of both.
    expect(statSync(path()).ino).not.toBe(inode);
  });

  test('whose draft a killed process left for everybody to read is its owner’s only', () => {
    writeFileSync(`${path()}.${process.pid}`, '{', { mode: 0o644 });
    writePrivate(path(), {});
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test('in the place of one that everybody could read is its owner’s only', () => {
    writeFileSync(path(), '{}', { mode: 0o644 });
    writePrivate(path(), {});
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });
});

describe('a data directory', () => {
  test('is made, with those above it', () => {
    const deep = join(dataDir, 'a', 'b');
    claimDataDir(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
  });

  test('is not shared with a process that is alive; once that was killed its announcement counts for nothing', async () => {
    const other = await aProcess();
    announce(dataDir, stack);
    announceAs(other.pid);
    try {
      expect(() => claimDataDir(dataDir)).toThrow(`process ${other.pid} already uses ${dataDir}`);
      expect(() => claimDataDir(dataDir)).toThrow('--data');
    } finally {
      await kill(other);
    }
    claimDataDir(dataDir);
    announce(dataDir, stack);
    expect(announced().pid).toBe(process.pid);
  });

  test('accepts its own announcement in the data directory', () => {
    announce(dataDir, stack);
    expect(() => claimDataDir(dataDir)).not.toThrow();
  });

  test('with half an announcement may be claimed', () => {
    writeFileSync(path(), '{"pid":');
    expect(() => claimDataDir(dataDir)).not.toThrow();
  });
});
