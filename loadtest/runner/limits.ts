import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** Reads the machine's limits. An unknown number of files counts as large, and an unknown number of ports as that of a Mac. */
export function readLimits(): Limits {
  // Node raises its own limit to the hard one.
  const [, hard = run('sh', '-c', 'ulimit -Hn')] =
    /^Max open files\s+\S+\s+(\S+)/m.exec(tryTo(() => readFileSync('/proc/self/limits', 'utf8'))) ?? [];
  const mac = ['-n', 'net.inet.ip.portrange.first', 'net.inet.ip.portrange.last'];
  const range = tryTo(() => readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')) || run('sysctl', ...mac);
  const [low = Number.NaN, high = Number.NaN] = range.trim().split(/\s+/).map(Number);
  const files = Number(hard || Number.NaN);
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

function run(command: string, ...args: readonly string[]): string {
  return tryTo(() => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
}

/** The text that `read` returns, or an empty text if it fails. */
function tryTo(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
