import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type SequencerModule = typeof import('@jest/test-sequencer', { with: { 'resolution-mode': 'require' }});
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as SequencerModule;

type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/**
 * jest's order of test files, the slowest known ones first, with those that run the conformance suite before all: they take longest,
 * and mostly wait, while the others keep the processors busy.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default class ConformanceFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const isFirst = ({ path }: Tests[number]) =>
      path.includes('/conformance/') || readFileSync(path, 'utf8').includes('conformanceUnder');
    const sorted = await super.sort([...tests]);
    return [...sorted.filter(isFirst), ...sorted.filter((each) => !isFirst(each))];
  }
}
