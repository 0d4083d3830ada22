import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { SdkUser } from '../../../support/sdkModel/message.ts';
import { SdkModel } from '../../../support/sdkModel/sdkModel.ts';
import { CONTEXT_RULES } from '../../../support/sdkModel/sdkRules.ts';
import type { Workspace } from '../workspace.ts';

/** The access to an environment that a poll needs. */
type Access = Pick<Workspace, 'target' | 'clientKey' | 'token'>;

/** The result of a poll. */
interface Poll {
  /** The cursor that it sent. */
  readonly timestamp: number;
  readonly status: number;
  /** `empty` if there was no body. */
  readonly event: 'full' | 'patch' | 'empty' | 'failed';
  readonly flags: number;
}

const AGENT = 'FeatBit-JS-Client-SDK/4.3.5';

/**
 * FeatBit's JavaScript client 4.3.5 with `enablePollingFallback`, by its source (featbit-js-client-sdk at 210f4e6,
 * src/FbClientCore.ts, src/data-sync/PollingDataSynchronizer.ts, src/store/BaseStore.ts). When its first connection fails it
 * polls, by default every 30 seconds, and never connects again. npm has no version after 4.2.15.
 */
export class PollingSdk extends SdkModel {
  /** The number of its connections. */
  connects = 0;
  /** All polls, in order. */
  readonly polls: Poll[] = [];
  readonly #access: Access;
  #isStopped = false;

  private constructor(access: Access, user: SdkUser) {
    super(CONTEXT_RULES, {}, user);
    this.#access = access;
  }

  /** Starts it with a streaming URL that refuses. @returns after its first poll */
  static async start(access: Access, user: SdkUser, streamingUrl: string): Promise<PollingSdk> {
    const client = new PollingSdk(access, user);
    await client.#connect(streamingUrl);
    await client.poll();
    return client;
  }

  /** Continues as another user, with what it kept of that user, and polls at once. */
  identify(user: SdkUser): Promise<Poll> {
    this.user = user;
    return this.poll();
  }

  /** Polls once. The SDK waits 30 seconds before. @throws if it has stopped */
  async poll(): Promise<Poll> {
    if (this.#isStopped) throw new Error('the client has stopped polling');
    const { timestamp, user } = JSON.parse(this.request(performance.now())).data;
    const { target, clientKey } = this.#access;
    const response = await fetch(`${target.httpUrl}/api/public/sdk/client/latest-all?timestamp=${timestamp}`, {
      method: 'POST',
      headers: {
        Authorization: clientKey,
        'Content-Type': 'application/json',
        'User-Agent': AGENT,
        'X-User-Agent': AGENT,
      },
      body: JSON.stringify(user),
    });
    const { status } = response;
    const body = await response.text();
    const poll = { timestamp, status, ...this.#take(status, status === 304 ? '' : body) };
    this.polls.push(poll);
    return poll;
  }

  /** Fails as a browser's WebSocket does when the handshake is refused. */
  async #connect(streamingUrl: string): Promise<void> {
    this.connects++;
    const url = `${streamingUrl}/streaming?type=client&token=${this.#access.token('client')}`;
    await once(new WebSocket(url), 'error');
  }

  #take(status: number, body: string): Pick<Poll, 'event' | 'flags'> {
    if (status !== 200 && status !== 304) {
      this.#isStopped = status >= 400 && status < 500 && ![400, 408, 429].includes(status);
      return { event: 'failed', flags: 0 };
    }
    const { message } = body === '' ? {} : this.receive(body, performance.now());
    return { event: message?.eventType ?? 'empty', flags: message?.items.length ?? 0 };
  }
}
