import { describe, expect, test } from '@jest/globals';
import { HostConfigError, hostSettings, readHostConfig } from './config.ts';

describe('the host’s configuration', () => {
  test('needs no more than the table’s name', () => {
    expect(readHostConfig({ FLAGS_TABLE: 'Flags' })).toEqual({
      flagsTable: 'Flags',
      host: '0.0.0.0',
      port: 5100,
      reusePort: false,
      compressMessages: true,
      pollIntervalMs: 50,
      fastPollMs: 60_000,
      maxReadAgeMs: 90,
      headersTimeoutMs: 10_000,
      idleTimeoutMs: 600_000,
      heartbeat: false,
      maxMessagesPerSecond: 20,
      budgetsPerAddress: 100,
      trustedProxies: 0,
      drainMs: 10_000,
      unreadTimeoutMs: 30_000,
      maxUnsentBytes: 64 * 1024 * 1024,
      missingAttribute: 'empty',
      insights: { file: 'insights.ndjson' },
    });
    expect(readHostConfig({ FLAGS_TABLE: 'Flags', INSIGHT_STREAM: 's', PORT: '0' })).toMatchObject({
      port: 0,
      insights: { stream: 's' },
    });
    expect(readHostConfig({ FLAGS_TABLE: 'Flags', REUSE_PORT: 'true' })).toMatchObject({ reusePort: true });
    expect(readHostConfig({ FLAGS_TABLE: 'Flags', HEARTBEAT: 'true' })).toMatchObject({ heartbeat: true });
    const more = {
      METRICS_PORT: '9100',
      STATE_DIR: '/var/lib/flagwire',
      MAX_TABLE_OUTAGE_MS: '30000',
      MAX_CONNECTIONS: '18000',
      HOST_NAMES: 'A.lan,[::1]',
    };
    expect(readHostConfig({ FLAGS_TABLE: 'Flags', ...more })).toMatchObject({
      metricsPort: 9_100,
      stateDir: '/var/lib/flagwire',
      maxTableOutageMs: 30_000,
      maxConnections: 18_000,
      hostNames: ['a.lan', '[::1]'],
    });
    expect(readHostConfig({ FLAGS_TABLE: 'Flags', TLS_CERT: 'c', TLS_KEY: 'k' }).tls).toEqual({ cert: 'c', key: 'k' });
  });

  test('says of each setting what it means', () => {
    for (const [name, { description }] of Object.entries(hostSettings.shape))
      expect(`${name}: ${description}`).toMatch(/^[A-Z_]+: \w+( \S+){3,}/);
  });

  test('takes what each setting may be', () => {
    const env = { FLAGS_TABLE: 'F', REUSE_PORT: 'false', MISSING_ATTRIBUTE: 'no-match', METRICS_PORT: '65535' };
    expect(readHostConfig(env)).toMatchObject({ reusePort: false, missingAttribute: 'no-match', metricsPort: 65_535 });
    expect(readHostConfig({ ...env, MISSING_ATTRIBUTE: 'empty' }).missingAttribute).toBe('empty');
    expect(readHostConfig({ ...env, COMPRESS_MESSAGES: 'false' }).compressMessages).toBe(false);
    expect(readHostConfig({ ...env, FAST_POLL_MS: '0' }).fastPollMs).toBe(0);
    expect(readHostConfig({ ...env, MAX_READ_AGE_MS: '0' }).maxReadAgeMs).toBe(0);
  });

  test.each([
    [{ FLAGS_TABLE: 'F', METRICS_PORT: '0' }, /^METRICS_PORT=0 is invalid/],
    [{ FLAGS_TABLE: 'F', METRICS_PORT: '65536' }, /^METRICS_PORT=65536 is invalid: .*65535/],
    [{ FLAGS_TABLE: 'F', REUSE_PORT: '' }, /^REUSE_PORT= is invalid/],
    [{}, /^FLAGS_TABLE is invalid: a table name is required; take it from the outputs of the stack/],
    [{ FLAGS_TABLE: '' }, /^FLAGS_TABLE= is invalid: a table name is required; take it from the outputs of the stack/],
    [{ FLAGS_TABLE: 'F', PORT: 'http' }, /^PORT=http is invalid/],
    [{ FLAGS_TABLE: 'F', PORT: '70000' }, /^PORT=70000 is invalid: .*65535/],
    [{ FLAGS_TABLE: 'F', POLL_INTERVAL_MS: '1' }, /^POLL_INTERVAL_MS=1 is invalid: .*10/],
    [{ FLAGS_TABLE: 'F', FAST_POLL_MS: '-1' }, /^FAST_POLL_MS=-1 is invalid: .*0/],
    [{ FLAGS_TABLE: 'F', FAST_POLL_MS: '3600001' }, /^FAST_POLL_MS=3600001 is invalid: .*3600000/],
    [{ FLAGS_TABLE: 'F', MAX_READ_AGE_MS: '91' }, /^MAX_READ_AGE_MS=91 is invalid: .*90/],
    [{ FLAGS_TABLE: 'F', MAX_UNSENT_BYTES: '10' }, /^MAX_UNSENT_BYTES=10 is invalid/],
    [{ FLAGS_TABLE: 'F', HOST_NAMES: 'a, b' }, /^HOST_NAMES=a, b is invalid: separate names by commas/],
    [{ FLAGS_TABLE: 'F', MAX_TABLE_OUTAGE_MS: '99' }, /^MAX_TABLE_OUTAGE_MS=99 is invalid: .*100/],
    [{ FLAGS_TABLE: 'F', MISSING_ATTRIBUTE: 'none' }, /^MISSING_ATTRIBUTE=none is invalid/],
    [{ FLAGS_TABLE: 'F', INSIGHT_STREAM: 's', INSIGHT_FILE: 'f' }, /cannot both be set/],
    [{ FLAGS_TABLE: 'F', TLS_CERT: 'c' }, /set both TLS_CERT and TLS_KEY/],
    [{ FLAGS_TABLE: 'F', TLS_KEY: 'k' }, /set both TLS_CERT and TLS_KEY/],
  ])('%j is refused by name', (env, message) => {
    expect(() => readHostConfig(env)).toThrow(HostConfigError);
    expect(() => readHostConfig(env)).toThrow(message);
  });
});
