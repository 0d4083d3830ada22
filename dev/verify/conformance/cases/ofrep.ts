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

/** OpenFeature's Remote Evaluation Protocol: its providers as they are published. */
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
  });
}
