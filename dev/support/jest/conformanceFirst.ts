import { createRequire } from 'node:module';

type SequencerModule = typeof import('@jest/test-sequencer', { with: { 'resolution-mode': 'require' }});
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as SequencerModule;

type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/**
 * jest's order of test files: the conformance suite first, then the slowest known files. The conformance suite takes longest, and
 * mostly waits while other files use the processors.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default class ConformanceFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const isFirst = ({ path }: Tests[number]) => /\/conformance\/|Account[.]suite/.test(path);
    const sorted = await super.sort([...tests]);
    return [...sorted.filter(isFirst), ...sorted.filter((each) => !isFirst(each))];
  }
}
