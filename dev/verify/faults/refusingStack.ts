import { expect } from '@jest/globals';
import { type AwsProfile, awsProfiles } from '../../emulator/awsProfiles.ts';
import type { LocalOptions } from '../../emulator/emulator.ts';
import { HandshakeError, RawSocket, type Received } from '../../support/rawSocket.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

/** The stacks on an emulator that refuses, and what it said in its log. */
interface RefusingStack extends EmulatedStack {
  readonly log: readonly string[];
}

/** Starts a stack with short retries of queues and streams. @param aws differences from AWS's default quotas */
export async function startRefusing(
  templates: LocalOptions['templates'],
  aws: Partial<AwsProfile> = {},
): Promise<RefusingStack> {
  const log: string[] = [];
  const options = { aws: { ...awsProfiles.default, ...aws }, backOff: () => 50, log: (line: string) => log.push(line) };
  return { ...(await startStack(templates, options)), log };
}

/** Expects API Gateway's own error message for a route without an answer. SDKs ignore it. */
export function expectErrorFrame(received: Received, message: string): void {
  expect(received).toEqual({ message, connectionId: expect.any(String), requestId: expect.any(String) });
}

/** Connects, again and again while the authorizer is throttled. @throws {HandshakeError} for another status than 500 */
export async function openUntilAccepted(url: string): Promise<RawSocket> {
  for (;;) {
    try {
      return await RawSocket.open(url);
    } catch (error) {
      if (!(error instanceof HandshakeError) || error.status !== 500) throw error;
    }
  }
}

/** Asks for data until there is an answer. @returns it, and how often API Gateway sent an error in its place */
export async function syncUntilAnswered(socket: RawSocket, data: unknown) {
  for (let refused = 0; ; refused += 1) {
    const answer = await socket.sync(data);
    if (answer.messageType !== undefined) return { answer, refused };
    expectErrorFrame(answer, 'Internal server error');
  }
}
