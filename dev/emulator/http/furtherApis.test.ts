import { expect, test } from '@jest/globals';
import { startLocal } from '../emulator.ts';
import { api, attribute, callableFor, fn, join, ref } from '../testing/resources.ts';
import { exampleTemplates, withResource } from '../testing/templates.ts';

const url = join('https://', ref('Console'), '.execute-api.', ref('AWS::Region'), '.', ref('AWS::URLSuffix'));
const templates = Object.entries({
  ConsoleFn: fn('asking.ts', { CONSOLE_ORIGIN: url }),
  ConsoleCallable: callableFor('ConsoleFn', 'Console', '/*/$default'),
  Console: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'Console', ProtocolType: 'HTTP' } },
  ConsoleStage: api('Console', 'Stage', { StageName: '$default', AutoDeploy: true }),
  ConsoleIntegration: api('Console', 'Integration', {
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: attribute('ConsoleFn', 'Arn'),
    PayloadFormatVersion: '2.0',
  }),
  ConsoleRoute: api('Console', 'Route', {
    RouteKey: '$default',
    Target: join('integrations/', ref('ConsoleIntegration')),
  }),
}).reduce((all, [id, resource]) => withResource(all, 'Http', id, resource), exampleTemplates);

test('a second API with the route $default has an address of its own, which its function knows', async () => {
  const stack = await startLocal({ templates, log: () => {} });
  const [own = '', ...others] = stack.furtherHttpUrls;
  expect(others).toEqual([]);
  expect(await (await fetch(`${own}/variable/CONSOLE_ORIGIN`)).json()).toEqual({ CONSOLE_ORIGIN: own });
  expect(own).not.toBe(stack.httpUrl);
  expect(await (await fetch(`${stack.httpUrl}/bare`)).json()).toEqual({ hello: 'world' });
  expect((await fetch(`${own}/streaming/@connections/abcdefgh`, { method: 'DELETE' })).status).toBe(200);
  await stack.close();
});
