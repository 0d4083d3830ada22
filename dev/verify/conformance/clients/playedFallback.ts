import { WebSocket } from 'ws';
import type { Workspace } from '../workspace.ts';
import { ClientData, type ClientSyncData, type SentUser } from './clientData.ts';

/** What one poll came to. */
interface Poll {
  /** The cursor that it sent. */
  readonly timestamp: number;
  readonly status: number;
  /** `empty` where there was no body. */
  readonly event: 'full' | 'patch' | 'empty' | 'failed';
  readonly flags: number;
}

/**
 * FeatBit's JavaScript client 4.3.5 with `enablePollingFallback`, as its source has it (featbit-js-client-sdk at 210f4e6,
 * src/FbClientCore.ts, src/data-sync/PollingDataSynchronizer.ts, src/store/BaseStore.ts): when its first connection fails it polls,
 * every 30 seconds unless told otherwise, and never connects again. npm has no version after 4.2.15.
 */
export class PlayedFallback {
  /** How often it has tried to connect. */
  connects = 0;
  /** All polls, in order. */
  readonly polls: Poll[] = [];
  readonly #workspace: Pick<Workspace, 'target' | 'clientKey' | 'token'>;
  readonly #stores = new Map<string, ClientData>();
  #user: SentUser;
  #isStopped = false;

  private constructor(workspace: Pick<Workspace, 'target' | 'clientKey' | 'token'>, user: SentUser) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** Starts it with a streaming URL that refuses. @returns once it has polled for the first time */
  static async start(
    workspace: Pick<Workspace, 'target' | 'clientKey' | 'token'>,
    user: SentUser,
    streamingUrl: string,
  ): Promise<PlayedFallback> {
    const client = new PlayedFallback(workspace, user);
    await client.#connect(streamingUrl);
    await client.poll();
    return client;
  }

  /** A flag's value; undefined where code gets its default. */
  value(key: string): string | null | undefined {
    return this.#store.value(key);
  }

  /** Continues as another user, with what it kept of that user, and polls at once. */
  async identify(user: SentUser): Promise<Poll> {
    this.#user = user;
    return this.poll();
  }

  /** Polls once. The SDK waits 30 seconds before; here the test says when. @throws once it has stopped for good */
  async poll(): Promise<Poll> {
    if (this.#isStopped) throw new Error('the client has stopped polling');
    const { cursor: timestamp } = this.#store;
    const { target, clientKey } = this.#workspace;
    const agent = 'FeatBit-JS-Client-SDK/4.3.5';
    const response = await fetch(`${target.httpUrl}/api/public/sdk/client/latest-all?timestamp=${timestamp}`, {
      method: 'POST',
      headers: {
        Authorization: clientKey,
        'Content-Type': 'application/json',
        'User-Agent': agent,
        'X-User-Agent': agent,
      },
      body: JSON.stringify(this.#user),
    });
    const { status } = response;
    const body = await response.text();
    const poll = { timestamp, status, ...this.#take(status, status === 304 ? '' : body) };
    this.polls.push(poll);
    return poll;
  }

  get #store(): ClientData {
    const key = JSON.stringify(this.#user);
    const store = this.#stores.get(key) ?? new ClientData();
    this.#stores.set(key, store);
    return store;
  }

  /** Fails as a browser's WebSocket does when the handshake is refused. */
  #connect(streamingUrl: string): Promise<void> {
    this.connects++;
    const socket = new WebSocket(`${streamingUrl}/streaming?type=client&token=${this.#workspace.token('client')}`);
    return new Promise((resolve, reject) => {
      socket.on('error', () => resolve());
      socket.on('open', () => {
        socket.terminate();
        reject(new Error('the first connection was to fail'));
      });
    });
  }

  #take(status: number, body: string): Pick<Poll, 'event' | 'flags'> {
    if (status !== 200 && status !== 304) {
      this.#isStopped = status >= 400 && status < 500 && ![400, 408, 429].includes(status);
      return { event: 'failed', flags: 0 };
    }
    if (body === '') return { event: 'empty', flags: 0 };
    const data = JSON.parse(body).data as ClientSyncData;
    if (data.userKeyId === this.#user.keyId) this.#store.commit(data);
    return { event: data.eventType, flags: data.featureFlags.length };
  }
}
