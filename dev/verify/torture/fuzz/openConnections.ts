import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * How many TCP connections a process has open at a port that it listens on, besides those to itself, as the functions of
 * the gateway have them. NaN where there is no /proc.
 */
export function openConnections(pid: number, port: number): number {
  try {
    const own = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => readInode(`/proc/${pid}/fd/${fd}`)));
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readSockets).filter(({ inode }) => own.has(inode));
    const addresses = new Set(sockets.map(({ local }) => local));
    return sockets.filter(({ local, remote, state }) => {
      return state !== LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port && !addresses.has(remote);
    }).length;
  } catch {
    return Number.NaN;
  }
}

const LISTENING = '0A';

/** The columns of proc(5) that are used: addresses with their ports, the state, and the inode. */
function readSockets(file: string): { local: string; remote: string; state: string; inode: string }[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local, remote, state, inode };
  });
}

/** The inode of a socket that a process has open. @returns none for another file, or for one that is closed by now */
function readInode(path: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(path)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}
