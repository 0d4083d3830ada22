import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makePrivate } from './dataFolder.ts';

const root = mkdtempSync(join(tmpdir(), 'flagwire-data-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
  chmodSync(folder, 0o755);
});

/** Makes a file that everybody may read, in folders that everybody may open. */
function put(name: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  for (let at = dirname(path); at !== folder; at = dirname(at)) chmodSync(at, 0o755);
}

const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

describe('a data folder of an earlier version', () => {
  test('becomes its owner’s only, with all that is in it', () => {
    const files = [
      ...[
        'keys.json',
        'console.json',
        'console.html',
        'dynamodb.port',
        'local.json',
        'local.json.4711',
        'dynamodb/CURRENT',
        'dynamodb/000003.log',
        'insight/a/b',
      ],
      ...['insight/S.ndjson', 'host/secrets/s.json', 'host-insights.ndjson', 'host-insights.ndjson.1763772000000-x'],
    ];
    for (const file of files) put(file);
    makePrivate(folder);
    for (const file of files) expect([file, modeOf(file)]).toEqual([file, '600']);
    for (const each of ['', 'dynamodb', 'insight', 'insight/a', 'host', 'host/secrets']) {
      expect([each, modeOf(each)]).toEqual([each, '700']);
    }
  });

  test('keeps the mode of a folder with other files, and of those files', () => {
    for (const file of ['keys.json', 'notes.txt', 'host-names/a', 'src/keys.json']) put(file);
    makePrivate(folder);
    expect(['keys.json', 'notes.txt', 'host-names/a', 'src/keys.json'].map(modeOf)).toEqual([
      ...['600', '644', '644', '644'],
    ]);
    expect(['', 'src', 'host-names'].map(modeOf)).toEqual(['755', '755', '755']);
  });

  test('by the usual name is private, whatever else it holds', () => {
    folder = join(folder, '.flagwire');
    put('mutation/log');
    chmodSync(folder, 0o755);
    makePrivate(folder);
    expect([modeOf(''), modeOf('mutation/log')]).toEqual(['700', '644']);
  });

  test('leads nowhere else by its links', () => {
    put('notes.txt');
    mkdirSync(join(folder, 'insight'));
    symlinkSync(join(folder, 'notes.txt'), join(folder, 'insight', 'S.ndjson'));
    symlinkSync(folder, join(folder, 'dynamodb'));
    makePrivate(folder);
    expect([modeOf('notes.txt'), modeOf('insight')]).toEqual(['644', '700']);
  });
});
