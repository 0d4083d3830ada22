import { CURVES } from '../../../cost/model/workload/curve.ts';
import { parseWorkload, type Workload, type WorkloadInput } from '../../../cost/model/workload/workload.ts';
import { REGIONS } from '../../../cost/prices/sheets.ts';
import { FREE_TIERS } from '../../../cost/prices/tiers.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';

/** The settings of the cost view: a workload as flat fields with one kind of clients and one of servers. */
export interface Controls extends Omit<Workload, 'sdks' | 'curve'> {
  readonly clientPing: number;
  readonly serverPing: number;
  /** Percent of the connections that are servers'. */
  readonly serverShare: number;
  /** A name, or 24 shares with commas. */
  readonly curve: string;
}

/** The controls of a workload. Several kinds of clients or servers become one with as many pings. */
export function controlsOf(workload: Workload): Controls {
  const { sdks, curve, connections, newPerHour, ...rest } = workload;
  const share = (type: 'client' | 'server') =>
    sdks.filter((sdk) => sdk.type === type).reduce((sum, sdk) => sum + sdk.share, 0);
  const ping = (type: 'client' | 'server') => {
    const rate = sdks.filter((sdk) => sdk.type === type).reduce((sum, sdk) => sum + sdk.share / sdk.pingSeconds, 0);
    return rate > 0 ? round(share(type) / rate) : undefined;
  };
  const [name] = Object.entries(CURVES).find(([, shares]) => shares.every((each, hour) => each === curve[hour])) ?? [];
  return {
    connections,
    clientPing: ping('client') ?? SDK_PING_SECONDS,
    newPerHour,
    curve: name ?? curve.join(','),
    serverShare: round(share('server') * 100),
    serverPing: ping('server') ?? 10,
    ...rest,
    // Rounded down: a month has a maximum.
    days: Math.floor(rest.days * 1e8) / 1e8,
  };
}

/** The workload of the controls; not yet validated. */
export function workloadOf(controls: Controls): WorkloadInput {
  const { clientPing, serverPing, serverShare, curve, ...rest } = controls;
  const servers = serverShare / 100;
  const sdks = [
    { share: 1 - servers, pingSeconds: clientPing, type: 'client' as const },
    { share: servers, pingSeconds: serverPing, type: 'server' as const },
  ].filter(({ share }) => share > 0);
  return { ...rest, sdks, curve: curve.includes(',') ? curve.split(',').map(Number) : curve } as WorkloadInput;
}

/** Adds new connections in proportion to a changed number of connections, as the chart and the command line do. */
export function withStarts({ connections, newPerHour }: Controls, part: Partial<Controls>): Partial<Controls> {
  if (part.connections === undefined || part.newPerHour !== undefined || connections === 0) return part;
  return { ...part, newPerHour: round((newPerHour * part.connections) / connections) };
}

/** The controls of the default workload. They define the order and the types of a query's values. */
const DEFAULTS = controlsOf(parseWorkload({}));

/** The values of choices. */
const CHOICES: Readonly<Partial<Record<keyof Controls, readonly string[]>>> = {
  region: REGIONS,
  servers: ['always', 'hourly'],
  credits: ['standard', 'unlimited'],
  freeTier: FREE_TIERS,
};

/** Writes controls as the query of an address. */
export function writeControls(controls: Partial<Controls>): string {
  const names = (Object.keys(DEFAULTS) as (keyof Controls)[]).filter((name) => controls[name] !== undefined);
  return new URLSearchParams(names.map((name): [string, string] => [name, String(controls[name])])).toString();
}

/** Reads the query of an address. Ignores unknown names and invalid values. */
export function readControls(query: string): Partial<Controls> {
  const texts = new URLSearchParams(query);
  return Object.fromEntries(
    Object.entries(DEFAULTS).flatMap(([name, value]) => {
      const text = texts.get(name);
      const read = text === null ? undefined : readControl(name as keyof Controls, text, value);
      return read === undefined ? [] : [[name, read]];
    }),
  );
}

/** @returns undefined for an invalid value */
function readControl(
  name: keyof Controls,
  text: string,
  value: Controls[keyof Controls],
): Controls[keyof Controls] | undefined {
  if (typeof value === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (typeof value === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  if (name === 'curve') return text in CURVES || isShares(text) ? text : undefined;
  return CHOICES[name]?.includes(text) ? text : undefined;
}

function isShares(text: string): boolean {
  const shares = text.split(',').map(Number);
  return shares.length === 24 && shares.every((share) => share >= 0 && share <= 1);
}

/** The reason why controls are invalid, with the invalid control if it is one. */
export interface ControlProblem {
  readonly name?: keyof Controls;
  readonly text: string;
}

/** Finds the control that an error of {@link parseWorkload} is about. */
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

/** Ten digits: short enough for a field, and exact to the cent. */
function round(value: number): number {
  return Number(value.toPrecision(10));
}
