import { setTimeout as sleep } from 'node:timers/promises';
import type { Effects } from '../../../shared/runtime/effects.ts';
import {
  HOST_LEASE_MS,
  type HostProcess,
  type HostReport,
  type HostReports,
} from '../../../shared/store/connections/hostReports.ts';
import { isAccessDenied } from '../../../shared/store/table/permission.ts';
import { HostConfigError } from '../settings/config.ts';
import { createHostNote, type HostNoteDeps } from './hostNote.ts';

/** How often reports are compared with what was written, in milliseconds. A change of versions is written then. */
const TICK_MS = 1_000;

/** After which time a change of the number of connections is written, or a lease without connections ends, in milliseconds. */
const COUNT_MS = 5_000;

/** After which time a report is written without a change, in milliseconds. Two renewals may fail. */
const RENEWAL_MS = HOST_LEASE_MS / 3;

/** How long the first data-sync waits for the lease, in milliseconds. */
const LEASE_WAIT_MS = 1_000;

/** The report of an environment whose connections are yet to come. */
const NO_CONNECTIONS: HostReport = { open: 0, servedTo: 0, served: 0, newest: 0, behind: 0, rounds: [] };

/** Dependencies of the reports. */
export interface PushReportsDeps extends HostNoteDeps {
  /** Opens the table. @returns undefined if its name is not known */
  readonly open: () => Promise<HostReports | undefined>;
  /** How far the connections of an environment are. Undefined without connections. */
  readonly report: (envId: string) => HostReport | undefined;
  readonly effects: Pick<Effects, 'now' | 'monotonic' | 'uuid'>;
}

/** The lease of an environment. */
interface Lease {
  process: HostProcess;
  /** The end of the lease by the wall clock, once it was written. */
  until?: number;
  written?: HostReport;
  /** When it was last written, or tried, on the monotonic clock. */
  triedAt: number;
  /** The write or removal in progress. */
  work?: Promise<void>;
  isEnding?: boolean;
}

/**
 * Reports to the connections table how far changes were pushed, for receipts. Each environment with connections has a
 * report, which is also a lease: it is written before the first data-sync is answered. A report is written at most once
 * a second. If the table refuses it, the host notes itself in the flags table, serves nevertheless, and tries again. Receipts do not
 * know a host that serves while both tables refuse.
 */
export class PushReports {
  readonly #deps: PushReportsDeps;
  readonly #note: ReturnType<typeof createHostNote>;
  readonly #leases = new Map<string, Lease>();
  readonly #stop = new AbortController();
  #table: Promise<HostReports | undefined> | undefined;
  /** Whether the connections table has taken a write. */
  #isTaken = false;

  constructor(deps: PushReportsDeps) {
    this.#deps = deps;
    this.#note = createHostNote(deps);
  }

