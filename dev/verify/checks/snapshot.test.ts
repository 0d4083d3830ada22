import { describe, expect, jest, test } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { differences, outlineTemplate } from './outline.ts';
import { variants } from './variants.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

/** The outlines of all stacks of a variant. */
function outlineOfVariant(name: string): string[] {
  const config = variants[name];
  if (!config) throw new Error(`There is no variant ${name}.`);
  return Object.values(synthesizedTemplates(config)).flatMap((template) => outlineTemplate(template, config.stage));
}

// A change here is to be read like code: it is what the next deployment changes.
describe('deployed resources', () => {
  const prod = outlineOfVariant('prod');

  test('in stage prod', () => {
    expect(`\n${prod.join('\n')}\n`).toMatchSnapshot();
  });

  test.each(['dev', 'prod with everything', 'dev with a host and a load generator', 'prod with Fargate'])(
    'in %s, where it differs from prod',
    (name) => {
      expect(`\n${differences(prod, outlineOfVariant(name)).join('\n')}\n`).toMatchSnapshot();
    },
  );
});
