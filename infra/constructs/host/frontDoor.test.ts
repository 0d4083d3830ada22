import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../../config/settingsSchema.ts';
import {
  functionWithEntry,
  onlyResourceOf,
  type Properties,
  resourcesOf,
  templateWith,
  textOf,
} from '../../stacks/testing/templates.ts';
import { newStack, synthesizeStack } from '../../testing/testStack.ts';
import { Flagwire } from '../flagwire.ts';
import { FlagwireHost } from '../flagwireHost.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const frontDoor = {
  domainName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const settings = { host: true, frontDoor } as const;
const withSecrets = (secrets: string[], only = false) => ({
  ...settings,
  frontDoor: { ...frontDoor, secrets, only },
});
const template = templateWith('Host', settings);

interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly AllowedMethods: readonly string[];
}
interface Distribution {
  readonly Aliases: readonly string[];
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly Origins: readonly (Properties & { readonly Id: string })[];
  readonly OriginGroups: { readonly Items: readonly (Properties & { readonly Id: string })[] };
}
const distributionOf = (of: Settings) =>
  onlyResourceOf(templateWith('Host', of), 'AWS::CloudFront::Distribution').properties[
    'DistributionConfig'
  ] as Distribution;
const distribution = distributionOf(settings);
const originOf = (id: string, of: Settings = settings) => distributionOf(of).Origins.find(({ Id }) => Id === id);

describe('the front door', () => {
  test('leads handshakes to the host, and to API Gateway if the host refuses or fails', () => {
    const [group, ...others] = distribution.OriginGroups.Items;
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      FailoverCriteria: { StatusCodes: { Items: [500, 502, 503, 504] } },
      Members: { Items: [{ OriginId: 'host' }, { OriginId: 'gateway' }] },
    });
    expect(distribution.CacheBehaviors).toMatchObject([{ PathPattern: '/streaming*', TargetOriginId: group?.Id }]);
    expect(distribution.DefaultCacheBehavior.TargetOriginId).toBe('http');
  });

  test('has origins with fixed ids: the host, which must connect within a second, and both APIs', () => {
    expect(distribution.Origins.map(({ Id }) => Id)).toEqual(['http', 'host', 'gateway']);
    expect(originOf('host')).toMatchObject({
      ConnectionAttempts: 1,
      ConnectionTimeout: 1,
      VpcOriginConfig: { OriginReadTimeout: 20 },
    });
    const { properties } = onlyResourceOf(template, 'AWS::CloudFront::VpcOrigin');
    expect(properties).toMatchObject({
      VpcOriginEndpointConfig: { HTTPPort: 5100, OriginProtocolPolicy: 'http-only' },
    });
    for (const [id, api] of [
      ['gateway', 'StreamingApi'],
      ['http', 'PollingApi'],
    ] as const)
      expect(JSON.stringify(originOf(id)?.['DomainName'])).toContain(api);
  });

  test('passes no POST to the group, which CloudFront would refuse, but to the HTTP API', () => {
    expect(distribution.CacheBehaviors.map(({ AllowedMethods }) => AllowedMethods)).toEqual([
      ['GET', 'HEAD', 'OPTIONS'],
    ]);
    expect(distribution.DefaultCacheBehavior.AllowedMethods).toContain('POST');
  });

  test('decides by the path, as `Upgrade` is hidden from functions, and passes everything on but Host', () => {
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      // The ids are those of AWS's managed policies CachingDisabled and AllViewerExceptHostHeader.
      expect(behavior).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
      });
    }
  });

  test('calls a function before handshakes, which reads the hint of the tier', () => {
    const chosen = onlyResourceOf(template, 'AWS::CloudFront::Function');
    const store = onlyResourceOf(template, 'AWS::CloudFront::KeyValueStore');
    expect(distribution.DefaultCacheBehavior).not.toHaveProperty('FunctionAssociations');
    expect(distribution.CacheBehaviors).toMatchObject([
      {
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [chosen.id, 'FunctionARN'] } },
        ],
      },
    ]);
    expect(chosen.properties['FunctionConfig']).toMatchObject({
      KeyValueStoreAssociations: [{ KeyValueStoreARN: { 'Fn::GetAtt': [store.id, 'Arn'] } }],
      Runtime: 'cloudfront-js-2.0',
    });
  });

  test('names function and store by stack, construct and region, in at most 64 characters', () => {
    const nameOf = (of: Settings) => {
      const [store, chosen] = ['KeyValueStore', 'Function'].map((type) =>
        textOf(onlyResourceOf(templateWith('Host', of), `AWS::CloudFront::${type}`).properties['Name']),
      );
      expect(chosen).toBe(store);
      return store ?? '';
    };
    expect(nameOf(settings)).toMatch(/^Flagwire-dev-Host-[0-9a-f]{8}-\{AWS::Region\}$/);
    const long = { ...settings, name: 'N'.repeat(30), stage: 's'.repeat(20), region: 'ap-northeast-1' };
    expect(nameOf(long)).toMatch(/^N*-s{20}-Host-[0-9a-f]{8}-ap-northeast-1$/);
    expect(nameOf(long).length).toBeLessThanOrEqual(64);
  });

  test('names the VPC origin by stack, machine and region, as names are those of the account', () => {
    const nameOf = (of: Settings) => {
      const { id, properties } = onlyResourceOf(templateWith('Host', of), 'AWS::CloudFront::VpcOrigin');
      const name = textOf((properties['VpcOriginEndpointConfig'] as Properties)['Name']);
      return { name, version: id.slice('HostOrigin'.length) };
    };
    const { name, version } = nameOf(settings);
    expect(name).toBe(`Flagwire-dev-Host-${version}-{AWS::Region}`);
    const inRegion = nameOf({
      ...settings,
      name: 'N'.repeat(30),
      stage: 's'.repeat(20),
      region: 'ap-northeast-1',
    });
    expect(inRegion.name).toMatch(new RegExp(`^N*-s{20}-Host-${inRegion.version}-ap-northeast-1$`));
    expect(inRegion.name.length).toBeLessThanOrEqual(64);
  });

  test('never changes a VPC origin, as one in use cannot be changed: another machine or tag', () => {
    const originWith = (of: Settings) => {
      const { id, properties } = onlyResourceOf(templateWith('Host', of), 'AWS::CloudFront::VpcOrigin');
      return { id, text: JSON.stringify(properties) };
    };
    const origin = originWith(settings);
    expect(originWith({ ...settings, tags: { team: 'web' } })).toEqual(origin);
    expect(originWith({ ...settings, missingAttribute: 'no-match' }).id).not.toBe(origin.id);
  });

  test('is in the stack of the host alone, with the distribution that a host with TLS has', () => {
    expect(resourcesOf(templateWith('Serverless', settings), 'AWS::CloudFront::Distribution')).toEqual([]);
    const tls = templateWith('Host', { host: { network: 'public', tls: frontDoor } });
    const idIn = (of: typeof template) => onlyResourceOf(of, 'AWS::CloudFront::Distribution').id;
    expect(idIn(template)).toBe(idIn(tls));
    expect(distribution.Aliases).toEqual(['flags.example.com']);
    const { Outputs = {} } = template;
    expect(['StreamingUri', 'PollingUri', 'DomainTarget'].map((name) => textOf(Outputs[name]?.Value))).toEqual([
      'wss://flags.example.com',
      'https://flags.example.com',
      expect.stringMatching(/^\{EdgeDistribution.*DomainName\}$/),
    ]);
  });

  test('gets the addresses of the APIs as other stacks do, by exports that the service keeps', () => {
    const kept = JSON.stringify(templateWith('Serverless', { host: true }).Outputs);
    const imports = JSON.stringify(distribution.Origins).match(/"Fn::ImportValue":"[^"]+"/g) ?? [];
    expect(imports.length).toBe(2);
    for (const each of imports) expect(kept).toContain(each.split('"').at(-2));
  });

  test('is the only way to the host, apart from ranges that are allowed', () => {
    const openings = (of: Settings) =>
      resourcesOf(templateWith('Host', of), 'AWS::EC2::SecurityGroup').flatMap(({ properties }) =>
        ((properties['SecurityGroupIngress'] ?? []) as Properties[]).map(({ CidrIp, FromPort }) => [CidrIp, FromPort]),
      );
    expect(openings(settings)).toEqual([]);
    expect(openings({ ...settings, host: { allowedCidrs: ['10.8.0.0/16'] } })).toEqual([['10.8.0.0/16', 5100]]);
  });

  test('tells the host how many connections it takes, and for how long it may lack the table', () => {
    const userData = (of: Settings) => {
      const { properties } = onlyResourceOf(templateWith('Host', of), 'AWS::EC2::Instance');
      return textOf((properties['UserData'] as { 'Fn::Base64': unknown })['Fn::Base64']);
    };
    expect(userData(settings)).toContain(' MAX_CONNECTIONS=18000 MAX_TABLE_OUTAGE_MS=900000');
    expect(userData({ host: true })).not.toMatch(/MAX_CONNECTIONS|MAX_TABLE_OUTAGE_MS/);
  });
});

