import { afterEach, describe, expect, test } from '@jest/globals';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as ServerSdk } from '@openfeature/server-sdk';
import { ProviderEvents, OpenFeature as WebSdk } from '@openfeature/web-sdk';
import type { Document } from '../../../../shared/flags/document.ts';
import { aRollout, share } from '../../../../shared/testing/builders.ts';
import { until } from '../../../../shared/testing/until.ts';
import { closeOpenFeatureWeb, openFeatureServer, startOpenFeatureWeb } from '../clients/openFeature.ts';
import { runSnippet } from '../clients/sdkSnippets.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

const FLAGS = '/ofrep/v1/evaluate/flags';

/** A flag of each type, and ones that clients cannot have. */
const DOCUMENTS: readonly Document[] = [
  simpleFlag('boolean'),
  valueFlag('text', 'string', 'blue'),
  valueFlag('integer', 'number', '42'),
  valueFlag('broken', 'json', '{'),
  simpleFlag('archived', { isArchived: true }),
  simpleFlag('half', { fallthrough: aRollout(share('half-true', 0, 0.5), share('half-false', 0.5, 1)) }),
  simpleFlag('for-ann', { targetUsers: [{ keyIds: ['ann'], variationId: 'for-ann-false' }] }),
].map((document) => ({ kind: 'flag', document }));

function valueFlag(key: string, variationType: 'string' | 'number' | 'json', value: string) {
  return simpleFlag(key, { variationType, variations: [{ id: `${key}-true`, name: 'true', value }] });
}

/** OpenFeature's Remote Evaluation Protocol: its providers as they are published, and what browsers and errors need. */
export function ofrepCases(target: GetTarget): void {
  describe('OFREP', () => {
    afterEach(() => closeOpenFeatureWeb());

    test('the server provider returns variants, reasons and metadata of the newest version', async () => {
      const workspace = await Workspace.create(target(), DOCUMENTS);
      const client = await openFeatureServer(workspace);
      const ann = { targetingKey: 'ann' };
      const [stored] = await workspace.toggle('boolean');
      expect(await client.getBooleanDetails('boolean', true, ann)).toMatchObject({
        value: false,
        variant: 'boolean-false',
        reason: 'STATIC',
        flagMetadata: { matchReason: 'flag disabled', variationName: 'false', version: String(stored?.updatedAt) },
      });
      const details = await client.getBooleanDetails('for-ann', true, ann);
      expect(details).toMatchObject({ value: false, reason: 'TARGETING_MATCH' });
      expect(await client.getBooleanValue('for-ann', false, { targetingKey: 'bob' })).toBe(true);
    });

    test('the server provider has an error code for each reason of a failure', async () => {
      const client = await openFeatureServer(await Workspace.create(target(), DOCUMENTS));
      const codeOf = async (key: string, context: Parameters<typeof client.getBooleanDetails>[2]) => {
        const { value, errorCode } = await client.getBooleanDetails(key, false, context);
        return [value, errorCode];
      };
      const ann = { targetingKey: 'ann' };
      expect(await codeOf('gone', ann)).toEqual([false, 'FLAG_NOT_FOUND']);
      expect(await codeOf('archived', ann)).toEqual([false, 'FLAG_NOT_FOUND']);
      expect(await codeOf('text', ann)).toEqual([false, 'TYPE_MISMATCH']);
      expect(await codeOf('broken', ann)).toEqual([false, 'PARSE_ERROR']);
      expect(await codeOf('boolean', {})).toEqual([true, undefined]);
      expect(await codeOf('half', {})).toEqual([false, 'TARGETING_KEY_MISSING']);
      expect(await codeOf('boolean', { ...ann, text: 'x'.repeat(40_000) })).toEqual([false, 'INVALID_CONTEXT']);
    });

    test('the web provider starts with the flags, asks for what is new only, and follows changes and contexts', async () => {
      const workspace = await Workspace.create(target(), DOCUMENTS);
      const web = await startOpenFeatureWeb(workspace, workspace.clientKey, { targetingKey: 'bob' });
      const { client } = web;
      expect(client.getBooleanValue('for-ann', false)).toBe(true);
      expect(client.getBooleanDetails('broken', false).errorCode).toBe('PARSE_ERROR');
      expect(client.getBooleanDetails('archived', false).errorCode).toBe('FLAG_NOT_FOUND');
      await until(
        () => web.statuses,
        (statuses) => statuses.includes(304),
      );
      await workspace.toggle('boolean');
      await until(
        () => client.getBooleanValue('boolean', true),
        (value) => value === false,
      );
      expect(web.changed).toContain('boolean');
      await web.setContext({ targetingKey: 'ann' });
      expect(client.getBooleanValue('for-ann', true)).toBe(false);
    });

    test('the web provider takes a refused key for final', async () => {
      const workspace = await Workspace.create(target(), []);
      const unknown = `${'A'.repeat(22)}${workspace.clientKey.slice(22)}`;
      await expect(startOpenFeatureWeb(workspace, unknown, { targetingKey: 'ann' })).rejects.toThrow(
        'Initialization failed',
      );
    });

    test('the OpenFeature snippets of docs print the flag', async () => {
      const { clientKey, serverKey } = await Workspace.create(target());
      const pollingUrl = target().httpUrl;
      // It asks again every few seconds, for as long as its process lives.
      const setInterval = () => {};
      const onServer = { OpenFeature: ServerSdk, OFREPProvider, serverKey, pollingUrl, setInterval };
      expect(await runSnippet('OpenFeature on a server', onServer)).toEqual([true]);
      const inBrowser = { OpenFeature: WebSdk, ProviderEvents, OFREPWebProvider, clientKey, pollingUrl };
      expect(await runSnippet('OpenFeature in a browser', inBrowser)).toEqual([true]);
    });

    test('any method but POST is refused with 405, with a key and without', async () => {
      const { clientKey } = await Workspace.create(target(), DOCUMENTS);
      for (const path of [FLAGS, `${FLAGS}/boolean`]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          for (const headers of [{}, { authorization: `Bearer ${clientKey}` }, { 'x-api-key': clientKey }]) {
            const answer = await fetch(target().httpUrl + path, { method, headers: headers as Record<string, string> });
            expect([path, method, answer.status, answer.headers.get('allow')]).toEqual([path, method, 405, 'POST']);
          }
        }
      }
      const headers = { authorization: `Bearer ${clientKey}` };
      expect((await fetch(`${target().httpUrl}/ofrep/v1/configuration`, { headers })).status).toBe(404);
    });

    test('browsers may send what the web provider sends, and read the tag of an answer', async () => {
      const { clientKey } = await Workspace.create(target(), DOCUMENTS);
      const origin = 'https://app.example';
      const names = ['authorization', 'content-type', 'if-none-match', 'x-api-key'];
      const preflight = await fetch(target().httpUrl + FLAGS, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': names.join(),
        },
      });
      expect(preflight.ok).toBe(true);
      const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/);
      expect(allowed).toEqual(expect.arrayContaining(names));
      const post = (headers: Record<string, string>) =>
        fetch(target().httpUrl + FLAGS, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${clientKey}`, ...headers },
          body: JSON.stringify({ context: { targetingKey: 'ann' } }),
        });
      const answer = await post({});
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag');
      const tag = answer.headers.get('etag') ?? '';
      const again = await post({ 'if-none-match': tag });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    });
  });
}
