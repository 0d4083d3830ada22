import { LEVER_NAMES, type LeverName } from '../../cost/model/report/levers.ts';
import { CURVES } from '../../cost/model/workload/curve.ts';
import { PERIODS, type Period } from '../../cost/model/workload/figures.ts';
import type { Workload, WorkloadInput } from '../../cost/model/workload/workload.ts';
import { REGIONS } from '../../cost/prices/sheets.ts';
import { FREE_TIERS } from '../../cost/prices/tiers.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';

/** The page's settings: a workload in flat fields, with one kind of browsers and one of servers; levers; and the period of costs. */
export interface Controls {
  connections: number;
  clientPing: number;
  serverPing: number;
  /** Percent of the connections that are servers'. */
  serverShare: number;
  newPerHour: number;
  /** A name, or 24 shares with commas. */
  curve: string;
  days: number;
  flags: number;
  flagBytes: number;
  changesPerDay: number;
  eventsPerHour: number;
  messagesPerHour: number;
  environments: number;
  requestQuota: number;
  connectQuota: number;
  pollIntervalMs: number;
  fastPollSeconds: number;
  region: string;
  servers: string;
  credits: string;
  freeTier: string;
  accessLogs: boolean;
  tls: boolean;
  any: boolean;
  /** Names of levers that are set, with commas. */
  levers: string;
  period: Period;
}

/** The controls that a workload with levers amounts to, by month. */
export function controlsOf(workload: Workload, levers: readonly LeverName[] = []): Controls {
  const { sdks, curve, connections, newPerHour, ...rest } = workload;
  const share = (type: 'client' | 'server') =>
    sdks.filter((sdk) => sdk.type === type).reduce((sum, sdk) => sum + sdk.share, 0);
  // Pings an hour add up, and not the times between them.
  const ping = (type: 'client' | 'server') => {
    const rate = sdks.filter((sdk) => sdk.type === type).reduce((sum, sdk) => sum + sdk.share / sdk.pingSeconds, 0);
    return rate > 0 ? round(share(type) / rate) : undefined;
  };
  const [name] = Object.entries(CURVES).find(([, shares]) => shares.every((each, hour) => each === curve[hour])) ?? [];
  const { region, servers, credits, freeTier, accessLogs, tls, days, ...numbers } = rest;
  return {
    connections,
    clientPing: ping('client') ?? SDK_PING_SECONDS,
    newPerHour,
    curve: name ?? curve.join(','),
    serverShare: round(share('server') * 100),
    serverPing: ping('server') ?? 10,
    ...numbers,
    // Down, since no more than a month's are taken.
    days: Math.floor(days * 1e8) / 1e8,
    region,
    servers,
    credits,
    freeTier,
    accessLogs,
    tls,
    levers: levers.join(),
    period: 'month',
  };
}

/** The workload of the controls, without levers; not yet validated. */
export function workloadOf(controls: Controls): WorkloadInput {
  const { clientPing, serverPing, serverShare, curve, levers: _, period: __, ...rest } = controls;
  const servers = serverShare / 100;
  const sdks = [
    { share: 1 - servers, pingSeconds: clientPing, type: 'client' as const },
    { share: servers, pingSeconds: serverPing, type: 'server' as const },
  ].filter(({ share }) => share > 0);
  return { ...rest, sdks, curve: curve.includes(',') ? curve.split(',').map(Number) : curve } as WorkloadInput;
}

/** The levers of the controls. */
export function leversOf({ levers }: Pick<Controls, 'levers'>): LeverName[] {
  const said = levers.split(',');
  return LEVER_NAMES.filter((name) => said.includes(name));
}

/** The changes, with new connections in proportion to those held: the chart and the command line do the same. */
export function withStarts({ connections, newPerHour }: Controls, part: Partial<Controls>): Partial<Controls> {
  if (part.connections === undefined || part.newPerHour !== undefined || connections === 0) return part;
  return { ...part, newPerHour: round((newPerHour * part.connections) / connections) };
}

/** The values of choices. */
const CHOICES: Readonly<Partial<Record<keyof Controls, readonly string[]>>> = {
  region: REGIONS,
  servers: ['always', 'hourly'],
  credits: ['standard', 'unlimited'],
  freeTier: FREE_TIERS,
  period: Object.keys(PERIODS),
};

/** The controls that differ from the defaults, as the fragment of an address; all of them without defaults. */
export function toFragment(controls: Controls, defaults: Partial<Controls> = {}): string {
  const said = Object.entries(controls).filter(([name, value]) => value !== defaults[name as keyof Controls]);
  return new URLSearchParams(Object.fromEntries(said.map(([name, value]) => [name, String(value)]))).toString();
}

/** The controls of an address; what is missing or invalid there has its default. */
export function fromFragment(fragment: string, defaults: Controls): Controls {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  const entries = Object.entries(defaults).map(([name, value]) => {
    const text = said.get(name);
    return [name, text === null ? value : (read(name as keyof Controls, text, value) ?? value)];
  });
  return Object.fromEntries(entries);
}

/** @returns undefined for a value that the control does not have */
function read(
  name: keyof Controls,
  text: string,
  value: Controls[keyof Controls],
): Controls[keyof Controls] | undefined {
  if (typeof value === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (typeof value === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  if (name === 'levers') return leversOf({ levers: text }).join();
  if (name === 'curve') return text in CURVES || isShares(text) ? text : undefined;
  return CHOICES[name]?.includes(text) ? text : undefined;
}

function isShares(text: string): boolean {
  const shares = text.split(',').map(Number);
  return shares.length === 24 && shares.every((share) => share >= 0 && share <= 1);
}

/** Why the controls are not a valid workload, and which control it is. */
export interface ControlProblem {
  readonly name?: keyof Controls;
  readonly text: string;
}

/**
 * The error of a workload that is not valid, in the page's words.
 *
 * @param message as parseWorkload has it: a path, the value, why
 * @returns the control it is about, where it is about one
 */
export function problemOf(message: string, { serverShare }: Controls): ControlProblem {
  const [, index, what] = /^sdks(?:\.(\d)\.(\w+))?/.exec(message) ?? [];
  const reason = message.replace(/^[^ ]+ is not valid: /, '');
  if (message.startsWith('sdks')) {
    const isServer = serverShare >= 100 || index === '1';
    if (what === 'pingSeconds') return { name: isServer ? 'serverPing' : 'clientPing', text: reason };
    return { name: 'serverShare', text: 'it must be between 0 and 100 percent' };
  }
  const [name] = /^\w+(?==)/.exec(message) ?? [];
  return name ? { name: name as keyof Controls, text: reason } : { text: message };
}

/** Short enough for a field, and to the cent all the same. */
function round(value: number): number {
  return Number(value.toPrecision(10));
}
