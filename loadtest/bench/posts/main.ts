import { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi';
import { ManagementApi } from '../../../functions/push/managementApi.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { startConnections } from '../../machine/playedConnections.ts';
import { begin, benchCommand, round } from '../benchmark.ts';

/** Posts at the same time. */
const IN_FLIGHT = 64;
const message = JSON.stringify({ messageType: 'data-sync', data: { description: 'x'.repeat(400) } });

const command = benchCommand('posts')
  .option('--posts <n>', 'posts a round of each client', wholeNumber, 5_000)
  .option('--rounds <n>', 'rounds, of which the best counts', wholeNumber, 5);
const { options, report } = begin<{ posts: number; rounds: number }>(command);

const connections = await startConnections();
const { endpoint } = connections;
const credentials = { accessKeyId: 'id', secretAccessKey: 'key' };
const client = new ApiGatewayManagementApiClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
const api = new ManagementApi({ endpoint, region: 'us-east-1', keys: async () => credentials });
const clients = {
  'SDK client': (id: string) => client.send(new PostToConnectionCommand({ ConnectionId: id, Data: message })),
  'signed posts': (id: string) => api.post(id, message),
};

const best = new Map<string, number>();
// The first round warms up, and does not count.
for (let n = 0; n <= options.rounds; n++) {
  for (const [name, post] of Object.entries(clients)) {
    const before = process.cpuUsage();
    let sent = 0;
    const worker = async () => {
      while (sent++ < options.posts) await post(`L0SM9cOFvHcCIhw${sent}`);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000 / options.posts;
    if (n > 0) best.set(name, Math.min(ms, best.get(name) ?? ms));
  }
}
const reference = best.get('SDK client') ?? Number.NaN;
const rows = [...best].map(([name, ms]) => [name, round(ms), `${round(ms / reference)}×`]);
report([{ title: 'A post to a connection', head: ['client', 'processor ms', 'to the SDK client'], rows }]);
await connections.close();
client.destroy();