  /** Number of environments with connections, but without a lease. */
  get unreported(): number {
    const now = this.#deps.effects.now();
    return [...this.#leases.values()].filter(({ until = 0 }) => until <= now).length;
  }

  /**
   * Takes the lease of an environment before its first data-sync is answered.
   *
   * @returns undefined if there is nothing to wait for; otherwise, a promise that takes a second at most
   */
  admit(envId: string): Promise<void> | undefined {
    const lease = this.#leases.get(envId);
    if (lease?.isEnding) return this.#soon(lease.work).then(() => this.#take(envId, lease));
    if (!lease) return this.#take(envId);
    return lease.until === undefined && (lease.work || !this.#note.isWritten()) ? this.#known(lease) : undefined;
  }

  /** Waits until receipts know of a lease's connections, or of this host, two seconds at most. */
  async #known(lease: Lease): Promise<void> {
    await this.#soon(lease.work);
    if (lease.until === undefined) await this.#updateNote();
  }

  /** @param former a lease that ends, and may take longer for it */
  #take(envId: string, former?: Lease): Promise<void> | undefined {
    if (this.#leases.get(envId) !== former && this.#leases.has(envId)) return this.admit(envId);
    const taken: Lease = { process: this.#deps.process, triedAt: Number.NEGATIVE_INFINITY };
    this.#leases.set(envId, taken);
    this.#write(envId, taken, this.#deps.report(envId) ?? NO_CONNECTIONS);
    return this.#known(taken);
  }

  /** Notes the host, until the connections table takes a write. @throws {HostConfigError} if it has no permission for it */
  async begin(): Promise<void> {
    const error = await this.#updateNote();
    if (!isAccessDenied(error)) return;
    const permission = 'dynamodb:PutItem and dynamodb:DeleteItem on items HOSTS of the flags table';
    throw new HostConfigError(`receipts cannot know this host: allow it ${permission}`, { cause: error });
  }

  /** Removes the reports of an earlier process with the same id. Call it once, at the start. */
  async clear(environments: readonly string[]): Promise<void> {
    try {
      const table = await this.#open();
      for (const envId of environments) await table?.removeFormer(envId, this.#deps.process);
      if (table) this.#isTaken = true;
      await this.#updateNote();
    } catch (error) {
      this.#deps.onFailed(error);
    }
  }

  /** Writes reports until it is stopped. */
  async watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(TICK_MS, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) this.tick();
    }
  }

  /** Writes the reports that have changed, or whose lease is to be renewed. */
  tick(): void {
    void this.#updateNote();
    for (const [envId, lease] of this.#leases) {
      if (lease.work) continue;
      const report = this.#deps.report(envId);
      const age = this.#deps.effects.monotonic() - lease.triedAt;
      if (!report) {
        if (age >= COUNT_MS) this.#end(envId, lease);
      } else if (age >= RENEWAL_MS || isDue(report, lease.written, age)) this.#write(envId, lease, report);
    }
  }

  /** Removes the reports. Call it when all connections are closed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.settled();
    for (const [envId, lease] of this.#leases) if (!lease.isEnding) this.#end(envId, lease);
    await this.settled();
    this.#isTaken = true;
    await this.#updateNote();
  }

  /** Waits for the writes in progress, a second at most. */
  async settled(): Promise<void> {
    await Promise.all([this.#note, ...this.#leases.values()].map(({ work }) => this.#soon(work)));
  }

  #write(envId: string, lease: Lease, report: HostReport): void {
    const { effects, onFailed } = this.#deps;
    lease.triedAt = effects.monotonic();
    const write = async () => {
      const table = await this.#open();
      if (!table) return;
      const until = await table.write(envId, lease.process, report, lease.until === undefined);
      // Two processes with one id would hide each other.
      if (until === undefined) {
        lease.process = { ...lease.process, id: `${lease.process.id}-${effects.uuid()}` };
        lease.triedAt = Number.NEGATIVE_INFINITY;
      }
      Object.assign(lease, { until, written: until && report });
      this.#isTaken = true;
      // A host that is killed soon would stay unknown by its note.
      void this.#updateNote();
    };
    lease.work = write()
      .catch(onFailed)
      .finally(() => {
        delete lease.work;
      });
  }

  /** Notes the host while receipts may miss its connections. @returns the error if it failed */
  #updateNote(): Promise<unknown> {
    return this.#note.update(!this.#isTaken || this.unreported > 0);
  }

  #end(envId: string, lease: Lease): void {
    const { until, process } = lease;
    lease.isEnding = true;
    const remove = async () => {
      if (until !== undefined) await (await this.#open())?.remove(envId, process, until);
    };
    lease.work = remove()
      .catch(this.#deps.onFailed)
      .finally(() => {
        if (this.#leases.get(envId) === lease) this.#leases.delete(envId);
      });
  }

  /** The table, once its name is known. */
  #open(): Promise<HostReports | undefined> {
    this.#table ??= this.#deps.open().then(
      (table) => {
        if (!table) this.#table = undefined;
        return table;
      },
      (error) => {
        this.#table = undefined;
        throw error;
      },
    );
    return this.#table;
  }

  /** Waits for work, at most {@link LEASE_WAIT_MS}. */
  async #soon(work: Promise<unknown> | undefined): Promise<void> {
    if (!work) return;
    const end = new AbortController();
    await Promise.race([work, sleep(LEASE_WAIT_MS, undefined, { signal: end.signal, ref: false }).catch(() => {})]);
    end.abort();
  }
}

/** Whether a report differs from the written one so that it is written before its renewal. */
function isDue(report: HostReport, written: HostReport | undefined, ageMs: number): boolean {
  if (!written) return ageMs >= COUNT_MS;
  const { servedTo, newest, open, served, behind } = report;
  if (servedTo > written.servedTo || newest > written.newest) return true;
  const isCounted = open === written.open && served === written.served && behind === written.behind;
  return !isCounted && ageMs >= COUNT_MS;
}
