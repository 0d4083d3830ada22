import { describe, expect, test } from '@jest/globals';
import { localTableSettings } from './localTable.ts';

const announcement = {
  pid: 1,
  dynamoDbEndpoint: 'http://127.0.0.1:8000',
  flagsTable: 'Flags',
  environment: { AWS_REGION: 'local' },
};
const settingsFor = (env: Record<string, string>) => localTableSettings(env, announcement, '.flagwire');

describe('a host beside the emulator', () => {
  test('has its table, the next port, and its files in the same folder', () => {
    expect(settingsFor({})).toEqual({
      AWS_REGION: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
      FLAGS_TABLE: 'Flags',
      PORT: '5200',
      HOST: '127.0.0.1',
      STATE_DIR: '.flagwire/host',
      INSIGHT_FILE: '.flagwire/host-insights.ndjson',
    });
  });

  test('keeps what is set, and to the table that is named', () => {
    const set = { PORT: '1', HOST: '::', STATE_DIR: 's', INSIGHT_FILE: 'f' };
    expect(settingsFor(set)).toMatchObject(set);
    expect(settingsFor({ INSIGHT_STREAM: 'stream' })).not.toHaveProperty('INSIGHT_FILE');
    expect(settingsFor({ FLAGS_TABLE: 'Other' })).toEqual({});
  });
});
