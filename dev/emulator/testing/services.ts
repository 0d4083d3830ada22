import { type AwsJsonService, serveServices } from '../endpoint/awsJson.ts';
import { type AccessKey, Identities } from '../iam/identities.ts';
import { listen } from '../listen.ts';

/** By which services and gateways of tests are used. */
export const testAccessKey: AccessKey = { accessKeyId: 'test', secretAccessKey: 'not-a-real-key' };

/** Serves AWS services on an ephemeral port. */
export async function startServices(
  ...services: AwsJsonService[]
): Promise<{ url: string; log: readonly string[]; close(): Promise<void> }> {
  const log: string[] = [];
  const listening = await listen(0);
  listening.open((server) => serveServices(server, services, new Identities(testAccessKey), (line) => log.push(line)));
  return { url: `http://127.0.0.1:${listening.port}`, log, close: () => listening.stop(500) };
}

/** Options of an SDK client of a local service. */
export function clientOptions(endpoint: string) {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: testAccessKey,
    maxAttempts: 1,
  };
}
