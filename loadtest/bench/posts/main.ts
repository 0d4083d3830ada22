import { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi';
import { Command } from 'commander';
import { ManagementApi } from '../../../functions/push/managementApi.ts';
import { PlayedConnections } from '../../machine/playedConnections.ts';

/*
 * `npm run bench:posts`: the processor time that a post to a connection takes, with the AWS SDK's client and with signed
 * posts, in turn, to a server of another process that answers at once.
 */
const { posts, rounds } = new Command('npm run bench:posts --')
  .description('Processor time of a post to a connection: the AWS SDK’s client beside signed posts.')
  .option('--posts <n>', 'posts a round and way', Number, 5_000)
  .option('--rounds <n>', 'rounds', Number, 5)
  .addHelpText('after', '\nDefaults: 5,000 posts, 5 rounds, 64 under way, 450 bytes each. Nothing leaves this machine.')
  .parse()
  .opts<{ posts: number; rounds: number }>();

const UNDER_WAY = 64;
const message = JSON.stringify({ messageType: 'data-sync', data: { description: 'x'.repeat(400) } });

const connections = await PlayedConnections.start();
const { endpoint } = connections;
const credentials = { accessKeyId: 'id', secretAccessKey: 'key' };
const client = new ApiGatewayManagementApiClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
const api = new ManagementApi({ endpoint, region: 'us-east-1', keys: async () => credentials });
const ways: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'SDK client': (id) => client.send(new PostToConnectionCommand({ ConnectionId: id, Data: message })),
  'signed posts': (id) => api.post(id, message),
};

const found = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
// The first round warms up, and does not count.
for (let round = 0; round <= rounds; round++) {
  for (const [name, post] of Object.entries(ways)) {
    const before = process.cpuUsage();
    let sent = 0;
    const worker = async () => {
      while (sent++ < posts) await post(`L0SM9cOFvHcCIhw${sent}`);
    };
    await Promise.all(Array.from({ length: UNDER_WAY }, worker));
    const { user, system } = process.cpuUsage(before);
    if (round > 0) found.get(name)?.push((user + system) / 1_000 / posts);
  }
}
const best = [...found].map(([name, ms]) => ({ name, ms: Math.min(...ms) }));
const [{ ms: reference } = { ms: 1 }] = best;
for (const { name, ms } of best) {
  console.log(
    `${name.padEnd(14)} ${ms.toFixed(3)} ms of processor a post, ${(ms / reference).toFixed(2)} × the SDK client`,
  );
}
connections.close();
process.exit(0);
