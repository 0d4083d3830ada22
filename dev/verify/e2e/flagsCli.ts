import { ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import type { Deployment } from './deployment.ts';

/** The flags CLI as an operator runs it, on a deployment's table. @returns what it writes with `--json` */
export async function flagsCli({ emulator, outputs }: Deployment, ...args: string[]): Promise<unknown> {
  const cli = new RunningProcess(ofRepository('cli/main.ts', [...args, '--json']), {
    environment: { ...emulator.environment, FLAGS_TABLE: outputs['FlagsTableName'] },
    stderr: 'inherit',
  });
  const code = await cli.ended;
  if (code !== 0) throw new Error(`npm run flags -- ${args.join(' ')} ended with ${code}: ${cli.output}`);
  return JSON.parse(cli.output);
}
