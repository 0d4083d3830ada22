import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { bundleHost } from '../../bundles.ts';

const files = join(import.meta.dirname, 'files');

/** The archive with the files of an instance. */
export interface HostArchive {
  readonly path: string;
  /** Its SHA-256 in hexadecimal digits, which the instance checks before it unpacks anything. */
  readonly sha256: string;
}

/**
 * Packs the host as one bundle with Bun, its unit, settings and install script. The same sources result in the same archive, so that an
 * instance is replaced only if one of its files changes.
 *
 * @param bunBinary Bun's program for the instance
 * @param directory target folder of the archive
 */
export function packHost(bunBinary: string, directory: string): HostArchive {
  const contents = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
  try {
    bundleHost(join(contents, 'host.js'));
    cpSync(files, contents, { recursive: true });
    cpSync(bunBinary, join(contents, 'bun'));
    mkdirSync(directory, { recursive: true });
    const path = join(directory, 'flagwire-host.tar.gz');
    const names = readdirSync(contents).sort();
    create({ file: path, cwd: contents, gzip: { level: 6 }, portable: true, mtime: new Date(0), sync: true }, names);
    return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  } finally {
    rmSync(contents, { recursive: true });
  }
}
