import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { create } from 'tar';
import { repositoryRoot } from '../bundling.ts';

const files = join(import.meta.dirname, 'files');

/** What is installed on an instance, in one file. */
export interface HostArchive {
  readonly path: string;
  /** SHA-256 of it in hexadecimal digits, which the instance checks before it unpacks anything. */
  readonly sha256: string;
}

/**
 * Packs the host as one bundle with Node, its unit, settings and install script. The same sources make the same archive,
 * so that an instance is replaced only when something on it changes.
 *
 * @param nodeBinary Node's program for the instance
 * @param directory where the archive goes
 */
export function packHost(nodeBinary: string, directory: string): HostArchive {
  const contents = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
  try {
    buildSync({
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      mainFields: ['module', 'main'],
      sourcemap: 'inline',
      sourcesContent: false,
      absWorkingDir: repositoryRoot,
      entryPoints: ['functions/host/main.ts'],
      outfile: join(contents, 'host.mjs'),
      // Some of what is bundled asks for Node's modules the old way.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'warning',
    });
    cpSync(files, contents, { recursive: true });
    cpSync(nodeBinary, join(contents, 'node'));
    if (!existsSync(directory)) mkdirSync(directory, { recursive: true });
    const path = join(directory, 'flagwire-host.tar.gz');
    const names = [
      'agent.json',
      'flagwire-host.service',
      'host.mjs',
      'install.sh',
      'logrotate.conf',
      'node',
      'sysctl.conf',
    ];
    create({ file: path, cwd: contents, gzip: { level: 6 }, portable: true, mtime: new Date(0), sync: true }, names);
    return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  } finally {
    rmSync(contents, { recursive: true });
  }
}
