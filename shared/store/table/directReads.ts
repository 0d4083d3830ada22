import type { DynamoDBClient, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { Effects } from '../../runtime/effects.ts';
import { SignedRequests } from '../../runtime/signedRequests.ts';
import { sendDirectly } from './directTable.ts';

/** The names of the commands that are sent directly. */
const READ = /^(GetItem|Query)Command$/;

/** A request of the SDK that has its endpoint. */
interface Addressed {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
}

/**
 * Makes a client send its GetItem and Query requests directly, for a fifth of the SDK's CPU time
 * ([record 23](../../../docs/decisions/0023-bun.md)). Endpoint, region, credentials and the offset of the clock are the client's.
 * The SDK sends everything else, the first request, and each read that fails: it repeats it, and reports its error. Options of a
 * request apply to the SDK's only.
 *
 * @param timeoutMs timeout of a response
 */
export function readItemsDirectly(
  client: DynamoDBClient,
  timeoutMs: number,
  effects: Pick<Effects, 'now' | 'onSilence'>,
): void {
  let endpoint: string | undefined;
  let requests: Promise<SignedRequests> | undefined;
  const connect = async (to: string) =>
    new SignedRequests(
      {
        service: 'dynamodb',
        endpoint: to,
        region: await client.config.region(),
        keys: () => client.config.credentials(),
      },
      timeoutMs,
      effects,
    );
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const operation = READ.exec(commandName ?? '')?.[1];
        if (!operation || !requests) return next(args);
        const output = await requests
          .then((via) => sendDirectly<ServiceOutputTypes>(via, operation, args.input, client.config.systemClockOffset))
          .catch(() => undefined);
        return output ? { output, response: undefined } : next(args);
      },
    { step: 'initialize', name: 'directReads' },
  );
  // The endpoint depends on variables, profiles and the account. `npm start` has a new one after a restart.
  client.middlewareStack.add(
    (next) => (args) => {
      const { protocol, hostname, port, path } = args.request as Addressed;
      const to = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
      if (to !== endpoint) [endpoint, requests] = [to, connect(to)];
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'learnEndpoint' },
  );
}
