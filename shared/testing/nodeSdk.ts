import { FbClientBuilder, type IFbClient } from '@featbit/node-server-sdk';
import type { User } from '../flags/user.ts';

/** What FeatBit's Node SDK makes of a flag. */
export interface SdkResult {
  /** Empty when the SDK calls the flag malformed and falls back on the default value. */
  readonly value: string;
  /** Empty likewise. */
  readonly variationId: string;
  readonly sendToExperiment: boolean;
}

/** Of the event that the SDK records for each evaluation, what is compared. */
interface EvaluationEvent {
  readonly variation: { readonly id: string };
  readonly sendToExperiment: boolean;
}

/**
 * FeatBit's real Node server SDK, offline, evaluating on its own the documents it was given.
 *
 * All goes through its public interface but one thing: its event processor, which offline does nothing, is replaced by
 * one that keeps the event, because only the event tells the variation's id and whether the experiment gets it.
 */
export class NodeSdk {
  readonly #client: IFbClient;
  #event: EvaluationEvent | undefined;

  /** @param dataSync a server-side data-sync message, as our service sends it */
  constructor(dataSync: string) {
    this.#client = new FbClientBuilder().offline(true).logLevel('none').useJsonBootstrapProvider(dataSync).build();
    const record = (event: EvaluationEvent) => {
      this.#event = event;
    };
    Object.assign(this.#client, { eventProcessor: { record, flush: async () => true, close: async () => undefined } });
  }

  /**
   * Evaluates one flag.
   *
   * @returns undefined when the SDK throws
   */
  async evaluate(flagKey: string, user: User): Promise<SdkResult | undefined> {
    this.#event = undefined;
    try {
      const value = await this.#client.stringVariation(flagKey, sdkUser(user), '');
      const event = this.#event as EvaluationEvent | undefined;
      return { value, variationId: event?.variation.id ?? '', sendToExperiment: event?.sendToExperiment ?? false };
    } catch {
      return undefined;
    }
  }
}

/** A user as this SDK's own builder makes it, which turns a name that was not given into the empty text. */
function sdkUser(user: User) {
  return {
    key: user.keyId,
    name: user.name ?? '',
    customizedProperties: Array.from(user.attributes, ([name, value]) => ({ name, value })),
  };
}
