import { expect, jest, test } from '@jest/globals';
import { onlyResourceOf, templateWith, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const template = templateWith('Cost', { host: true, fargate: true });

test('the stack of costs is a dashboard, whose name has the region and whose URL is an output', () => {
  const name = 'Flagwire-dev-Cost-{AWS::Region}';
  expect(textOf(onlyResourceOf(template, 'AWS::CloudWatch::Dashboard').properties['DashboardName'])).toBe(name);
  expect(textOf(template.Outputs?.['CostDashboardUrl']?.Value)).toMatch(new RegExp(`#dashboards:name=${name}$`));
});

test('it imports no export, which could then neither change nor go', () => {
  const text = JSON.stringify(template);
  expect(text).toContain('{"StackName":"Flagwire-dev-Host"');
  expect(text).not.toContain('Fn::ImportValue');
});
