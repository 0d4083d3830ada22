import type { Effects } from '../../shared/runtime/effects.ts';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import { withoutArns } from '../../shared/store/table/permission.ts';
import type { Attention } from '../attention.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';

/** Cache duration in milliseconds, because several pages read the same. */
const KEPT_MS = 5_000;

/** Answers with the alarms of a deployment. If they cannot be read, the answer says why. */
export function attentionHandler({ now }: Pick<Effects, 'now'>, readAlarms: ConsoleContext['readAlarms']) {
  const kept = keepAnswers<Attention>(KEPT_MS, 1);
  const read = async (at: number): Promise<Attention> => {
    if (!readAlarms) return { at, alarms: { kind: 'absent' } };
    try {
      return { at, alarms: { kind: 'read', value: await readAlarms() } };
    } catch (error) {
      return { at, alarms: { kind: 'unread', reason: withoutArns(describeStoreError(error)) } };
    }
  };
  return (async () => {
    const at = now();
    return kept('', at, () => read(at));
  }) satisfies Handlers['GET attention'];
}
