import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aFlag } from '../../../../shared/testing/builders.ts';
import { until } from '../../../../shared/testing/until.ts';
import { recipeOf, signatureCheck } from '../../checks/eventRecipes.ts';
import type { Target } from '../../conformance/target.ts';
import { callAws, formRequest } from '../awsCalls.ts';
import type { Deployment } from '../deployment.ts';

const STACK = 'flag-changes-webhook';
const SECRET = Buffer.from('a secret of the receiver').toString('base64');

/** Changes on the deployed table reach a webhook by the recipe of docs/events.md. */
export function changeEventCases({ emulator }: Deployment, { store }: Target): void {
  describe('the webhook of docs/events.md on the deployed event bus', () => {
    const requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      requests.push({ headers: request.headers, body });
      response.end();
    });
    const cloudFormation = (parameters: Record<string, string>) =>
      callAws(emulator, formRequest('cloudformation', '2010-05-15', { StackName: STACK, ...parameters }));
    const statusBecomes = (status: RegExp) =>
      until(
        () => cloudFormation({ Action: 'DescribeStacks' }).catch((error: Error) => error.message),
        (answer) => status.test(answer),
      );

    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await cloudFormation({
        Action: 'CreateStack',
        TemplateBody: JSON.stringify(recipeOf('webhook.yaml')),
        'Capabilities.member.1': 'CAPABILITY_IAM',
        'Parameters.member.1.ParameterKey': 'Url',
        'Parameters.member.1.ParameterValue': `http://127.0.0.1:${port}`,
        'Parameters.member.2.ParameterKey': 'Secret',
        'Parameters.member.2.ParameterValue': SECRET,
      });
      await statusBecomes(/CREATE_COMPLETE/);
    });
    afterAll(async () => {
      await cloudFormation({ Action: 'DeleteStack' });
      await statusBecomes(/DELETE_COMPLETE|does not exist/);
      await new Promise((resolve) => server.close(resolve));
    });

    test('gets each change with a valid signature', async () => {
      const { environment } = await store.environments.create('webhook');
      await store.documents.writeFlag(environment.id, 'f', () => aFlag({ key: 'f', isEnabled: false }));
      await store.documents.writeFlag(environment.id, 'f', (flag) => ({ ...(flag ?? aFlag()), isEnabled: true }));
      const received = () => requests.filter(({ body }) => JSON.parse(body).detail.environment.id === environment.id);
      await until(() => received().length >= 2);
      const events = received().map(({ body }) => JSON.parse(body));
      // EventBridge keeps no order.
      events.sort((one, other) => one.detail.version.localeCompare(other.detail.version));
      expect(events).toMatchObject([
        { source: 'flagwire', 'detail-type': 'Flag Changed', detail: { key: 'f', action: 'created' } },
        { detail: { action: 'turned on', environment: { name: 'webhook' }, after: { isEnabled: true } } },
      ]);
      const isGenuine = await signatureCheck();
      for (const { headers, body } of received()) expect(isGenuine(headers, body, SECRET)).toBe(true);
    });
  });
}

/** Removes the log group that a call created, if it ended after the stack of the webhook was deleted. */
export async function removeLateLog({ emulator }: Deployment): Promise<void> {
  const body = JSON.stringify({ logGroupName: `/aws/cloudformation/${STACK}/Logs` });
  await callAws(emulator, { service: 'logs', target: 'Logs_20140328.DeleteLogGroup', body }).catch(() => undefined);
}
