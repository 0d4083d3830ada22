import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../../console/page/recordedPage.ts';
import { WorkloadError } from '../../cost/model/workload/workload.ts';

/**
 * In the npm package, this module takes the place of those in {@link REPLACED}. They need esbuild, CDK or a clone. `npm run pack`
 * calls them, and stores their results in the package's folder `prebuilt` (record.ts).
 */
export const REPLACED: readonly string[] = [
  'console/page/build.ts',
  'cost/assumptions/measured.ts',
  'cost/page/renderPage.ts',
  'cost/refresh/refreshPrices.ts',
  'dev/local/tryFiles.ts',
  'infra/config/config.ts',
  'infra/inProcess.ts',
];

/** The recorded cost page has it in place of its data. */
export const COST_DATA = 'data of the cost page';

/** The page `/try`, and FeatBit's SDK for it. */
export interface RecordedTry {
  readonly html: string;
  readonly sdk: string;
}

const text = (name: string) => readFileSync(join(import.meta.dirname, '../../prebuilt', name), 'utf8');
const json = <T>(name: string) => JSON.parse(text(name)) as T;

export const buildPage: typeof import('../../console/page/build.ts').buildPage = async () =>
  readPage(text('console.json'));

export const readMeasured = () =>
  json<ReturnType<typeof import('../../cost/assumptions/measured.ts').readMeasured>>('measured.json');

export const renderCostPage: typeof import('../../cost/page/renderPage.ts').renderCostPage = (data) =>
  text('cost.html').replace(`"${COST_DATA}"`, () => JSON.stringify(data).replaceAll('<', '\\u003c'));

export const tryPageHtml = () => json<RecordedTry>('try.json').html;
export const bundleSdk = async () => Buffer.from(json<RecordedTry>('try.json').sdk);

interface Throttle {
  readonly throttlingRate: number;
}

/** The templates depend on the throttle only, which is that of one of the emulated accounts. */
export const readConfig = (throttle: Throttle) => throttle;

export const synthesizeTemplates = ({ throttlingRate }: Throttle) =>
  json<Readonly<Record<number, unknown>>>('templates.json')[throttlingRate];

export function refreshPrices(): never {
  throw new WorkloadError('the command prices refresh needs a clone of the repository, whose files it writes');
}
