import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { HostConfigError } from '../settings/config.ts';
import { listen } from './listen.ts';
import type { Service } from './service.ts';

/** A service at an address that is not available. */
const at = (host: string, port: number) =>
  ({
    config: { host, port, reusePort: false, compressMessages: true, headersTimeoutMs: 1_000, unreadTimeoutMs: 1_000 },
    portSetting: 'METRICS_PORT',
    app: new Hono(),
    onOpen: () => ({ onMessage() {}, onDrain() {}, onClose() {} }),
    isUnavailable: () => false,
    onFailed: () => {},
  }) as unknown as Service;

describe('an address that cannot be used', () => {
  test('is named, with the setting to change where somebody else listens there', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const failed = listen(at('127.0.0.1', port));
    await expect(failed).rejects.toThrow(HostConfigError);
    await expect(failed).rejects.toThrow(
      `127.0.0.1, port ${port} is in use: set METRICS_PORT to another port, or stop the process that uses it`,
    );
    other.close();
  });

  test('is named with what the system says of it where it is none of this machine', async () => {
    await expect(listen(at('203.0.113.1', 0))).rejects.toThrow(/^203\.0\.113\.1, port 0 cannot be opened: ./);
  });
});
