import { FbClientBuilder, type IFbClient } from '@featbit/node-server-sdk';
import type { User } from '../flags/user.ts';

/** The result of FeatBit's Node SDK for a flag. */
export interface SdkResult {
  /** Empty if the SDK reports the flag as malformed and uses the default value. */
  readonly value: string;
  /** Empty in the same case. */
  readonly variationId: string;
  readonly sendToExperiment: boolean;
}

/** The compared fields of the event that the SDK records for each evaluation. */
interface EvaluationEvent {
  readonly variation: { readonly id: string };
  readonly sendToExperiment: boolean;
}

/**
 * FeatBit's real Node server SDK, offline. It evaluates the given documents itself.
 *
 * All calls use its public interface, with one exception. Offline, its event processor does nothing. It is replaced by
 * one that keeps the event, because only the event contains the variation's id and the experiment.
 */
export class NodeSdk {
  readonly #client: IFbClient;
  #event: EvaluationEvent | undefined;

  /** @param dataSync a server-side data-sync message of this service */
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
   * @returns undefined if the SDK throws
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

/** A user from the SDK's own builder. It turns a missing name into the empty text. */
function sdkUser(user: User) {
  return {
    key: user.keyId,
    name: user.name ?? '',
    customizedProperties: Array.from(user.attributes, ([name, value]) => ({ name, value })),
  };
}
