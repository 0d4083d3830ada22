import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from '../../console/page/build.ts';
import { recordPage } from '../../console/page/recordedPage.ts';
import { readMeasured } from '../../cost/assumptions/measured.ts';
import { type CostPageData, renderCostPage } from '../../cost/page/renderPage.ts';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizeTemplates } from '../../infra/inProcess.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import { bundleSdk, tryPageHtml } from '../local/tryFiles.ts';
import { IN_PACKAGE } from './bundle.ts';
import { COST_DATA, type RecordedTry } from './prebuilt.ts';

/**
 * Makes pages and templates, and writes them to `prebuilt` in the package.
 *
 * @returns source files of the functions in the templates, from the repository's root
 */
export async function record(folder: string): Promise<readonly string[]> {
  const home = join(folder, 'prebuilt');
  mkdirSync(home, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(home, name), text.replaceAll(IN_PACKAGE, 'true'));

  write('console.json', recordPage(await buildPage()));
  write('cost.html', renderCostPage(COST_DATA as unknown as CostPageData));
  write('measured.json', JSON.stringify(readMeasured()));
  write(
    'try.json',
    JSON.stringify({ html: tryPageHtml(), sdk: new TextDecoder().decode(await bundleSdk()) } satisfies RecordedTry),
  );

  const source = /(functions\/lambda\/\w+)[.]ts/g;
  const throttles = new Map(Object.values(awsProfiles).map(({ requests }) => [requests.perSecond, requests.burst]));
  const templates = Array.from(throttles, ([throttlingRate, throttlingBurst]) => [
    throttlingRate,
    synthesizeTemplates(readConfig({ throttlingRate, throttlingBurst })),
  ]);
  const text = JSON.stringify(Object.fromEntries(templates));
  write('templates.json', text.replaceAll(source, '$1.js'));
  return [...new Set([...text.matchAll(source)].map(([path]) => path))];
}
