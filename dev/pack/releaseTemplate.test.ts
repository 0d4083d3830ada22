import { expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import type { Template } from '../../infra/inProcess.ts';
import { textFindings } from '../verify/checks/restrictedTexts.ts';
import { makeReleaseTemplate } from './releaseTemplate.ts';

/** CloudFormation's limit for a template in S3. */
const TEMPLATE_BYTES = 1_000_000;

const { template: text, assets } = makeReleaseTemplate();
const template = JSON.parse(text) as Template & { readonly Parameters: object };
const resources = Object.values(template.Resources);
const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

test('the template fits into S3, and names no account, region or bucket', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(TEMPLATE_BYTES);
  expect(text.match(/[:"]\d{12}[:"]|cdk-|BootstrapVersion|Custom::|AWS::CDK|\b(us|eu|ap)-[a-z]+-\d\b/g)).toBeNull();
  expect(Object.keys(template.Parameters)).toEqual(['AssetsBucket', 'AlarmEmail']);
});

test('AWS accepts its texts', () => expect(textFindings('flagwire', template)).toEqual([]));

test('each function has its code among the assets', () => {
  const keys = ofType('AWS::Lambda::Function').map(({ Properties }) => {
    const code = Properties?.['Code'] as { readonly S3Bucket: object; readonly S3Key: string };
    expect(code.S3Bucket).toEqual({ 'Fn::Sub': expect.stringMatching(/^.{AssetsBucket}$/) });
    return code.S3Key;
  });
  expect(Object.keys(assets).sort()).toEqual(keys.sort());
  for (const zip of Object.values(assets)) expect(Object.keys(unzipSync(zip))).toEqual(['index.mjs']);
});

test('tables and events are retained, and tables are protected', () => {
  const policies = (type: string) => ofType(type).map(({ DeletionPolicy }) => DeletionPolicy);
  expect(policies('AWS::DynamoDB::GlobalTable')).toEqual(Array(3).fill('Retain'));
  expect(policies('AWS::S3::Bucket')).toEqual(['RetainExceptOnCreate']);
  for (const { Properties } of ofType('AWS::DynamoDB::GlobalTable'))
    expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
});

test('only the subscription depends on AlarmEmail', () => {
  const conditional = resources.filter((resource) => 'Condition' in resource);
  expect(conditional).toEqual([expect.objectContaining({ Type: 'AWS::SNS::Subscription' })]);
});

test('the same sources give the same bytes', () => {
  const again = makeReleaseTemplate();
  expect([again.template === text, Object.keys(again.assets)]).toEqual([true, Object.keys(assets)]);
  for (const [key, bytes] of Object.entries(assets))
    expect(Buffer.compare(bytes, again.assets[key] ?? bytes.subarray(1))).toBe(0);
});

test('tables and APIs have the ids of the releases before, because an update would replace others', () => {
  const kept = /DynamoDB::GlobalTable|ApiGatewayV2::(Api|Stage)$/;
  const ids = Object.entries(template.Resources).flatMap(([id, { Type }]) => (kept.test(Type) ? id : []));
  expect(ids).toEqual([
    'TablesFlagsDE7FCA03',
    'TablesConnectionsF6D675B1',
    'TablesUsageA60E9525',
    'TablesGuardsWebhook121A4104',
    'TablesGuardsWebhookStage63B08DB0',
    'StreamingApiEFC9FE88',
    'StreamingStage1C722512',
    'PollingApi189B2275',
    'PollingStageCA5540B0',
  ]);
});
