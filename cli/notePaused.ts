import { readSegmentNames } from './editDocuments.ts';
import { planText, stateText, targetName } from './planText.ts';
import type { Session } from './session.ts';

/**
 * Notes each plan that a command has paused, because it changed the plan's flag or segment by hand, and the command
 * that resumes it.
 *
 * @param since when the command began, unix milliseconds
 */
export async function notePausedPlans(session: Session, since: number): Promise<void> {
  // Without the rights to read plans, the command says nothing about them.
  const usual = await session.environment().catch(() => undefined);
  for (const id of session.environmentsToChange()) {
    const plans = await session.store.plans.list(id).catch(() => []);
    const paused = plans.filter(({ state }) => state.kind === 'paused' && !state.guard && state.at >= since);
    for (const plan of paused) {
      const segmentName = await readSegmentNames(session, id).catch(() => String);
      const resume = session.typable(`plan resume ${targetName(plan, segmentName)}`, id === usual?.id ? undefined : id);
      session.note(
        `note: the ${planText(session, plan, segmentName)} is ${stateText(plan.state, session)}; to continue it: ${resume}`,
      );
    }
  }
}
