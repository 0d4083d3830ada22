import { WebSocket } from 'ws';

/** Pauses before connecting again, as SDKs make them but shorter, with as much chance in them. */
const BACK_OFF_MS = [50, 200, 800];

/** A client as light as can be that behaves as an SDK: it comes back after every break, with where it stands. */
export class PatientClient {
  readonly #url: () => string;
  readonly #user: string;
  readonly #key: string;
  #socket: WebSocket | undefined;
  #attempt = 0;
  #isLeaving = false;
  /** Up to where it has everything, and the versions of the watched flag in the order in which they came. */
  cursor = 0;
  readonly seen: number[] = [];
  syncs = 0;
  /** True if it is connected and has its answer. */
  isInSync = false;

  /** @param key the flag whose versions it keeps */
  constructor(url: () => string, user: string, key: string) {
    this.#url = url;
    this.#user = user;
    this.#key = key;
    this.#connect();
  }

  leave(): void {
    this.#isLeaving = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url(), { perMessageDeflate: false });
    this.#socket = socket;
    socket.on('open', () => {
      const user = { keyId: this.#user, name: this.#user, customizedProperties: [] };
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: this.cursor, user } }));
    });
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isInSync = false;
      if (this.#isLeaving) return;
      const pause = BACK_OFF_MS[Math.min(this.#attempt++, BACK_OFF_MS.length - 1)] as number;
      setTimeout(() => this.#connect(), pause * (0.5 + Math.random()));
    });
  }

  #take({
    messageType,
    data,
  }: {
    messageType: string;
    data: { featureFlags: { id: string; timestamp: number }[] };
  }): void {
    if (messageType !== 'data-sync') return;
    if (!this.isInSync) this.syncs++;
    this.isInSync = true;
    this.#attempt = 0;
    for (const { id, timestamp } of data.featureFlags) {
      this.cursor = Math.max(this.cursor, timestamp);
      if (id === this.#key && this.seen.at(-1) !== timestamp) this.seen.push(timestamp);
    }
  }
}
