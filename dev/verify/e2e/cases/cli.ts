import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../../infra/repository.ts';
import { BrowserSdk, forgetBrowserStorage } from '../../conformance/clients/browserSdk.ts';
import { NodeSdk } from '../../conformance/clients/nodeSdk.ts';
import type { Target } from '../../conformance/target.ts';
import type { Deployment } from '../deployment.ts';
import { flagsCli } from '../flagsCli.ts';

interface CreatedEnvironment {
  readonly id: string;
  readonly secrets: readonly { readonly type: string; readonly value: string }[];
}

/** The operator's way: an environment and FeatBit's benchmark data by the CLI, and a toggle that reaches the SDKs. */
export function cliCases(deployment: Deployment, target: Target): void {
  describe('the flags CLI on the deployed table', () => {
    test('imports the benchmark data, and its toggles are pushed to the Node and the browser SDK', async () => {
      forgetBrowserStorage();
      const flags = (...args: string[]) => flagsCli(deployment, ...args);
      const { id, secrets } = (await flags('env', 'create', 'e2e')) as CreatedEnvironment;
      const keyOf = (type: string) => secrets.find((secret) => secret.type === type)?.value ?? '';
      const access = { target: target, clientKey: keyOf('client'), serverKey: keyOf('server') };
      const data = join(repositoryRoot, 'shared', 'reference-data');
      const files = ['--flags', join(data, 'flags.json'), '--segments', join(data, 'segments.json')];
      await flags('import', ...files, '--env', id);

      const node = await NodeSdk.start(access);
      const browser = await BrowserSdk.start(access, 'u1');
      const sdks = [node, browser];
      const heardAtStart = sdks.map(({ updates }) => updates.length);
      let expected = 'true';
      for (let round = 0; round < 3; round++) {
        for (const sdk of sdks) await sdk.becomes('returns-true', expected);
        await flags('toggle', 'returns-true', '--env', id);
        expected = expected === 'true' ? 'false' : 'true';
      }
      for (const [i, sdk] of sdks.entries()) {
        await sdk.becomes('returns-true', expected);
        expect(sdk.updates.slice(heardAtStart[i])).toEqual(['returns-true', 'returns-true', 'returns-true']);
        await sdk.close();
      }
    });
  });
}
