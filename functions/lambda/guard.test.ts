import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { captureOutput } from '../testing/output.ts';

const THROTTLED = 3;

let requests = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (String(request.headers['x-amz-target']).startsWith('DynamoDB')) {
      // Each query finds an environment, or its open plan.
      const plan = { kind: 'flag', documentId: 'f', steps: [], state: { kind: 'running' } };
      response.end(JSON.stringify({ Items: [{ sk: { S: 'p' }, plan: { S: JSON.stringify(plan) } }] }));
      return;
    }
    const isThrottled = ++requests <= THROTTLED;
    response.writeHead(isThrottled ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(isThrottled ? { __type: 'ThrottlingException' } : { MetricAlarms: [] }));
  });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('reads an alarm also if CloudWatch throttles, as it does for many alarms', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    FLAGS_TABLE: 'flags',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ENDPOINT_URL_CLOUDWATCH: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const { handler } = (await import('./guard.ts')) as { handler: (event: object) => Promise<unknown> };
  const output = captureOutput();
  try {
    await handler({ detail: { alarmName: 'errors' } });
  } finally {
    output.release();
  }
  expect(requests).toBe(THROTTLED + 1);
  expect(output.text()).toContain('the alarm of the event is not in ALARM');
}, 60_000);
