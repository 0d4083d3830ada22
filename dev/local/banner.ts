import { PAGE_PATH } from '../../console/api.ts';
import { snippetFor } from '../../console/page/logic/snippets.ts';
import { optionWords, quoteWord } from '../../shared/command/quoteWord.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { ownCommand, silentCommand } from '../../shared/runtime/ownCommand.ts';
import type { AwsProfile } from '../emulator/awsProfiles.ts';
import { describeAccount } from './account.ts';
import { TRY_PATH } from './ownPages.ts';
import type { Seed } from './seed.ts';

/** Content of the banner. */
export interface BannerFacts extends Seed {
  readonly aws: AwsProfile;
  readonly streamingUrl: string;
  readonly httpUrl: string;
  /** The addresses of the front door, if there is one. */
  readonly frontDoor?: Readonly<Record<'streamingUrl' | 'httpUrl', string>> | undefined;
  /** The console's URL with its token. Undefined where the console cannot be reached. */
  readonly consoleUrl: string | undefined;
  /** The address of the console with sign-in, if there is one. */
  readonly signInUrl?: string | undefined;
  /** Address and port by which other machines connect. Undefined where they cannot. */
  readonly network: readonly string[] | undefined;
  /** Further names that clients may use. */
  readonly hostNames: readonly string[];
  /** The path of a shell script with the variables of code in Lambda. */
  readonly lambdaVariables: string;
  /** The data directory, as the user gave it. */
  readonly data: string;
}

/** The text for a new user to see a flag change, on less than a screen. */
export function banner(facts: BannerFacts): string {
  const { keys, consoleUrl, signInUrl, network, lambdaVariables } = facts;
  const width = 17;
  const rows = rowsOf(facts).map(([label, value]) => `  ${label.padEnd(width)}${value}`);
  // A client on another machine can use the address of the network; so can one on this machine.
  const [shared] = network ?? [];
  const httpUrl = shared === undefined ? facts.httpUrl : `http://${shared}`;
  const sdkUrls = facts.frontDoor ?? { streamingUrl: httpUrl.replace(/^http/, 'ws'), httpUrl };
  // With the token, the page can flip the flag.
  const tryUrl = consoleUrl?.replace(PAGE_PATH, TRY_PATH) ?? `${httpUrl}${TRY_PATH}`;
  const nodeSnippet = snippetFor('Node', {
    ...sdkUrls,
    clientKey: keys.client,
    serverKey: keys.server,
    flagKey: facts.flagKey,
    flagType: facts.flagType,
  });
  // A clone has the SDK.
  const { install } = nodeSnippet;
  const runSnippet = globalThis.IN_PACKAGE
    ? `${install} && node flag.mjs`
    : `node flag.mjs\nIn another folder, first run: ${install}`;
  return `
Flagwire is running. Press Ctrl-C to stop it.
${rows.join('\n')}

Node SDK: save this in this folder as flag.mjs, then run: ${runSnippet}

${nodeSnippet.code.replaceAll(/^/gm, '  ')}

Browser SDK: open ${tryUrl}
Lambda code: docs/sdks.md#lambda, with: source ${quoteWord(lambdaVariables)}

Flip the flag in the environment ${facts.environment}, and watch both:
  ${flagCommand(facts)}
  source <(${silentCommand('completion bash')})   # defines flags, a shorter command

Console: ${consoleUrl ?? 'only at 127.0.0.1: start with --host 0.0.0.0'}
${signInUrl ? `Console with sign-in, for everybody on this machine: ${signInUrl}${PAGE_PATH}\n` : ''}`;
}

function rowsOf({ aws, keys, streamingUrl, httpUrl, frontDoor, network, hostNames }: BannerFacts): [string, string][] {
  const { port } = new URL(httpUrl);
  const others = network?.map((at) => `ws://${at}   http://${at}${TRY_PATH}`) ?? [];
  return [
    ['streaming', streamingUrl],
    ['HTTP', httpUrl],
    ...(frontDoor ? [['front door', `${frontDoor.streamingUrl}   ${frontDoor.httpUrl}`] as [string, string]] : []),
    ...(network?.length === 0 ? ['no network address found'] : others).map((text): [string, string] => [
      'on your network',
      text,
    ]),
    ...hostNames.map((name): [string, string] => [
      name === 'host.docker.internal' ? 'in a container' : 'by name',
      `ws://${name}:${port}   http://${name}:${port}`,
    ]),
    ...(aws.name === 'default' ? [] : [['AWS account', `${aws.name}: ${describeAccount(aws)}`] as [string, string]]),
    ['client key', keys.client],
    ['server key', keys.server],
  ];
}

/** The command that flips the flag. */
function flagCommand({ data, flagKey }: BannerFacts): string {
  return ownCommand('flags', ['toggle', flagKey, ...optionWords('--data', data, DATA_FOLDER)].join(' '));
}
