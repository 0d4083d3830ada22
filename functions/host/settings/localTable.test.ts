import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { announcementPath } from '../../../shared/runtime/announcement.ts';
import { HostConfigError } from './config.ts';
import { findLocalTable, localTableSettings } from './localTable.ts';

const folder = mkdtempSync(join(tmpdir(), 'flagwire-local-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

const announcement = {
  pid: process.pid,
  dynamoDbEndpoint: 'http://127.0.0.1:8000',
  flagsTable: 'Flags',
  environment: { AWS_REGION: 'local' },
};
const settingsFor = (env: Record<string, string>) => localTableSettings(env, announcement, '.flagwire');

describe('a host next to the emulator', () => {
  test('has its table, the next port, and its files in the same folder', () => {
    expect(settingsFor({})).toEqual({
      FLAGS_TABLE: 'Flags',
      PORT: '5200',
      HOST: '127.0.0.1',
      HOST_NAMES: '127.0.0.1,localhost,[::1]',
      STATE_DIR: '.flagwire/host',
      MAX_TABLE_OUTAGE_MS: '30000',
      INSIGHT_FILE: '.flagwire/host-insights.ndjson',
    });
  });

  test('keeps what is set', () => {
    const set = { PORT: '1', HOST: '::', STATE_DIR: 's', INSIGHT_FILE: 'f', MAX_TABLE_OUTAGE_MS: '1000' };
    expect(settingsFor(set)).toMatchObject(set);
    expect(settingsFor(set)).not.toHaveProperty('HOST_NAMES');
    expect(settingsFor({ HOST_NAMES: 'mine.lan' })).toMatchObject({ HOST_NAMES: 'mine.lan' });
    expect(settingsFor({ INSIGHT_STREAM: 'stream' })).not.toHaveProperty('INSIGHT_FILE');
  });

  test('finds it in its data folder, unless a table is named', () => {
    const find = (env: Record<string, string>) => findLocalTable(env, folder);
    expect(() => find({})).toThrow(HostConfigError);
    expect(() => find({})).toThrow(
      `FLAGS_TABLE is not set, and npm start is not running with the data folder ${folder}. Run it, name its folder with --data <directory>, or set FLAGS_TABLE`,
    );
    writeFileSync(announcementPath(folder), JSON.stringify(announcement));
    expect(find({})).toEqual(announcement);
    expect(find({ FLAGS_TABLE: 'Other' })).toBeUndefined();
  });
});
