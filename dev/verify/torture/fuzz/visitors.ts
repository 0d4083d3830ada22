import { flagDocuments, simpleFlag, Workspace } from '../../conformance/workspace.ts';
import type { Problems } from '../part.ts';
import type { Service } from '../service.ts';
import { deliver } from './deliver.ts';
import { KINDS, type Kind, makeVisit, type Visit } from './visits.ts';

/** Flags of the environment whose answers are not read: about 2 MB for a server-side SDK. */
const LARGE = Array.from({ length: 3_000 }, (_, n) => simpleFlag(`flag-${n}`));

/** Maximum number of sessions that are named as the possible cause of a problem. */
const SUSPECTS = 8;

/** Number of concurrent sessions. */
const LANES = 32;

/** Options of the sessions. */
export interface VisitorsOptions {
  readonly seed: number;
  /** Minimum number of inputs. The last session is completed. */
  readonly inputs: number;
  /** Number of the first session. */
  readonly from: number;
}

/** Prepares sessions with a service, one after another in each lane. */
export function createVisitors(service: Service, workspace: Workspace, options: VisitorsOptions, problems: Problems) {
  const sent = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const underWay = new Map<number, Visit>();
  let next = options.from;
  let large: Promise<Workspace> | undefined;
  const inputs = () => Object.values(sent).reduce((sum, count) => sum + count, 0);

  async function nextVisit(): Promise<Visit> {
    const visit = makeVisit(options.seed, next++, workspace);
    // API Gateway buffers answers, so unread answers do not reach the service.
    if (visit.kind !== 'unread' || service.name === 'gateway') return visit;
    large ??= Workspace.create(service.target, flagDocuments(...LARGE));
    return makeVisit(options.seed, visit.number, await large);
  }

  async function runVisit(visit: Visit): Promise<void> {
    const { number, kind } = visit;
    sent[kind] += visit.inputs;
    underWay.set(number, visit);
    const problem = await deliver(service.port, visit);
    underWay.delete(number);
    if (problem && service.process.isRunning) problems.add(`${problem} (session ${number}, ${kind})`);
  }

  return {
    /** Number of inputs by kind. */
    sent,
    inputs,
    /** Number of completed sessions. */
    visits: () => next - options.from - underWay.size,
    /** The oldest open sessions, which may be the cause of a problem. */
    suspects: () =>
      [...underWay.values()]
        .slice(0, SUSPECTS)
        .map(({ number, kind }) => `${number} ${kind}`)
        .join(', '),
    /**
     * Runs all sessions until the signal.
     *
     * @param mayContinue resolves when the next session may start
     */
    async run(signal: AbortSignal, mayContinue: () => Promise<void>): Promise<void> {
      const visitAgain = async () => {
        while (inputs() < options.inputs && !signal.aborted) {
          await mayContinue();
          await runVisit(await nextVisit());
        }
      };
      await Promise.all(Array.from({ length: LANES }, visitAgain));
    },
  };
}
