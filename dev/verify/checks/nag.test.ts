import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { acknowledge } from '../../../infra/constructs/acknowledge.ts';
import { withSynthesized } from '../../../infra/inProcess.ts';
import { textFindings } from './restrictedTexts.ts';
import { variants } from './variants.ts';

/** Rules that are broken, and where; acknowledged ones are not among them. */
function findingsIn(scope: IConstruct): string[] {
  return new AwsSolutionsChecks()
    .validateScope(scope)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
    );
}

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const outdir = mkdtempSync(join(tmpdir(), 'flagwire-test-'));

afterAll(() => rmSync(outdir, { recursive: true }));

describe('the AWS Solutions checks of cdk-nag, and the limits of texts', () => {
  test.each(Object.entries(variants))('find nothing in %s', (_, config) => {
    const findings = withSynthesized(config, ({ app, assembly }) => [
      ...findingsIn(app),
      ...assembly.stacks.flatMap(({ stackName, template }) => textFindings(stackName, template)),
    ]);
    expect(findings).toEqual([]);
  });

  test('are looking: a bucket as CDK makes it has findings, less those that are acknowledged', () => {
    const stack = new Stack(new App({ outdir }), 'Stack');
    const bucket = new Bucket(stack, 'Bucket');
    expect(findingsIn(stack)).toEqual([
      'AwsSolutions-S1 at Stack/Bucket/Resource',
      'AwsSolutions-S10 at Stack/Bucket/Resource',
    ]);
    acknowledge(bucket, 'AwsSolutions-S1', 'Just a test.');
    expect(findingsIn(stack)).toEqual(['AwsSolutions-S10 at Stack/Bucket/Resource']);
  });
});
