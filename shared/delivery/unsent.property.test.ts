import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { referencedSegments } from '../evaluation/flag.ts';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import { problemOfSending } from '../evaluation/unsent.ts';
import { type Flag, parseFlag } from '../flags/flag.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { parseSegment, type Segment } from '../flags/segment.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { aCondition, aFlag, aRule } from '../testing/builders.ts';
import { compileEnvironment, resultsByKey } from '../testing/evaluate.ts';
import { accepted } from '../testing/fixtures.ts';
import { NodeSdk } from '../testing/nodeSdk.ts';
import { runs } from '../testing/runs.ts';
import { serverFormat } from './format.ts';
import { patchFor } from './patch.ts';
import { replyTo } from './reply.ts';

const LIMIT = { bytes: 20_000, onTooLarge: () => {} };
const PADDING = 'x'.repeat(LIMIT.bytes);

/** A server-side SDK, which keeps the newest version of each item. */
class Sdk {
  #flags = new Map<string, Flag>();
  #segments = new Map<string, Segment>();

  receive(text: string): void {
    const { eventType, featureFlags, segments } = JSON.parse(text).data;
    if (eventType === 'full') [this.#flags, this.#segments] = [new Map(), new Map()];
    for (const flag of featureFlags) this.#flags.set(flag.key, accepted(parseFlag(flag)));
    for (const segment of segments) this.#segments.set(segment.id, accepted(parseSegment(segment)));
  }

  get snapshot(): Snapshot {
    return compileEnvironment([...this.#flags.values()], { segments: [...this.#segments.values()] });
  }

  get cursor(): number {
    const { flags, segments } = this.snapshot;
    return Math.max(0, ...[...flags, ...segments].map(({ updatedAt }) => updatedAt));
  }
}

/** An environment. Each change gives its documents new versions, as the store does. */
class World {
  readonly #flags = new Map<string, Flag>();
  readonly #segments = new Map<string, Segment>();
  #version = 0;

  /** @returns the versions that the change wrote */
  put(document: Flag | Segment): number[] {
    if ('key' in document) return [this.#stampFlag(document)];
    this.#segments.set(document.id, { ...document, updatedAt: formatTimestamp(++this.#version) });
    const written = this.#version;
    const users = [...this.#flags.values()].filter((flag) => referencedSegments(flag).has(document.id));
    return [written, ...users.map((flag) => this.#stampFlag(flag))];
  }

  #stampFlag(flag: Flag): number {
    this.#flags.set(flag.key, { ...flag, updatedAt: formatTimestamp(++this.#version) });
    return this.#version;
  }

  get snapshot(): Snapshot {
    const [flags, segments] = [[...this.#flags.values()], [...this.#segments.values()]];
    return compileSnapshot({ envId: 'env', version: this.#version, flags, segments });
  }
}

const history = fc.array(
  fc.record({
    documents: documentsArbitrary(4),
    pick: fc.nat(),
    isLarge: fc.boolean(),
    reach: fc.constantFrom('push' as const, 'patch' as const, 'full' as const),
  }),
  { minLength: 1, maxLength: 12 },
);

test('a document that fits no message changes only flags that reach it', async () => {
  const law = fc.asyncProperty(history, fc.nat(6), userArbitrary, async (steps, largeIndex, user) => {
    const [world, sdk] = [new World(), new Sdk()];
    const reply = (timestamp: number) =>
      replyTo(world.snapshot, 'server', { timestamp }, 'any')
        .parts(LIMIT.bytes)
        .map(({ text }) => text);
    for (const [n, { documents, pick, isLarge, reach }] of steps.entries()) {
      const flags = documents.flags.map((flag, index) => ({ ...flag, key: `flag-${index}` }));
      const all = [...documents.segments, ...flags];
      const isPadded = (document: Flag | Segment) =>
        isLarge && ('key' in document ? document.key : document.id) === ['segment-0', 'flag-0'][largeIndex % 2];
      const padded = all.map((document) => {
        if (!isPadded(document)) return document;
        return 'key' in document
          ? { ...document, targetUsers: [{ keyIds: [PADDING], variationId: 'none' }] }
          : { ...document, included: [...document.included, PADDING] };
      });
      const written = (n === 0 ? padded : padded.slice(pick % padded.length).slice(0, 2)).flatMap((each) =>
        world.put(each),
      );
      const { snapshot } = world;
      const items = [...snapshot.segments, ...snapshot.flags].sort((a, b) => a.updatedAt - b.updatedAt);
      const pushes = items.filter(({ updatedAt }) => written.includes(updatedAt));
      const messages =
        reach === 'push' && n > 0
          ? pushes.flatMap((source) => patchFor(source, { type: 'server' }, LIMIT) ?? [])
          : reply(reach === 'full' ? 0 : sdk.cursor);
      for (const message of messages) {
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LIMIT.bytes);
        sdk.receive(message);
      }
      const [expected, received] = [resultsByKey(snapshot, user), resultsByKey(sdk.snapshot, user)];
      for (const flag of snapshot.flags) {
        const { key } = flag.document;
        if (problemOfSending(flag, LIMIT.bytes) === undefined) expect(received.get(key)).toEqual(expected.get(key));
      }
      for (const segment of snapshot.segments) {
        if (problemOfSending(segment, LIMIT.bytes) !== undefined) continue;
        expect(sdk.snapshot.segments.map(({ json }) => json)).toContain(segment.json);
      }
    }
    const { snapshot } = world;
    const [full, whole] = [reply(0)[0] ?? '', replyTo(snapshot, 'server', { timestamp: 0 }).text()];
    const [partial, complete] = [new NodeSdk(full), new NodeSdk(whole)];
    if (reply(0).length > 1) return;
    for (const flag of snapshot.flags.filter((each) => problemOfSending(each, LIMIT.bytes) === undefined)) {
      const { key, isArchived } = flag.document;
      // It is sent even without its segments, so that SDKs learn of it. The Node SDK evaluates it like any other flag.
      if (isArchived) continue;
      expect(await partial.evaluate(key, user)).toEqual(await complete.evaluate(key, user));
    }
  });
  await fc.assert(law, { numRuns: runs(150) });
});

test('the size of a document counts the message around it', () => {
  const empty = Buffer.byteLength(serverFormat('any').wrap('patch', []));
  const snapshot = compileEnvironment([], {
    segments: [{ ...accepted(parseSegment({ id: 's' })), included: [PADDING] }],
  });
  const [segment] = snapshot.segments;
  if (!segment) throw new Error('there is no segment');
  const message = patchFor(segment, { type: 'server' }) ?? '';
  expect(problemOfSending(segment, LIMIT.bytes)).toMatch(/^is not sent to server-side SDKs on API Gateway: it takes /);
  const bytes = Number(/takes (\d+)/.exec(problemOfSending(segment, LIMIT.bytes) ?? '')?.[1]);
  const lean = serverFormat('any').lean?.item(segment)?.json ?? '';
  expect([bytes, bytes < message.length]).toEqual([empty + Buffer.byteLength(lean), true]);
});

test.each([
  ['is off', { isEnabled: false }],
  ['is archived', { isArchived: true }],
])('a flag that %s is sent without the segment that is too large', (_, state) => {
  const segment = { ...accepted(parseSegment({ id: 's' })), included: [PADDING], updatedAt: formatTimestamp(1) };
  const flag = aFlag({
    key: 'f',
    rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])],
    updatedAt: formatTimestamp(2),
  });
  const sent = (document: Flag) => {
    const sdk = new Sdk();
    const snapshot = compileEnvironment([document], { segments: [segment] });
    for (const { text } of replyTo(snapshot, 'server', { timestamp: 0 }).parts(LIMIT.bytes)) sdk.receive(text);
    return sdk.snapshot.flags.map(({ document: { key } }) => key);
  };
  expect(sent(flag)).toEqual([]);
  expect(sent({ ...flag, ...state })).toEqual(['f']);
});
