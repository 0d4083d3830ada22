import { describe, expect, test } from '@jest/globals';
import type { Template } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { forEmulator } from './transform.ts';

const queue = { Type: 'AWS::SQS::Queue' };
const reply = { Type: 'AWS::ApiGatewayV2::RouteResponse', Properties: { RouteId: { Ref: 'Route' } } };
const transformed = (Resources: Template['Resources']) => forEmulator({ Resources });
const idsOf = (items: readonly { readonly logicalId: string }[]) => items.map(({ logicalId }) => logicalId);

describe('removed resources', () => {
  test('responses and the bucket’s emptying, as they were', () => {
    const Resources = {
      Queue: queue,
      Reply: reply,
      Answer: { Type: 'AWS::ApiGatewayV2::IntegrationResponse' },
      Emptying: { Type: 'Custom::S3AutoDeleteObjects' },
    };
    const { template, takenOut } = transformed(Resources);
    expect(Object.keys(template.Resources)).toEqual(['Queue']);
    expect(idsOf(takenOut)).toEqual(['Reply', 'Answer', 'Emptying']);
    expect(takenOut[0]).toEqual({ logicalId: 'Reply', resource: reply });
  });

  test('nothing else: a type that nobody has named is left for the emulator to refuse', () => {
    const Resources = { New: { Type: 'AWS::Some::NewThing' }, Other: { Type: 'Custom::Other' } };
    expect(transformed(Resources)).toEqual({ template: { Resources }, takenOut: [] });
  });

  test('from our own templates: the five responses and the bucket’s emptying at least, and nothing changes but DependsOn', () => {
    for (const original of Object.values(synthesizedTemplates())) {
      const { template, takenOut } = forEmulator(original);
      for (const { logicalId, resource } of takenOut) expect(original.Resources[logicalId]).toBe(resource);
      expect(Object.keys(template.Resources).length + takenOut.length).toBe(Object.keys(original.Resources).length);
      for (const [logicalId, { DependsOn: _, ...resource }] of Object.entries(template.Resources)) {
        const { DependsOn: __, ...before } = original.Resources[logicalId] ?? { Type: '' };
        expect(resource).toEqual(before);
      }
      const types = takenOut.map(({ resource }) => resource.Type);
      const hasApi = Object.values(original.Resources).some(
        ({ Properties }) => Properties?.['ProtocolType'] === 'WEBSOCKET',
      );
      expect(types.filter((type) => type === 'AWS::ApiGatewayV2::RouteResponse')).toHaveLength(hasApi ? 3 : 0);
      expect(types.filter((type) => type === 'AWS::ApiGatewayV2::IntegrationResponse')).toHaveLength(hasApi ? 2 : 0);
    }
  });
});

describe('kept resources', () => {
  test('no longer depends on what was taken out', () => {
    const { template } = transformed({
      Reply: reply,
      Stage: { ...queue, DependsOn: ['Reply', 'Route'] },
      Only: { ...queue, DependsOn: ['Reply'] },
      Route: queue,
    });
    expect(template.Resources).toEqual({
      Stage: { ...queue, DependsOn: ['Route'] },
      Only: queue,
      Route: queue,
    });
  });

  test('a single name in DependsOn is one too', () => {
    const Stage = { ...queue, DependsOn: 'Reply' as unknown as string[] };
    expect(transformed({ Reply: reply, Stage }).template.Resources).toEqual({ Stage: queue });
  });

  test('keeps its references', () => {
    const Resources = { Queue: { ...queue, Properties: { QueueName: { 'Fn::Sub': 'a-$' + '{AWS::Region}' } } } };
    expect(transformed(Resources).template.Resources).toEqual(Resources);
  });
});
