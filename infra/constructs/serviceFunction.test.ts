import { describe, expect, test } from '@jest/globals';
import { functionWithEntry, resourcesOf, serviceFunctions, templateWith, textOf } from '../stacks/testing/templates.ts';

const warm = {
  connectConcurrency: { provisioned: 2 },
  syncConcurrency: { reserved: 40, provisioned: 5 },
};

describe('concurrency by settings', () => {
  const template = templateWith('Serverless', warm);

  test('is reserved where asked for', () => {
    const reserved = serviceFunctions(template)
      .map(({ properties }) => properties['ReservedConcurrentExecutions'])
      .filter((count) => count !== undefined);
    expect(reserved).toEqual([40]);
    expect(functionWithEntry(template, 'functions/lambda/sync.ts').properties).toMatchObject({
      ReservedConcurrentExecutions: 40,
    });
  });

  test('is provisioned on an alias of a version, by which the API calls the function', () => {
    const aliases = resourcesOf(template, 'AWS::Lambda::Alias').map(({ id, properties }) => [
      id,
      textOf(properties['FunctionName']),
      properties['ProvisionedConcurrencyConfig'],
    ]);
    expect(aliases).toEqual([
      [expect.stringContaining('Connect'), '{StreamingConnectHandler}', { ProvisionedConcurrentExecutions: 2 }],
      [expect.stringContaining('Sync'), '{StreamingSyncHandler}', { ProvisionedConcurrentExecutions: 5 }],
    ]);
    const called = [
      ...resourcesOf(template, 'AWS::ApiGatewayV2::Authorizer').map(({ properties }) => properties['AuthorizerUri']),
      ...resourcesOf(template, 'AWS::ApiGatewayV2::Integration').map(({ properties }) => properties['IntegrationUri']),
    ].map((uri) => textOf(uri ?? ''));
    for (const [id] of aliases) expect(called.filter((uri) => uri.includes(String(id).slice(0, -8)))).toHaveLength(1);
  });

  test('takes no version and no alias where nothing is provisioned', () => {
    expect(resourcesOf(templateWith('Serverless', {}), 'AWS::Lambda::Alias')).toEqual([]);
    expect(resourcesOf(templateWith('Serverless', {}), 'AWS::Lambda::Version')).toEqual([]);
  });
});

describe('tracing', () => {
  test.each([
    [{}, undefined],
    [{ tracing: true }, { Mode: 'Active' }],
  ])('with settings %j is %j in every function', (settings, tracing) => {
    for (const { properties } of serviceFunctions(templateWith('Serverless', settings))) {
      expect(properties['TracingConfig']).toEqual(tracing);
    }
  });
});
