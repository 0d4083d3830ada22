import { describe, expect, test } from '@jest/globals';
import { openPage } from '../clients/browserPage.ts';
import { snippetLines } from '../clients/sdkSnippets.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';

/** FeatBit's SDKs for pages, which run in a browser only, each in a page that shows flags as `key: value`. */
const PAGES = {
  'React SDK': { file: 'react.jsx', alias: {} },
  // It asks for this release of the JavaScript client, and for no newer.
  'OpenFeature provider': { file: 'openFeature.js', alias: { '@featbit/js-client-sdk': 'js-client-sdk-4.2.8' } },
};

/** Pages in a browser: start, changes, another user, and missed changes after a reconnect. */
export function browserPageCases(target: GetTarget): void {
  describe('a page in a browser', () => {
    test.each(Object.entries(PAGES))(
      'with the %s shows its user’s flags, each change, another user’s flags, and what it missed',
      async (_, { file, alias }) => {
        const workspace = await Workspace.create(target());
        const given = {
          keyId: 'false-1',
          nextKeyId: 'true-1',
          keys: ['individual-targeting', 'returns-true', 'brand-new'],
        };
        const page = await openPage(workspace, { file }, given, alias);
        await page.shows('returns-true: true');
        expect(page.text()).toContain('individual-targeting: false');
        await workspace.toggle('returns-true');
        await page.shows('returns-true: false');
        await workspace.flag('brand-new', {});
        page.click();
        await page.shows('individual-targeting: true');
        await page.shows('brand-new: true');
        expect(page.connections()).toBe(1);

        page.closeSockets();
        await workspace.toggle('returns-true');
        await workspace.toggle('brand-new');
        await page.shows('returns-true: true');
        await page.shows('brand-new: false');
        await page.close();
      },
    );

    test('shows the flag by the React snippet of docs', async () => {
      const workspace = await Workspace.create(target());
      const [imports, lines] = snippetLines('React', 'jsx');
      const names = 'clientKey, streamingUrl, eventsUrl';
      const text = `${imports}\nexport async function start({ ${names} }) {\n${lines}\n}`;
      const page = await openPage(workspace, { text });
      await page.shows('true');
      await workspace.toggle('returns-true');
      await page.shows('false');
      expect(page.connections()).toBe(1);
      await page.close();
    });
  });
}