describe('secrets of the front door', () => {
  const sent = (of: Settings) => originOf('gateway', of)?.['OriginCustomHeaders'];
  const accepted = (of: Settings) =>
    (
      functionWithEntry(templateWith('Serverless', of), 'functions/lambda/connect.ts').properties[
        'Environment'
      ] as Properties
    )['Variables'];

  test('are none by default', () => {
    expect(sent(settings)).toBeUndefined();
    expect(accepted(settings)).not.toHaveProperty('DOOR_SECRET_1');
  });

  test('are sent to API Gateway before it requires them', () => {
    const before = withSecrets(['a']);
    expect(sent(before)).toEqual([{ HeaderName: 'x-flagwire-door', HeaderValue: '{{resolve:secretsmanager:a}}' }]);
    expect(accepted(before)).not.toHaveProperty('DOOR_SECRET_1');
  });

  test('rotate without a gap: one more is accepted, then sent, and then the former is not accepted', () => {
    const [a, b] = ['{{resolve:secretsmanager:a}}', '{{resolve:secretsmanager:b}}'];
    const steps = [['a'], ['a', 'b'], ['b', 'a'], ['b']].map((secrets) => withSecrets(secrets, true));
    expect(steps.map((step) => (sent(step) as readonly Properties[])[0]?.['HeaderValue'])).toEqual([a, a, b, b]);
    const variables = steps.map((step) => accepted(step) as Properties);
    expect(variables.map((each) => [each['DOOR_SECRET_1'], each['DOOR_SECRET_2']])).toEqual([
      [a, undefined],
      [a, b],
      [b, a],
      [b, undefined],
    ]);
  });
});

test('constructs have a front door by the property of the service', () => {
  const stack = newStack();
  const flags = new Flagwire(stack, 'Flags', { frontDoor });
  const host = new FlagwireHost(stack, 'Host', { flags, ec2: {} });
  expect(host.streamingUrl).toBe('wss://flags.example.com');
  const made = synthesizeStack(stack);
  expect(onlyResourceOf(made, 'AWS::EC2::Instance').properties['InstanceType']).toBe('t4g.micro');
  expect(resourcesOf(made, 'AWS::CloudFront::VpcOrigin')).toHaveLength(1);
});
