import { z } from 'zod';
import { isGuid } from '../../shared/protocol/guid.ts';
import { EVERYBODY, SETTINGS_LIMIT_BYTES, type SignInSettings } from '../../shared/signIn/settings.ts';
import { ConfigError } from './configError.ts';
import { allowedCidrs, orToken, secretName, textOf, wholeNumber } from './values.ts';

/** Entra's issuers for several organizations: by name, and the tenant of all personal accounts. */
const SEVERAL_TENANTS =
  /^https:\/\/(login([.]partner)?[.](microsoftonline|windows)[.]\w+|sts[.]windows[.]net)[.]?\/+(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i;

const GOOGLE = 'https://accounts.google.com';

const issuer = textOf(
  orToken(/^https:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/),
  'an issuer is the https address that the provider publishes, such as https://shop.okta.com',
).refine(
  (url) => !SEVERAL_TENANTS.test(normalized(url)),
  'it admits accounts of other organizations. Name your tenant: https://login.microsoftonline.com/<tenant id>/v2.0',
);

/** An address as it is requested: without `/./`, the usual port, and percent signs. Tokens of CDK stay. */
function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent) : url;
}

const claim = textOf(/^[\x21-\x7e]{1,256}$/, 'a claim is 1 to 256 visible ASCII characters, such as groups');
const groups = z.array(z.string().min(1, 'a group has a name').max(256, 'a group has at most 256 characters'));
const writers = groups.refine(
  (names) => !names.includes(EVERYBODY),
  `"${EVERYBODY}" is for viewers only: name the groups whose members may change flags`,
);

const signInSchema = z.strictObject({
  issuer: issuer.describe('address of your OpenID provider'),
  clientId: textOf(/^[\x21-\x7e]{1,512}$/, 'a client id is 1 to 512 visible ASCII characters').describe(
    'id of the client at the provider',
  ),
  clientSecret: secretName
    .exactOptional()
    .describe('name of a secret in Secrets Manager with the client secret, a plain text; without it, a public client'),
  groupsClaim: claim.default('groups').describe("claim of the ID token with a person's groups"),
  nameClaim: claim.default('email').describe('claim of the ID token that names a person in the history'),
  viewers: groups.default([]).describe(`groups that see all environments; "${EVERYBODY}" is everybody who can sign in`),
  editors: z
    .record(z.string(), writers.min(1, 'name at least one group, or leave the environment out'))
    .default({})
    .describe('groups that change flags, by the id of an environment or the name of one of environments'),
  administrators: writers.default([]).describe('groups that also change environments and SDK keys'),
  sessionMinutes: wholeNumber(5, 720)
    .default(60)
    .describe('maximum age of an ID token, in minutes; then the console asks the provider for a new one'),
});

/** Settings of the deployed console. */
export const consoleSchema = z
  .strictObject({
    signIn: signInSchema.describe('OpenID provider of the console, and the groups that may use it'),
    allowedCidrs: allowedCidrs.exactOptional().describe('IPv4 ranges that can reach the console; without them, all'),
  })
  .exactOptional()
  .describe('the console at an address of its own, for persons without AWS keys (docs/operations/sign-in.md)');

/** Settings of the deployed console, with all defaults. */
export type ConsoleSettings = z.output<typeof consoleSchema>;

/** Maximum size of an environment in the function's variables: its id twice, and the ARN of a role with a name of 64 characters. */
const ENVIRONMENT_BYTES = 180;

/** @throws ConfigError naming the key, if nobody or everybody gets in, or if an environment is unknown */
export function checkConsole(
  { signIn, allowedCidrs: ranges = [] }: ConsoleSettings,
  declared: readonly string[],
): void {
  const { viewers, editors, administrators, issuer: url } = signIn;
  const environments = Object.keys(editors);
  if ([...viewers, ...environments, ...administrators].length === 0)
    throw new ConfigError('console.signIn admits nobody: name a group in viewers, editors or administrators.');
  if (viewers.includes(EVERYBODY) && normalized(url).startsWith(GOOGLE))
    throw new ConfigError(
      `console.signIn.viewers="${EVERYBODY}" cannot be used with ${GOOGLE}, where everybody has an account: set groupsClaim=email, and name addresses.`,
    );
  const unknown = environments.find((each) => !declared.includes(each) && !isGuid(each.toLowerCase()));
  if (unknown !== undefined)
    throw new ConfigError(
      `console.signIn.editors names the environment ${unknown}, which is not one of environments (${declared.join(', ') || 'none'}). Add it there, or name its id; \`env list\` shows it.`,
    );
  const { clientSecret: _, ...settings } = signIn;
  const bytes =
    Buffer.byteLength(JSON.stringify(settings)) + ranges.join().length + ENVIRONMENT_BYTES * environments.length;
  if (bytes > SETTINGS_LIMIT_BYTES)
    throw new ConfigError(
      `console.signIn cannot be used: it has ${bytes} bytes with the roles of ${environments.length} environments, and the limit is ${SETTINGS_LIMIT_BYTES}. Name fewer groups: make one for each role at the provider.`,
    );
}

/**
 * The settings as the function reads them.
 *
 * @param idOf the id of an environment by its name or id
 * @throws ConfigError if an environment is named twice
 */
export function signInSettings(
  { clientSecret: _, ...settings }: ConsoleSettings['signIn'],
  idOf: (environment: string) => string,
): SignInSettings {
  const named = Object.entries(settings.editors).map(([name, members]) => [idOf(name).toLowerCase(), members] as const);
  const editors = Object.fromEntries(named);
  if (Object.keys(editors).length < named.length)
    throw new ConfigError('console.signIn.editors names an environment twice: list all its groups once.');
  return { ...settings, editors };
}
