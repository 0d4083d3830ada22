import { expect, jest, test } from '@jest/globals';
import type { Settings } from '../../config/settingsSchema.ts';
import { onlyResourceOf, templateWith } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
const named = { domainName: 'flags.example.com', certificateArn };

test.each<['Serverless' | 'Host', Settings]>([
  ['Serverless', { domain: { name: 'flags.example.com', certificateArn } }],
  ['Host', { host: true, frontDoor: named }],
  ['Host', { host: { network: 'public', tls: named } }],
])('the distribution in %s keeps no error of an origin', (stack, settings) => {
  const { properties } = onlyResourceOf(templateWith(stack, settings), 'AWS::CloudFront::Distribution');
  expect(properties['DistributionConfig']).toHaveProperty(
    'CustomErrorResponses',
    [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
  );
});
