import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import type { ConnectionFacts } from '../requestContext.ts';
import { connectClient, startTestGateway, type TestGateway } from '../testing/gateway.ts';

let gateway: TestGateway | undefined;
afterEach(() => gateway?.close());

test('whoever watches the traffic is told of each connection, message, answer, refusal and end', async () => {
  const told: unknown[] = [];
  const note =
    (what: string) =>
    ({ connectionId }: ConnectionFacts, more?: unknown) =>
      void told.push([what, connectionId, more]);
  gateway = await startTestGateway({
    traffic: {
      opened: note('opened'),
      refused: (status) => void told.push(['refused', status]),
      received: note('received'),
      sent: note('sent'),
      closed: note('closed'),
    },
  });
  const { socket, next, closed } = await connectClient(`${gateway.streamingUrl}?token=good`);
  const [id] = gateway.webSocket.connections.keys();
  socket.send('no JSON');
  const answer = await next();
  socket.close(1000, 'bye');
  await closed;
  await until(() => told.length === 4);
  await expect(connectClient(`${gateway.streamingUrl}?token=deny`)).rejects.toThrow();
  await until(() => told.length === 5);
  expect(told).toEqual([
    ['opened', id, undefined],
    ['received', id, 'no JSON'],
    ['sent', id, answer],
    ['closed', id, expect.objectContaining({ code: 1000 })],
    ['refused', 403],
  ]);
});
