import { type User, userDocument } from '../../shared/flags/user.ts';
import type { Check } from './expectation.ts';

/** What one SDK asks for and has been sent, over all its connections. Versions are unix milliseconds. */
export interface Subscription {
  /** The `data-sync` that asks for what it lacks. */
  request(): string;
  /** Whether a message is for whom it was asked for before, which SDKs pass over. */
  isOutdated(text: string): boolean;
  /** Takes the first answer to it. @returns what is wrong with it */
  answer(text: string): string | undefined;
  /** Takes what comes after that. @returns the version of what is new; undefined when it came before, or is no change */
  change(text: string): number | undefined;
  /** Whether nothing of the answer is still to come. */
  readonly isWhole: boolean;
}

/** A client SDK's: evaluated flags of one user at a time. */
export class ClientSubscription implements Subscription {
  readonly isWhole = true;
  readonly #check: Check;
  #user: User;
  #former: User | undefined;
  #cursor = 0;

  constructor(user: User, check: Check) {
    this.#user = user;
    this.#check = check;
  }

  /** Is somebody else from now on, who has no flags yet. */
  identify(user: User): void {
    this.#former = this.#user;
    this.#user = user;
    this.#cursor = 0;
  }

  isOutdated(text: string): boolean {
    return this.#former !== undefined && isFor(this.#former, text);
  }

  request(): string {
    const data = { timestamp: this.#cursor, user: userDocument(this.#user) };
    return JSON.stringify({ messageType: 'data-sync', data });
  }

  answer(text: string): string | undefined {
    // A client with flags is sent what is newer, or everything.
    const isRest = this.#cursor > 0 && text.includes('"eventType":"patch"');
    const restProblem = isFor(this.#user, text) ? undefined : 'an answer is for somebody else';
    const problem = isRest ? restProblem : this.#check(this.#user, text);
    if (problem === undefined) this.#cursor = Math.max(this.#cursor, ...versionsIn(text));
    return problem;
  }

  change(text: string): number | undefined {
    const version = Math.max(...versionsIn(text));
    if (!text.includes('"eventType":"patch"') || !(version > this.#cursor)) return undefined;
    this.#cursor = version;
    return version;
  }
}

/** A server SDK's: flags and segments of an environment, which come in several messages where one cannot hold them. */
export class ServerSubscription implements Subscription {
  readonly #expected: number;
  readonly #had = new Set<string>();
  #cursor = 0;

  /** @param expected how many flags and segments there are */
  constructor(expected: number) {
    this.#expected = expected;
  }

  get isWhole(): boolean {
    return this.#had.size >= this.#expected;
  }

  isOutdated(): boolean {
    return false;
  }

  request(): string {
    return JSON.stringify({ messageType: 'data-sync', data: { timestamp: this.#cursor } });
  }

  answer(text: string): string | undefined {
    if (this.#cursor === 0 && !text.includes('"eventType":"full"')) return 'an answer is no full data-sync';
    this.#take(text);
    return undefined;
  }

  change(text: string): number | undefined {
    const before = this.#cursor;
    if (!text.includes('"eventType":"patch"')) return undefined;
    this.#take(text);
    return this.#cursor > before ? this.#cursor : undefined;
  }

  #take(text: string): void {
    const { data }: { data: { featureFlags: DocumentVersion[]; segments: DocumentVersion[] } } = JSON.parse(text);
    for (const { key, id, updatedAt } of [...data.featureFlags, ...data.segments]) {
      this.#had.add(key ?? id);
      this.#cursor = Math.max(this.#cursor, Date.parse(updatedAt));
    }
  }
}

/** As much of a flag's or segment's document as is read; only flags have keys. */
interface DocumentVersion {
  readonly key?: string;
  readonly id: string;
  readonly updatedAt: string;
}

function isFor({ keyId }: User, text: string): boolean {
  return text.includes(`"userKeyId":${JSON.stringify(keyId)}`);
}

/** Versions of evaluated flags; inside a value the quotes would be escaped. */
function versionsIn(text: string): number[] {
  return Array.from(text.matchAll(/"timestamp":(\d+)/g), ([, version]) => Number(version));
}
