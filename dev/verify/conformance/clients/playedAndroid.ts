import { WebSocket } from 'ws';
import type { Workspace } from '../workspace.ts';

/** An evaluated flag as the SDK keeps it. */
interface KeptFlag {
  readonly variation: string;
  readonly timestamp: number;
}

/**
 * FeatBit's Android SDK as its source has it (at 086aa08): it drops what is not for its user, takes no message that names a flag
 * twice, and skips a flag without a value, as an archived one is. npm does not have it.
 */
export class PlayedAndroid {
  readonly flags = new Map<string, KeptFlag>();
  /** Messages that it cannot take. */
  invalid = 0;
  /** Messages that were for another user. */
  ignored = 0;
  pongs = 0;
  readonly #socket: WebSocket;
  readonly #keyId: string;

  constructor(workspace: Workspace, keyId: string) {
    this.#keyId = keyId;
    this.#socket = new WebSocket(workspace.url('client'), {
      headers: { 'User-Agent': 'FeatBit-Android-SDK/1.0.0', 'X-User-Agent': 'FeatBit-Android-SDK/1.0.0' },
    });
    const user = { keyId, name: keyId, customizedProperties: [] };
    this.#socket.on('open', () =>
      this.#socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } })),
    );
    this.#socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    this.#socket.on('error', () => {});
  }

  /** What it sends every 18 seconds; it connects again where nothing comes for 36. */
  ping(): void {
    this.#socket.send('{"messageType":"ping","data":null}');
  }

  close(): void {
    this.#socket.terminate();
  }

  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind.
  #take({ messageType, data }: { messageType?: string; data: any }): void {
    if (messageType === 'pong') this.pongs++;
    if (messageType !== 'data-sync') return;
    if (data.userKeyId !== this.#keyId) {
      this.ignored++;
      return;
    }
    const ids = data.featureFlags.map(({ id }: { id: string }) => id);
    if (new Set(ids).size !== ids.length) {
      this.invalid++;
      return;
    }
    if (data.eventType === 'full') this.flags.clear();
    for (const { id, variation, variationType, timestamp } of data.featureFlags) {
      const isWhole = typeof variation === 'string' && typeof variationType === 'string' && Number.isInteger(timestamp);
      if (isWhole && timestamp >= (this.flags.get(id)?.timestamp ?? 0)) this.flags.set(id, { variation, timestamp });
    }
  }
}
