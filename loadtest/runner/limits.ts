import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { WrongArguments } from './outcome.ts';

/** Files that an artillery process has open in addition to its connections. */
const OWN_FILES = 500;

/** New connections a second that one artillery process opens evenly: its timers have a resolution of 1 ms. */
const RATE_OF_ONE = 600;

/** Limits of this machine. */
interface Limits {
  /** Files that one process may open. */
  readonly files: number;
  /** Ports for connections towards one address. */
  readonly ports: number;
}

/** Linux's range of local ports. */
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
const MAC_RANGE = ['-n', 'net.inet.ip.portrange.first', 'net.inet.ip.portrange.last'];

/** Reads the machine's limits. An unknown number of files counts as large, and an unknown number of ports as that of a Mac. */
export function readLimits(): Limits {
  // Names of open connections would be looked up.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { hard: number | string } } };
  // Node raises its own limit to the hard one.
  const files = Number(userLimits?.open_files.hard);
  const sysctl = () => spawnSync('sysctl', MAC_RANGE, { encoding: 'utf8' }).stdout ?? '';
  const range = existsSync(RANGE) ? readFileSync(RANGE, 'utf8') : sysctl();
  const [low = Number.NaN, high = Number.NaN] = range.trim().split(/\s+/).map(Number);
  return {
    files: Number.isFinite(files) ? files : 1_000_000,
    ports: Number.isFinite(high - low) ? high - low + 1 : 16_384,
  };
}

/**
 * The number of artillery processes that a load needs.
 *
 * @param addresses number of addresses to connect to, in turn
 * @throws {WrongArguments} if there are not enough ports
 */
export function workersFor(peak: number, rate: number, addresses: number, limits: Limits): number {
  if (peak > limits.ports * addresses) {
    throw new WrongArguments(
      `${peak} connections need more ports than this machine has for ${addresses} address(es): ${limits.ports} each. ` +
        'Widen the range (Linux: net.ipv4.ip_local_port_range; Mac: net.inet.ip.portrange.first), or lower the rate.',
    );
  }
  return Math.max(Math.ceil(peak / (limits.files - OWN_FILES)), Math.ceil(rate / RATE_OF_ONE));
}
