import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a tool. @returns its output
 *
 * @param missing message if the program is not on the path
 * @param failed message if it fails, before its own output
 * @throws Error with one of these messages
 */
export async function runTool(
  program: string,
  args: readonly string[],
  { missing, failed }: { readonly missing: string; readonly failed: string },
  options: { readonly cwd?: string; readonly timeout?: number } = {},
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024, ...options })).stdout;
  } catch (error) {
    const { code, stdout, stderr, message } = error as Partial<Record<'code' | 'stdout' | 'stderr', string>> & Error;
    throw new Error(code === 'ENOENT' ? missing : `${failed} It said: ${(stderr || stdout || message).trim()}`);
  }
}
