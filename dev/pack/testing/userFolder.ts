import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import { ofRepository } from '../../support/runningProcess.ts';

/** The oldest Node that the packages support. */
export const OLDEST_NODE = '20.19.0';
export const INSTALL_MS = 300_000;

/** Without what npm says to scripts of this repository, such as which folder is the package's. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|config_(local|global)_prefix)|INIT_CWD|AWS_|CDK_|FLAG|HOST|NODE_)/.test(name),
  ),
);

/** An empty folder in which a new user installs packages. */
export class UserFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'flagwire-package-'));

  constructor() {
    this.write('package.json', JSON.stringify({ private: true, allowScripts: { node: true } }));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Runs a command to its end. @returns what it printed, and its exit code */
  async run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
    const options = { cwd: this.path, env: environment, maxBuffer: 16 * 1024 * 1024 };
    return promisify(execFile)(program, args, options).then(
      (printed) => ({ ...printed, code: 0 }),
      ({ stdout, stderr, code }) => ({ stdout, stderr, code }),
    );
  }

  /** Runs a command that must succeed. @returns what it printed */
  async mustRun(program: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, ...args);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}\n${stderr}`);
    return stdout;
  }

  async install(...packages: string[]): Promise<void> {
    await this.mustRun('npm', 'install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages);
  }

  /** Makes a package of this repository. @returns its tarball */
  async pack(name: string): Promise<string> {
    const [program = '', ...args] = ofRepository('dev/pack/main.ts', ['--out', this.path]);
    const printed = await this.mustRun(program, ...args);
    for (const folder of ['flagwire', 'flagwire-cdk', 'flagwire-provider'])
      rmSync(join(this.path, folder), { recursive: true });
    const tarball = join(this.path, `${name}-${packageJson.version}.tgz`);
    if (!printed.split('\n').includes(tarball)) throw new Error(`there is no tarball of ${name}: ${printed}`);
    return tarball;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
