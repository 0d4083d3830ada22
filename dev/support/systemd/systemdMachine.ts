import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, RunningProcess } from '../runningProcess.ts';

const BOOT = join(import.meta.dirname, 'boot.sh');

/** Required programs besides util-linux. */
const PROGRAMS = ['/lib/systemd/systemd', '/usr/sbin/logrotate'];

/** The namespaces that boot.sh makes, as `nsenter` calls them. */
const NAMESPACES = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--root', '--wd'];

/** The result of a command. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
}

/** A real systemd with its own root, which starts services as a machine does. Its changes are removed with it. */
export class SystemdMachine extends RunningProcess {
  readonly #directory: string;

  private constructor(directory: string, files: string, settings: readonly string[]) {
    // It ends even with a parent that is killed.
    super(['setpriv', '--pdeathsig', 'TERM', BOOT, directory, files, ...settings], {
      environment: cleanEnvironment(),
      exitSignal: 'SIGTERM',
    });
    this.#directory = directory;
  }

  /** Checks whether one can be started here. @throws Error with the reason if none can */
  static async check(): Promise<void> {
    if (process.platform !== 'linux') throw new Error(`systemd is not started on ${process.platform}: it needs Linux`);
    if (process.getuid?.() !== 0) throw new Error('only root may boot systemd in namespaces');
    const missing = PROGRAMS.find((program) => !existsSync(program));
    if (missing) throw new Error(`there is no ${missing}: install systemd and logrotate (apt-get install)`);
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-systemd-'));
    try {
      const environment = { ...cleanEnvironment(), PROBE: '1' };
      const { status, stderr } = spawnSync(BOOT, [directory, directory], { env: environment, encoding: 'utf8' });
      if (status !== 0) throw new Error(`namespaces cannot be made: ${stderr.trim()}`);
    } finally {
      rmdirSync(directory);
    }
  }

  /**
   * Boots one, and waits until it has started all that it starts.
   *
   * @param files folder whose contents are put over the root of this machine
   * @param settings kernel settings that may be written there, e.g. `vm.swappiness`; they are not the kernel's
   */
  static async start(files: string, settings: readonly string[] = []): Promise<SystemdMachine> {
    const machine = new SystemdMachine(mkdtempSync(join(tmpdir(), 'flagwire-systemd-')), files, settings);
    try {
      await machine.ready(async () => (await machine.run('systemctl', 'is-system-running')).output === 'running\n');
      return machine;
    } catch (error) {
      const { output } = await machine.run('systemctl', '--no-pager', '--failed');
      await machine.close();
      throw new Error(output, { cause: error });
    }
  }

  /** Runs a program there to its end, as root. */
  async run(...command: readonly string[]): Promise<CommandResult> {
    const program = new RunningProcess(
      ['nsenter', '--target', String(this.#systemd()), ...NAMESPACES, '--', ...command],
      { environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } },
    );
    const exitCode = await program.ended;
    return { exitCode, output: program.output };
  }

  /** @returns a file's text @throws Error with what `cat` said where it cannot be read */
  async read(path: string): Promise<string> {
    const { exitCode, output } = await this.run('cat', path);
    if (exitCode !== 0) throw new Error(output);
    return output;
  }

  /** Switches it off. */
  async close(): Promise<void> {
    await this.stop('SIGTERM');
    rmdirSync(this.#directory);
  }

  /** The first process of the machine, by its number here: boot.sh waits for unshare, whose only child it is. */
  #systemd(): number {
    const child = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    return child(child(this.pid));
  }
}
