import type { PatchContents } from '../../../shared/delivery/sdk.ts';
import type { SecretType } from '../../../shared/protocol/secret.ts';
import serverRules from './serverRules.json' with { type: 'json' };

/** How an SDK handles messages, by its source. */
export interface SdkRules {
  readonly type: SecretType;
  readonly userAgent?: string;
  /**
   * The items of a patch that it stores: all of them, those that are newer than everything that it has, or those that are
   * newer, or not older, than what it has of the same item. An SDK of `newer than all` ignores an older `full`, and
   * reconnects after any other item.
   */
  readonly accepts: 'all' | 'newer than all' | 'newer' | 'not older';
  /** The largest contents of a patch that it handles. Default: `any`. */
  readonly patchContents?: PatchContents;
  /** Whether it applies the items of a patch in random order. The model applies the newest first, the worst order. */
  readonly isUnordered?: boolean;
  /** Close codes after which it does not reconnect. Default: none. */
  readonly stopsAt?: readonly number[];
  /** The largest message that it reads, in bytes. It reconnects after a larger one. */
  readonly limitBytes?: number;
  /** Whether an item of a known version with other content makes it ask for everything on the same connection. */
  readonly asksAgain?: boolean;
  /** Whether it ignores a message with a null in a condition. */
  readonly refusesNulls?: boolean;
  /** Whether it reconnects after a message that is no data-sync. */
  readonly refusesOthers?: boolean;
  /** Whether it ignores a message that contains a flag twice, and flags without a value. */
  readonly refusesIncomplete?: boolean;
  /** Whether it keeps flags by user and attributes. Otherwise it drops a user's flags when the attributes change. */
  readonly keepsContexts?: boolean;
}

/** FeatBit's server-side SDKs: Java 1.4.4, Rust 0.1.1, Ruby at 0db3d64. */
export const SERVER_RULES = serverRules as Readonly<Record<keyof typeof serverRules, SdkRules>>;

/** An SDK with the User-Agent of Go's. It stores everything, so that an older item shows in its flags too. */
export const STRICT_RULES: SdkRules = {
  type: 'server',
  userAgent: 'fb-go-server-sdk',
  accepts: 'all',
  patchContents: 'one-item',
};

/** FeatBit's JavaScript SDK. */
export const JS_RULES: SdkRules = { type: 'client', accepts: 'not older' };

/** FeatBit's JavaScript SDK 4.3.5. */
export const CONTEXT_RULES: SdkRules = { ...JS_RULES, keepsContexts: true };

/** FeatBit's Android SDK at 086aa08. */
export const ANDROID_RULES: SdkRules = {
  ...JS_RULES,
  userAgent: 'FeatBit-Android-SDK/1.0.0',
  refusesIncomplete: true,
};
