import { shorten } from '../../shared/command/textTable.ts';
import type { LiveRun } from '../results/liveRun.ts';
import type { RunResult } from '../results/runResult.ts';
import type { RunFacts } from '../results/schema.ts';
import { countConnections } from '../scenarios/loadProfile.ts';

/** What the operator sees, and how the operator interrupts. */
export interface Control {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Seconds between two lines without a terminal. */
const QUIET_S = 10;

/** Prints progress to stderr: one changing line on a terminal, one line every ten seconds elsewhere. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #saidAt = 0;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** Prints a line. */
  readonly say = (text: string): void => {
    this.#stream.write(`${this.#stream.isTTY ? '\r\u001b[K' : ''}${text}\n`);
  };

  show(facts: Pick<RunFacts, 'scenario' | 'rate' | 'number' | 'plan'>, run: LiveRun): void {
    const now = Date.now();
    if (!this.#stream.isTTY && now - this.#saidAt < QUIET_S * 1_000) return;
    this.#saidAt = now;
    const { startedAt, last, errors } = run.look();
    const elapsed = Math.round((now - Date.parse(startedAt)) / 1_000);
    const parts = [
      `${facts.scenario} ${facts.rate}/s, run ${facts.number}`,
      `${elapsed} of about ${Math.round(facts.plan.durationS)} s`,
      ...(last
        ? [`${(now / 1_000 - last.at).toFixed(1)} s ago ${last.open} open`, `${last.began} new/s`]
        : ['starting']),
      ...(last?.syncP99 !== undefined ? [`sync P99 ${last.syncP99.toFixed(1)} ms`] : []),
      ...(last?.replyP99 !== undefined ? [`reply P99 ${last.replyP99.toFixed(1)} ms`] : []),
      ...(last?.serverCpu !== undefined ? [`server CPU ${Math.round(last.serverCpu * 100)} %`] : []),
      `${errors} errors`,
    ];
    const line = parts.join(' · ');
    // A line that wraps stays above the next one, because only its last row can be replaced.
    if (this.#stream.isTTY) this.#stream.write(`\r\u001b[K${shorten(line, (this.#stream.columns || 80) - 1)}`);
    else this.#stream.write(`${line}\n`);
  }
}

/** A run in one line. A connection may request several data-syncs: for another user, and after a reconnect. */
export function describeRun({ facts, times, errorPercent, counts, partial, invalid, server }: RunResult): string {
  const { sync, push } = times;
  const ms = (value: number) => `${Number(value.toPrecision(3))} ms`;
  const parts = [
    `${facts.scenario} ${facts.rate}/s, run ${facts.number}`,
    `${counts['began'] ?? 0} of ${Math.round(countConnections(facts.plan))} connections`,
    `${counts['syncs answered'] ?? 0} of ${counts['syncs sent'] ?? 0} data-syncs answered`,
    ...(sync ? [`mean ${ms(sync.mean)}, P95 ${ms(sync.p95)}, P99 ${ms(sync.p99)}`] : []),
    ...(push ? [`push P99 ${ms(push.p99)}`] : []),
    `errors ${Number(errorPercent.toPrecision(3))} %`,
    ...(server ? [`CPU ${Math.round(server.cpuRamp * 100)} % / ${Math.round(server.cpuHold * 100)} %`] : []),
    ...(partial !== undefined ? [`PARTIAL: ${partial}`] : []),
    ...invalid.map((why) => `INVALID: ${why}`),
  ];
  return parts.join(' · ');
}
