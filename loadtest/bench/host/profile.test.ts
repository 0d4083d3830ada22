import { expect, test } from '@jest/globals';
import { selfShares, withoutRoot } from './profile.ts';

test('time is shared out to functions themselves, but for the idle', () => {
  const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });
  const nodes = [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('send', 'file:///a/b/host/net.ts', 9) },
    { id: 3, callFrame: frame('') },
  ];
  expect(selfShares({ nodes, samples: [1, 2, 3, 2], timeDeltas: [1_000, 200, 100, 100] })).toEqual([
    { share: 0.75, name: 'send', where: 'host/net.ts:10' },
    { share: 0.25, name: '(anonymous)', where: '' },
  ]);
});

test('files are named from the root of the project, and others as they are', () => {
  const of = (...urls: string[]) => JSON.stringify({ nodes: urls.map((url) => ({ callFrame: { url } })) });
  const written = of('file:///home/me/flags/shared/a.ts', 'node:net', 'file:///home/me/flagsmith/b.ts');
  expect(withoutRoot(written, '/home/me/flags')).toBe(
    of('file:///shared/a.ts', 'node:net', 'file:///home/me/flagsmith/b.ts'),
  );
});
