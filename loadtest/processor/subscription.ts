import { type User, userDocument } from '../../shared/flags/user.ts';
import { isFor, Subscription } from '../processor.mjs';
import type { Check } from './expectation.ts';

/** A client SDK's: evaluated flags of one user at a time, each checked. Versions are unix milliseconds. */
export class ClientSubscription extends Subscription {
  readonly #check: Check;
  #user: User;
  #former: User | undefined;

  constructor(user: User, check: Check) {
    super(userDocument(user));
    this.#user = user;
    this.#check = check;
  }

  /** Is somebody else from now on, who has no flags yet. */
  identify(user: User): void {
    this.#former = this.#user;
    this.#user = user;
    this.user = userDocument(user);
    this.cursor = 0;
  }

  /** Whether a message is for who it was before, which SDKs pass over. */
  isOutdated(text: string): boolean {
    return this.#former !== undefined && isFor(this.#former, text);
  }

  override answer(text: string): string | undefined {
    // A client with flags is sent what is newer, or everything.
    const isRest = this.cursor > 0 && text.includes('"eventType":"patch"');
    return (isRest ? undefined : this.#check(this.#user, text)) ?? super.answer(text);
  }
}

/** A server SDK's: flags and segments of an environment, which come in several messages where one cannot hold them. */
export class ServerSubscription extends Subscription {
  readonly #expected: number;
  readonly #had = new Set<string>();

  /** @param expected how many flags and segments there are */
  constructor(expected: number) {
    super(undefined);
    this.#expected = expected;
  }

  /** Whether nothing of the answer is still to come. */
  get isWhole(): boolean {
    return this.#had.size >= this.#expected;
  }

  override answer(text: string): string | undefined {
    if (this.cursor === 0 && !text.includes('"eventType":"full"')) return 'an answer is no full data-sync';
    this.#take(text);
    return undefined;
  }

  override change(text: string): number | undefined {
    const before = this.cursor;
    if (!text.includes('"eventType":"patch"')) return undefined;
    this.#take(text);
    return this.cursor > before ? this.cursor : undefined;
  }

  #take(text: string): void {
    const { data }: { data: { featureFlags: DocumentVersion[]; segments: DocumentVersion[] } } = JSON.parse(text);
    for (const { key, id, updatedAt } of [...data.featureFlags, ...data.segments]) {
      this.#had.add(key ?? id);
      this.cursor = Math.max(this.cursor, Date.parse(updatedAt));
    }
  }
}

/** As much of a flag's or segment's document as is read; only flags have keys. */
interface DocumentVersion {
  readonly key?: string;
  readonly id: string;
  readonly updatedAt: string;
}
