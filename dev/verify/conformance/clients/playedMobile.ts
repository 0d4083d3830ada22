import { WebSocket } from 'ws';
import type { Workspace } from '../workspace.ts';
import { ClientData, type ClientSyncData, type SentUser } from './clientData.ts';

/** A data-sync message that the SDK took. */
export interface Commit {
  readonly event: 'full' | 'patch';
  /** Keys of its flags. */
  readonly keys: readonly string[];
}

/**
 * The mobile profile of FeatBit's specification of client SDKs, a draft (featbit/sdk-spec at 3f08faa, client-side/mobile/README.md):
 * in the background it is not connected; it resumes with the cursor of exactly the active context, attributes included, and without
 * one asks for everything. The draft names no SDK that follows it.
 */
export class PlayedMobile {
  /** The cursors that it has sent, in order. */
  readonly cursors: number[] = [];
  /** What it has committed, in order, from all of its connections. */
  readonly commits: Commit[] = [];
  /** Messages that were for another user. */
  ignored = 0;
  readonly #workspace: Workspace;
  readonly #contexts = new Map<string, ClientData>();
  #user: SentUser;
  #socket: WebSocket | undefined;

  constructor(workspace: Workspace, user: SentUser) {
    this.#workspace = workspace;
    this.#user = user;
  }

  /** A flag's value in the active context; undefined where code gets its default. */
  value(key: string): string | null | undefined {
    return this.#data.value(key);
  }

  /** All values of the active context, by key. */
  get values(): Readonly<Record<string, string | null | undefined>> {
    return Object.fromEntries([...this.#data.flags.keys()].toSorted().map((key) => [key, this.value(key)]));
  }

  /** Comes to the foreground: connects and asks for what is newer. @returns the first message that it commits */
  resume(): Promise<Commit> {
    return this.#connect((socket) => this.#sync(socket));
  }

  /** Comes to the foreground, and goes to the background as soon as it has asked: the answer is lost. */
  async resumeBriefly(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#connect((socket) => {
        this.#sync(socket);
        this.pause();
        resolve();
      }).catch(reject);
    });
  }

  /** Goes to the background; what comes later on its connection counts no more. */
  pause(): void {
    this.#socket?.close(1000);
    this.#socket = undefined;
  }

  /** Continues as another user, or as the same with other attributes; while paused, without the network. */
  identify(user: SentUser): void {
    this.#user = user;
    if (this.#socket) this.#sync(this.#socket);
  }

  get #data(): ClientData {
    const { customizedProperties, ...rest } = this.#user;
    const sorted = customizedProperties.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const key = JSON.stringify([rest, sorted]);
    const data = this.#contexts.get(key) ?? new ClientData();
    this.#contexts.set(key, data);
    return data;
  }

  #connect(onOpen: (socket: WebSocket) => void): Promise<Commit> {
    const socket = new WebSocket(this.#workspace.url('client'));
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      socket.on('open', () => onOpen(socket));
      socket.on('error', reject);
      socket.on('message', (text) => {
        if (socket !== this.#socket) return;
        const commit = this.#take(JSON.parse(String(text)));
        if (commit) resolve(commit);
      });
    });
  }

  #sync(socket: WebSocket): void {
    const { cursor: timestamp } = this.#data;
    this.cursors.push(timestamp);
    socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp, user: this.#user } }));
  }

  #take({ messageType, data }: { messageType?: string; data?: ClientSyncData }): Commit | undefined {
    if (messageType !== 'data-sync' || !data) return undefined;
    if (data.userKeyId !== this.#user.keyId) {
      this.ignored++;
      return undefined;
    }
    this.#data.commit(data);
    const commit = { event: data.eventType, keys: data.featureFlags.map(({ id }) => id) };
    this.commits.push(commit);
    return commit;
  }
}
