import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { announcementPath, readAnnouncement } from './announcement.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-announcement-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const announce = (pid: number) => {
  const announcement = { pid, dynamoDbEndpoint: 'http://localhost:1', flagsTable: 'Flags', environment: { A: 'b' } };
  writeFileSync(announcementPath(directory), JSON.stringify(announcement));
  return announcement;
};

test('finds an announcement while its process runs', () => {
  expect(dirname(announcementPath(directory))).toBe(directory);
  expect(basename(announcementPath(directory))).toBe('local.json');
  expect(readAnnouncement(directory)).toBeUndefined();
  const announcement = announce(process.pid);
  expect(readAnnouncement(directory)).toEqual(announcement);
  announce(spawnSync(process.execPath, ['--version']).pid);
  expect(readAnnouncement(directory)).toBeUndefined();
});

test('a process of another user runs too', () => {
  jest.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  expect(readAnnouncement(directory)).toBeUndefined();
  const announcement = announce(1);
  expect(readAnnouncement(directory)).toEqual(announcement);
});

test('a file that cannot be read announces nothing', () => {
  writeFileSync(announcementPath(directory), '{"pid":');
  expect(readAnnouncement(directory)).toBeUndefined();
});
