import { describe, expect, jest, test } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { variants } from './variants.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

/** The part of an id that is a hash of the content. New content replaces these resources. */
const CONTENT = /(?<=CurrentVersion|Instance)[0-9A-F]{8}[0-9a-f]{16,32}$/;

/** The resources of a variant except alarms: stack, id, type, and what becomes of a deleted one. */
function resourcesOf(name: string): string[] {
  const config = variants[name];
  if (!config) throw new Error(`There is no variant ${name}.`);
  return Object.entries(synthesizedTemplates(config)).flatMap(([stack, { Resources }]) => {
    const [, part] = stack.split(`-${config.stage}-`);
    return Object.entries(Resources).flatMap(([id, { Type, DeletionPolicy = 'Delete' }]) =>
      Type === 'AWS::CloudWatch::Alarm' ? [] : `${part} ${id.replace(CONTENT, '')} ${Type} ${DeletionPolicy}`,
    );
  });
}

const missingIn = (others: readonly string[], all: readonly string[]) => all.filter((line) => !others.includes(line));

// Another id or type replaces a resource at the next deployment, with its data. So do some properties, which the constructs' tests check.
describe('deployed resources', () => {
  const prod = resourcesOf('prod');

  test('in stage prod', () => {
    expect(`\n${prod.join('\n')}\n`).toMatchSnapshot();
  });

  test.each(['dev', 'prod with everything', 'dev with a host and a load generator', 'prod with Fargate'])(
    'in %s, where it differs from prod',
    (name) => {
      const own = resourcesOf(name);
      const lines = [
        ...missingIn(own, prod).map((line) => `- ${line}`),
        ...missingIn(prod, own).map((line) => `+ ${line}`),
      ];
      expect(`\n${lines.join('\n')}\n`).toMatchSnapshot();
    },
  );
});
