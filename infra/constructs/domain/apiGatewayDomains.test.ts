import { describe, expect, test } from '@jest/globals';
import { functionWithEntry, resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

const regionalDomain = {
  streamingName: 'streaming.example.com',
  httpName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
};

describe('with names in the region', () => {
  const template = templateWith('Serverless', { stage: 'prod', regionalDomain });
  const names = new Map(
    resourcesOf(template, 'AWS::ApiGatewayV2::DomainName').map(({ id, properties }) => [
      `{${id.replace(/[0-9A-F]{8}$/, '')}}`,
      properties,
    ]),
  );

  test('API Gateway serves both with the certificate, in the region, over TLS 1.2', () => {
    expect([...names.values()]).toEqual(
      ['streaming.example.com', 'flags.example.com'].map((DomainName) =>
        expect.objectContaining({
          DomainName,
          DomainNameConfigurations: [
            { CertificateArn: regionalDomain.certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
          ],
        }),
      ),
    );
    expect(resourcesOf(template, 'AWS::CloudFront::Distribution')).toEqual([]);
  });

  test('/streaming, which SDKs append, leads to the stage of the WebSocket API; all of the other name to the HTTP API', () => {
    const mappings = resourcesOf(template, 'AWS::ApiGatewayV2::ApiMapping').map(
      ({ properties, template: { DependsOn } }) => ({
        name: names.get(textOf(properties['DomainName']))?.['DomainName'],
        key: properties['ApiMappingKey'],
        api: textOf(properties['ApiId']),
        stage: textOf(properties['Stage']),
        after: DependsOn?.map((id) => id.replace(/[0-9A-F]{8}$/, '')),
      }),
    );
    expect(mappings).toEqual([
      {
        name: 'streaming.example.com',
        key: 'streaming',
        api: '{StreamingApi}',
        stage: 'streaming',
        after: ['StreamingStage'],
      },
      {
        name: 'flags.example.com',
        key: undefined,
        api: '{PollingApi}',
        stage: '$default',
        after: ['PollingStage'],
      },
    ]);
  });

  test('the outputs are URLs of the names, and what each has to point to', () => {
    const outputs = Object.fromEntries(
      Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [name, textOf(Value)]),
    );
    expect(outputs).toMatchObject({
      StreamingUri: 'wss://streaming.example.com',
      PollingUri: 'https://flags.example.com',
      EventsUri: 'https://flags.example.com',
      StreamingDomainTarget: '{HostsStreamingName.RegionalDomainName}',
      HttpDomainTarget: '{HostsHttpName.RegionalDomainName}',
    });
    expect(resourcesOf(template, 'AWS::Route53::RecordSet')).toEqual([]);
  });

  test('functions go on to send by the address of API Gateway, as a name has no @connections', () => {
    for (const entry of ['sync', 'default', 'deliver', 'heal', 'revoke']) {
      const { properties } = functionWithEntry(template, `functions/lambda/${entry}.ts`);
      const { Variables } = properties['Environment'] as { Variables: Record<string, unknown> };
      expect(textOf(Variables['CONNECTIONS_ENDPOINT'])).toBe(
        'https://{StreamingApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/streaming',
      );
    }
    for (const { properties } of resourcesOf(template, 'AWS::ApiGatewayV2::Api'))
      expect(properties).not.toHaveProperty('DisableExecuteApiEndpoint');
  });
});

test('a hosted zone gets an address record of each name, and nothing is left to do', () => {
  const withZone = { ...regionalDomain, hostedZoneId: 'Z0123456789ABC' };
  const template = templateWith('Serverless', { stage: 'prod', regionalDomain: withZone });
  const records = resourcesOf(template, 'AWS::Route53::RecordSet').map(({ properties }) => properties);
  expect(records).toMatchObject([
    { Name: 'streaming.example.com', Type: 'A', HostedZoneId: 'Z0123456789ABC' },
    { Name: 'flags.example.com', Type: 'A', HostedZoneId: 'Z0123456789ABC' },
  ]);
  const targets = records.map((record) => record['AliasTarget'] as { DNSName: unknown; HostedZoneId: unknown });
  expect(targets.map(({ DNSName, HostedZoneId }) => [textOf(DNSName), textOf(HostedZoneId)])).toEqual([
    ['{HostsStreamingName.RegionalDomainName}', '{HostsStreamingName.RegionalHostedZoneId}'],
    ['{HostsHttpName.RegionalDomainName}', '{HostsHttpName.RegionalHostedZoneId}'],
  ]);
  expect(Object.keys(template.Outputs ?? {}).filter((name) => name.endsWith('DomainTarget'))).toEqual([]);
});
