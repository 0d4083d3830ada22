import { flagDocuments, simpleFlag, Workspace } from '../../conformance/workspace.ts';
import type { Problems } from '../part.ts';
import type { Service } from '../service.ts';
import { deliver } from './deliver.ts';
import { KINDS, type Kind, makeVisit, type Visit } from './visits.ts';

/** Flags of the environment whose answers are not read: about 2 MB for a server-side SDK. */
const LARGE = Array.from({ length: 3_000 }, (_, n) => simpleFlag(`flag-${n}`));

/** Maximum number of sessions that are named as the possible cause of a problem. */
const SUSPECTS = 8;

/** Options of the sessions. */
export interface VisitorsOptions {
  readonly seed: number;
  /** Minimum number of inputs. The last session is completed. */
  readonly inputs: number;
  /** Number of the first session. */
  readonly from: number;
  /** Number of concurrent sessions. */
  readonly lanes: number;
}

/** Runs sessions with a service, one after another in each lane. */
export class Visitors {
  /** Number of inputs by kind. */
  readonly sent = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  readonly #service: Service;
  readonly #workspace: Workspace;
  readonly #options: VisitorsOptions;
  readonly #problems: Problems;
  readonly #underWay = new Map<number, Visit>();
  #next: number;
  #large: Promise<Workspace> | undefined;
  visits = 0;

  constructor(service: Service, workspace: Workspace, options: VisitorsOptions, problems: Problems) {
    this.#service = service;
    this.#workspace = workspace;
    this.#options = options;
    this.#problems = problems;
    this.#next = options.from;
  }

  /** Number of inputs so far. */
  get inputs(): number {
    return Object.values(this.sent).reduce((sum, count) => sum + count, 0);
  }

  /** The oldest open sessions, which may be the cause of a problem. */
  get suspects(): string {
    const longest = [...this.#underWay.values()].slice(0, SUSPECTS);
    return longest.map(({ number, kind }) => `${number} ${kind}`).join(', ');
  }

  /**
   * Runs all sessions until the signal.
   *
   * @param mayGoOn resolves when the next session may start
   * @param onVisit called after each session
   */
  async run(signal: AbortSignal, mayGoOn: () => Promise<void>, onVisit: () => void): Promise<void> {
    const { lanes, inputs } = this.#options;
    const visitAgain = async () => {
      while (this.inputs < inputs && !signal.aborted) {
        await mayGoOn();
        await this.#visit(await this.#nextVisit());
        onVisit();
      }
    };
    await Promise.all(Array.from({ length: lanes }, visitAgain));
  }

  async #nextVisit(): Promise<Visit> {
    const { seed } = this.#options;
    const visit = makeVisit(seed, this.#next++, this.#workspace);
    // API Gateway buffers answers, so unread answers do not reach the service.
    if (visit.kind !== 'unread' || this.#service.name === 'gateway') return visit;
    this.#large ??= Workspace.create(this.#service.target, flagDocuments(...LARGE));
    return makeVisit(seed, visit.number, await this.#large);
  }

  async #visit(visit: Visit): Promise<void> {
    const { number, kind, connections = 1 } = visit;
    this.sent[kind] += visit.inputs;
    this.#underWay.set(number, visit);
    const problems = await Promise.all(Array.from({ length: connections }, () => deliver(this.#service.port, visit)));
    this.#underWay.delete(number);
    this.visits++;
    const problem = problems.find((each) => each !== undefined);
    if (problem && this.#service.process.isRunning) this.#problems.add(`${problem} (session ${number}, ${kind})`);
  }
}
