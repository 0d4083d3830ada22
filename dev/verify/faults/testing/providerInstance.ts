import { FlagwireProvider } from '../../../../provider/provider.ts';
import { answerRequests } from '../../../support/ipc.ts';

/** An evaluation of a text. Without a value, the provider has none yet. */
export interface Evaluation {
  readonly value?: string;
  readonly isStale?: boolean;
}

const realNow = Date.now;
let provider: FlagwireProvider | undefined;

/* An instance of a function that evaluates flags with the provider, when its parent asks. */
const requests = {
  open: async (options: ConstructorParameters<typeof FlagwireProvider>[0]): Promise<void> => {
    provider = new FlagwireProvider(options);
    // Evaluations heal a start that failed.
    await provider.initialize().catch(() => {});
  },
  evaluate: async (key: string): Promise<Evaluation> => {
    const found = await provider?.resolveStringEvaluation(key, 'none', {}).catch(() => undefined);
    return found?.errorCode === undefined && found
      ? { value: found.value, isStale: found.flagMetadata?.['stale'] === true }
      : {};
  },
  /** Makes the clock wrong, until the next call. */
  shiftClock: (ms: number): void => {
    Date.now = () => realNow() + ms;
  },
};
export type ProviderRequests = typeof requests;
answerRequests(requests);
