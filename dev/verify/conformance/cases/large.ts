import { describe, expect, test } from '@jest/globals';
import { listVersions } from '../../../support/rawSocket.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

const FLAGS = 600;
const LIMIT_BYTES = 128 * 1024;

/** An environment whose replies exceed one WebSocket message, for both types. */
export function largeCases(target: GetTarget): void {
  describe('an environment larger than a message', () => {
    const documents = flagDocuments(...Array.from({ length: FLAGS }, (_, i) => simpleFlag(`flag-${i}`)));

    test('goes out in parts, oldest first, ascending, each within the limit, none lost', async () => {
      const workspace = await Workspace.create(target(), documents);
      for (const [type, user, headers, isOneItem] of [
        ['server', undefined, { 'User-Agent': 'fb-go-server-sdk' }, true],
        ['server', undefined, { 'User-Agent': 'fb-python-server-sdk' }, false],
        ['server', undefined, undefined, false],
        ['client', { keyId: 'u1' }, undefined, false],
      ] as const) {
        const socket = await openSocket(workspace.url(type), headers);
        const first = await socket.sync({ timestamp: 0, user });
        expect(first.data.eventType).toBe('full');
        const versions = listVersions(first);
        while (versions.length < FLAGS) {
          const part = await socket.next();
          expect(part.data.eventType).toBe('patch');
          if (isOneItem) expect(part.data.featureFlags).toHaveLength(1);
          versions.push(...listVersions(part));
        }
        if (!isOneItem) expect(socket.texts.length).toBeLessThan(5);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(new Set(versions).size).toBe(FLAGS);
        if (target().differences?.has('answers-whole')) {
          expect(socket.texts).toHaveLength(1);
        } else {
          for (const text of socket.texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT_BYTES);
          expect(socket.texts.length).toBeGreaterThan(1);
        }
      }
    });

    test('sends changes that happen during an answer after it', async () => {
      const workspace = await Workspace.create(target(), documents);
      const socket = await openSocket(workspace.url('server'), { 'User-Agent': 'fb-java-server-sdk' });
      const seen = listVersions(await socket.sync({ timestamp: 0 }));
      const written = (await Promise.all([workspace.toggle('flag-0'), workspace.toggle('flag-599')])).flat();
      const last = Math.max(...written.map(({ updatedAt }) => updatedAt));
      while (seen.at(-1) !== last) seen.push(...listVersions(await socket.next()));
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      for (const { updatedAt } of written) expect(seen).toContain(updatedAt);
    });
  });
}
