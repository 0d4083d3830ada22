import { expect, test } from '@jest/globals';
import { formatReport, isGood, type Verification } from './report.ts';

const good: Verification = {
  streamingUrl: 'wss://a.example',
  httpUrl: 'https://b.example',
  at: '2026-01-02T03:04:05.000Z',
  findings: [
    { question: 'the pong', answer: '{"messageType":"pong"}', isPromised: true },
    { question: 'the close code', answer: '1001\ngone | away' },
  ],
  suite: { passed: 75, failed: [] },
};

test('a report names the deployment, each question with its answer, and the suite’s result', () => {
  expect(formatReport(good)).toBe(`# Verification of wss://a.example and https://b.example

2026-01-02T03:04:05.000Z

| question | seen | as promised |
|---|---|---|
| the pong | {"messageType":"pong"} | yes |
| the close code | 1001 gone \\| away |  |

Conformance suite: 75 passed, 0 failed.
`);
});

test('marks findings that break a promise, and is not good', () => {
  const broken = { ...good, findings: [{ question: 'q', answer: 'x'.repeat(999), isPromised: false }] };
  expect(formatReport(broken)).toMatch(/\| q \| x{300}… \| \*\*no\*\* \|/);
  const failed = { ...good, suite: { passed: 74, failed: [{ name: 'push order', reason: 'expected 1' }] } };
  expect(formatReport(failed)).toContain('74 passed, 1 failed.\n\n- **push order**: expected 1');
  expect([good, broken, failed].map(isGood)).toEqual([true, false, false]);
});
