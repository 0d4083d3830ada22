import { expect, test } from '@jest/globals';
import { explain } from './cdk.ts';

test('a type that the emulator does not know is named, with the place where it is decided upon', () => {
  const said = 'ValidationError: Template format error: Unrecognized resource types: [AWS::EC2::Instance]\n    at …';
  const explained = explain('deploy', 1, said);
  expect(explained).toContain('[AWS::EC2::Instance]');
  expect(explained).toContain('dev/verify/e2e/transform.ts');
});

test('a command that does not end is taken for a custom resource that is not answered', () => {
  expect(explain('deploy', null, 'Flagwire-dev: creating…')).toMatch(
    /longer than 90 s.*custom resource.*\nFlagwire-dev: creating…/,
  );
});

test('any other failure is told with the end of what the command said', () => {
  const explained = explain('synth', 1, `${'x'.repeat(10_000)}\nthe reason\n`);
  expect(explained).toMatch(/^cdk synth ended with 1:\nx+\nthe reason$/);
  expect(explained.length).toBeLessThan(5_000);
});
