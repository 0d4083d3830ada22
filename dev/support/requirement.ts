import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { alone } from '../../infra/cacheDirectory.ts';
import { runFolder } from './testRun.ts';

/** A requirement of tests or checks besides Node, which a machine may lack. */
export interface Requirement {
  /** Requirements with the same name are missing together. */
  readonly name: string;
  /** Looks for it, and installs what can be installed. Fails with a message that says what to do. */
  readonly find: () => Promise<unknown>;
}

/** A program on the path. */
export function program(name: string): Requirement {
  const find = async () => {
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    if (!folders.some((folder) => existsSync(join(folder, name))))
      throw new Error(`there is no ${name} on the path: install it`);
  };
  return { name, find };
}

/**
 * Says why a requirement is missing. After a failure, the run does not look for it again.
 *
 * @returns the first sentence of the reason; undefined if the requirement is there
 * @throws the error of {@link Requirement.find} if `CI` is set, where everything is required
 */
export async function whyMissing({ name, find }: Requirement): Promise<string | undefined> {
  if (process.env['CI']) {
    await find();
    return undefined;
  }
  const failure = join(runFolder(), `${name}.missing`);
  let reason: string | undefined;
  await alone(`${failure}.lock`, async () => {
    if (existsSync(failure)) reason = readFileSync(failure, 'utf8');
    else
      await find().catch((error: Error) => {
        [reason = ''] = error.message.split(/\. It said: |\n/, 1);
        if (reason !== error.message) process.stderr.write(`${error.message}\n`);
        writeFileSync(failure, reason);
      });
  });
  return reason;
}
