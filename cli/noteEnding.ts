import { evaluationsText } from '../shared/describe/evaluationsText.ts';
import type { Flag } from '../shared/flags/flag.ts';
import { readFlagUsage } from '../shared/store/usage/flagUsage.ts';
import type { Session } from './session.ts';

/** Maximum number of flags whose usage is read. */
const NOTED_FLAGS = 20;
/** The present hour and the 23 before it, as in the console. */
const PERIOD_MS = 23 * 3_600_000;

/**
 * Notes how often flags were evaluated in the last 24 hours, and whether they have a plan, before they are archived or
 * deleted. In production, the operator confirms after it.
 */
export async function noteEnding(session: Session, keys: readonly string[]): Promise<void> {
  if (session.schedule) return;
  const { store } = session;
  const environment = await session.environment();
  // Without the rights to read them, the command says nothing about them.
  const usage = await session.usage().catch(() => undefined);
  const plans = await store.plans.list(environment.id).catch(() => []);
  const flags = (await session.documents<Flag>('flag')).filter(({ key }) => keys.includes(key));
  const lines: string[] = [];
  for (const flag of flags.slice(0, NOTED_FLAGS)) {
    const read = usage && readFlagUsage(usage, environment.id, flag.key, store.effects.now() - PERIOD_MS);
    const found = await read?.catch(() => undefined);
    const facts = [
      ...(found ? [evaluationsText(flag, environment.name, found.counts)] : []),
      ...(plans.some(({ kind, documentId }) => kind === 'flag' && documentId === flag.key) ? ['its plan ends'] : []),
    ];
    if (facts.length > 0) lines.push(`${flag.key}: ${facts.join('; ')}`);
  }
  await session.environmentToChange(environment, () => {
    for (const line of lines) session.note(line);
  });
}
