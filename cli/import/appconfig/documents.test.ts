import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { holdAgainst, type Oracle } from '../translation/testing/oracle.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { WrongForm } from '../translation/values.ts';
import { importFromAppConfig } from './import.ts';
import { answerOf, type Document } from './testing/agentModel.ts';

const APPCONFIG: Oracle<Document> = {
  service: 'AWS AppConfig, public documents',
  read: importFromAppConfig,
  start: async (file) => ({
    valueOf: async ({ key, variationType }, context) => answerOf(file, key, context, variationType === 'json'),
  }),
};

test('the shares of variants are the same, and the users are others', async () => {
  const variants = ['(split by::$targetingKey pct::20)', '(split by::$targetingKey pct::25)', undefined].map(
    (rule, n) => ({
      name: `v${n}`,
      enabled: true,
      attributeValues: { n },
      ...(rule && { rule }),
    }),
  );
  const file: Document = { version: '1', values: { f: { _variants: variants } } };
  const shares = await drawsSameShares(importFromAppConfig(file), (key) =>
    answerOf(file, 'f', { key, attributes: {} }, true),
  );
  expect(shares).toEqual({ isSameShares: true, isSameUsers: false });
});

interface PublicDocument {
  readonly source: string;
  readonly document: Document;
}

const documents: readonly PublicDocument[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing', 'data', 'documents.json'), 'utf8'),
);
const NOT_BOOLEAN = 'not supported: enabled: must be true or false, but is a string';
const IS_ARRAY = 'attributeValues: must be an object, but is an array';
/** What is left out of public documents, by the owner of the repository. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  amanoxsolutions: [`matrix_decomposition: ${NOT_BOOLEAN}`],
  hashicorp: [`foo: ${NOT_BOOLEAN}`, `bar: ${NOT_BOOLEAN}`],
  SchemaStore: [`allow-cryptocurrency-at-checkout: not supported: _variants[0].${IS_ARRAY}; _variants[1].${IS_ARRAY}`],
};

/** Why others are refused. */
const REFUSED: Readonly<Record<string, string>> = {
  'infrastructure/appconfig.tf': '"version" must be "1", but is missing',
  'src/negative_test/aws-cdk-appconfig-featureflags-1.0.0/featureflags.appConfig.json':
    '"version" must be "1", but is 2',
};
const isRefused = ({ source }: PublicDocument) => REFUSED[source.split(' ')[1] ?? ''] !== undefined;

test.each(documents.filter(isRefused))('the document of $source is refused with the reason', ({ source, document }) => {
  expect(() => importFromAppConfig(document)).toThrow(new WrongForm(REFUSED[source.split(' ')[1] ?? '']));
});

const readable = documents.filter((each) => !isRefused(each));

test.each(readable)('the document of $source is imported, or its flags named', ({ source, document }) => {
  const { flags, leftOut } = importFromAppConfig(document);
  const [owner = ''] = source.split('/');
  expect(leftOut).toEqual(LEFT_OUT[owner] ?? []);
  expect(flags.length + leftOut.length).toBe(Object.keys(document.values ?? {}).length);
});

test('flags of public documents give AWS AppConfig’s answer, or a difference names the context', async () => {
  const some = (...values: readonly unknown[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const asked = fc.record({
    key: fc.constantFrom('userA', 'userB'),
    attributes: fc
      .record({
        userId: some('userA', 'userB', 'userC', 'beta-1', ...Array.from({ length: 40 }, (_, n) => `user-${n}`)),
        uniqueId: some(...Array.from({ length: 40 }, (_, n) => `id-${n}`)),
        email: some('ann@qa-testers.mycompany.com', ...Array.from({ length: 20 }, (_, n) => `ann-${n}@a.com`)),
        opted_in_to_beta: some(true, '', 'no'),
        group: some('Tier1', 'Tier2', 'Tier3'),
      })
      .map((all) => Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined))),
  });
  expect(readable.length).toBeGreaterThanOrEqual(10);
  const ofDocuments = fc
    .tuple(fc.constantFrom(...readable), fc.array(asked, { minLength: 20, maxLength: 20 }))
    .map(([{ document }, asking]) => ({
      file: document,
      flags: Object.keys(document.values ?? {}).length,
      contexts: asking,
    }));
  const tally = await holdAgainst(APPCONFIG, ofDocuments, longRuns(4_000));
  expect(tally.equalAnnounced + tally.announced).toBeGreaterThan(0);
});
