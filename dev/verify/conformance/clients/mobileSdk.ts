import type { SdkUser } from '../../../support/sdkModel/message.ts';
import { type Received, SdkModel } from '../../../support/sdkModel/sdkModel.ts';
import { CONTEXT_RULES } from '../../../support/sdkModel/sdkRules.ts';
import { SocketSdk } from '../../../support/sdkModel/socketSdk.ts';
import type { Workspace } from '../workspace.ts';

/** A data-sync message that the SDK stored. */
export interface Commit {
  readonly event: 'full' | 'patch';
  /** Keys of its flags. */
  readonly keys: readonly string[];
}

/**
 * The mobile profile of FeatBit's draft of client-side SDKs: in the background it is not connected. It resumes with the
 * cursor of exactly the active context, attributes included, and without one asks for everything. The draft names no SDK
 * that follows it.
 */
export class MobileSdk extends SdkModel {
  /** What it has stored, in order, from all of its connections. */
  readonly commits: Commit[] = [];
  readonly #sdk: SocketSdk;
  #onCommit = (_: Commit) => {};
  #onAsked = () => {};
  #onClosed = (_: Error) => {};

  constructor(workspace: Workspace, user: SdkUser) {
    super(CONTEXT_RULES, {}, user);
    this.#sdk = new SocketSdk(this, () => workspace.url('client'), {
      onAsked: () => this.#onAsked(),
      onReceived: (received) => this.#note(received),
      onClosed: (code) => this.#onClosed(new Error(`the connection was closed with ${code}`)),
    });
  }

  /** All values of the active context, by key. */
  get values(): Readonly<Record<string, string | null | undefined>> {
    const keys = [...this.store.items.keys()].map((name) => name.slice('flag:'.length));
    return Object.fromEntries(keys.toSorted().map((key) => [key, this.value(key)]));
  }

  /** Comes to the foreground: connects and asks for what is newer. @returns the first message that it stores */
  resume(): Promise<Commit> {
    this.#sdk.connect();
    return new Promise((resolve, reject) => {
      this.#onAsked = () => {};
      this.#onCommit = resolve;
      this.#onClosed = reject;
    });
  }

  /** Comes to the foreground, and goes to the background as soon as it has asked. The answer is lost. */
  resumeBriefly(): Promise<void> {
    this.#sdk.connect();
    return new Promise((resolve, reject) => {
      this.#onAsked = () => {
        this.pause();
        resolve();
      };
      this.#onClosed = reject;
    });
  }

  /** Goes to the background. */
  pause(): void {
    this.#sdk.close(1000);
  }

  /** Continues as another user, or as the same with other attributes. Sends nothing while paused. */
  identify(user: SdkUser): void {
    this.user = user;
    if (this.#sdk.isStarted) this.#sdk.ask();
  }

  #note({ outcome, message }: Received): void {
    if (!message || outcome !== 'stored') return;
    const commit = { event: message.eventType, keys: message.items.map(({ name }) => name.slice('flag:'.length)) };
    this.commits.push(commit);
    this.#onCommit(commit);
  }
}
