import { groupOf, sdkUser } from '../../dev/support/sdkModel/message.ts';
import { type Received, SdkModel } from '../../dev/support/sdkModel/sdkModel.ts';
import { CONTEXT_RULES, type SdkRules, STRICT_RULES } from '../../dev/support/sdkModel/sdkRules.ts';
import type { PatchContents } from '../../shared/delivery/sdk.ts';

/**
 * An SDK of a world. The flags of a client-side SDK must evaluate to the user's plan (planFlag.ts), so that an item shows
 * for which user it was evaluated.
 */
export class WorldSdk extends SdkModel {
  readonly violations: string[];
  /** Its current connection. */
  connection: string | undefined;
  /**
   * Whether it has asked for another user on its current connection without a reply yet. If both users have the same
   * keyId, messages for the earlier one may be stored for this one. FeatBit's server has the same property.
   */
  isChangingUser = false;
  /** The newest version of each item that a server-side SDK was sent since its last `full`. */
  readonly #sent = new Map<string, number>();

  constructor(rules: SdkRules, hasParts = true) {
    const violations: string[] = [];
    const report = (violation: string, what: string) => void violations.push(`${violation}: ${what}`);
    super(rules, { report, hasParts, graceMs: Number.POSITIVE_INFINITY, isReliable: true });
    this.violations = violations;
  }

  /** Switches to a user. A data-sync must follow. */
  identify(keyId: string, plan: string): void {
    this.isChangingUser = this.connection !== undefined;
    this.user = sdkUser(keyId, { plan });
  }

  override receive(text: string, at: number, answers?: number): Received {
    const received = super.receive(text, at, answers);
    if (received.asked && received.asked.user === this.user) this.isChangingUser = false;
    const { eventType, items = [] } = received.message ?? {};
    if (eventType === 'full') this.#sent.clear();
    for (const { name, version } of items) this.#sent.set(name, Math.max(version, this.#sent.get(name) ?? 0));
    return received;
  }

  /**
   * The version that it has of an item. A server-side SDK here stores everything, and a delivery after a kill repeats older
   * versions. Real SDKs keep the newer one.
   */
  newestOf(name: string): number {
    return (this.user ? this.store.items.get(name)?.version : this.#sent.get(name)) ?? 0;
  }

  /**
   * Checks its cursor. One cursor covers all flags, so an SDK must have every change up to it. A missing one would never be sent
   * again.
   *
   * @param versions the current version of each flag
   * @returns a text for each missing one
   */
  gaps(versions: ReadonlyMap<string, number>): string[] {
    const { cursor } = this.store;
    if (this.isChangingUser) return [];
    return [...versions].flatMap(([id, updatedAt]) => {
      const has = this.newestOf(`flag:${id}`);
      const isMissing = updatedAt <= cursor && has < updatedAt;
      return isMissing ? [`${this.connection} has ${id} at ${has}, not at ${updatedAt}, and asks from ${cursor}`] : [];
    });
  }

  /** Its flags: the version, and the plan they were evaluated for. */
  flags(): Record<string, string> {
    return Object.fromEntries(
      [...this.store.items.values()].map((item) => [item.name, `${item.version} ${item.group}`]),
    );
  }

  /** Its expected flags for these versions. */
  expected(versions: readonly { readonly id: string; readonly updatedAt: number }[]): Record<string, string> {
    return Object.fromEntries(
      versions.map(({ id, updatedAt }) => [`flag:${id}`, `${updatedAt} ${groupOf(this.user)}`]),
    );
  }
}

/** A server-side SDK that must be sent each change once, in order, like those for Go and Java. */
export function strictSdk(patchContents: PatchContents = 'one-item'): WorldSdk {
  return new WorldSdk({ ...STRICT_RULES, patchContents });
}

/** A client-side SDK like FeatBit's for JavaScript. */
export function jsSdk(): WorldSdk {
  return new WorldSdk(CONTEXT_RULES);
}
