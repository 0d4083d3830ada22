import { afterEach, describe, expect, test } from '@jest/globals';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as ServerSdk } from '@openfeature/server-sdk';
import { ProviderEvents, OpenFeature as WebSdk } from '@openfeature/web-sdk';
import type { Document } from '../../../../shared/flags/document.ts';
import { until } from '../../../../shared/testing/until.ts';
import { closeOpenFeatureWeb, startOpenFeatureWeb } from '../clients/openFeature.ts';
import { runSnippet } from '../clients/sdkSnippets.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';

/** Flags that clients can and cannot have. */
const DOCUMENTS: readonly Document[] = flagDocuments(
  simpleFlag('boolean'),
  simpleFlag('broken', { variationType: 'json', variations: [{ id: 'broken-true', name: 'true', value: '{' }] }),
  simpleFlag('archived', { isArchived: true }),
  simpleFlag('for-ann', { targetUsers: [{ keyIds: ['ann'], variationId: 'for-ann-false' }] }),
);

/** OpenFeature's Remote Evaluation Protocol: its providers as they are published. */
export function ofrepCases(target: GetTarget): void {
  describe('OFREP', () => {
    afterEach(() => closeOpenFeatureWeb());

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
