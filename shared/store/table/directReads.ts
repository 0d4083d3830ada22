import type { Effects } from '../../runtime/effects.ts';
import { SignedRequests } from '../../runtime/signedRequests.ts';
import { sendDirectly } from './directTable.ts';
import type { SdkClient } from './table.ts';

/** A request of the SDK that has its endpoint. */
interface Addressed {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
}

/**
 * Makes {@link SdkClient.getItem} and {@link SdkClient.query} of a client send their requests directly, for a fifth of the SDK's CPU
 * time ([record 23](../../../docs/decisions/0023-bun.md)). Endpoint, region, credentials and the offset of the clock are the client's.
 * The SDK sends everything else, the first request, and each read that fails: it repeats it, and reports its error.
 *
 * @param timeoutMs timeout of a response
 */
export function readItemsDirectly(
  client: SdkClient,
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
        // A check for changes is the same request each time.
        keepsSignatures: true,
      },
      timeoutMs,
      effects,
    );
  const directly =
    <Input extends object, Output extends object>(operation: string, bySdk: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const output = await requests
        ?.then((via) => sendDirectly<Output>(via, operation, input, client.config.systemClockOffset))
        .catch(() => undefined);
      return output ?? bySdk(input);
    };
  client.getItem = directly('GetItem', client.getItem.bind(client));
  client.query = directly('Query', client.query.bind(client));
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
