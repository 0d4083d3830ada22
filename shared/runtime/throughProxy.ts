/** Environment variables that name a proxy. Node prefers the names in small letters, and does not know those with `ALL`. */
const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'] as const;

/** The emulator and other local endpoints. No proxy reaches them. */
const LOCAL = 'localhost,127.0.0.1,::1';

/** Lines that were written. */
const warnings = new Set<string>();

/**
 * Settings of an AWS client's request handler with the proxy of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, which AWS's
 * clients ignore. Node does the rest. Where it cannot (before 22.21 and 24.5, or a proxy of SOCKS), one line on stderr says so. Without
 * these variables, and on Bun, which knows them itself, the settings stay as they are.
 *
 * @param settings other settings, such as timeouts
 */
export function throughProxy<Settings extends object>(settings?: Settings): Settings {
  const { env, versions, version } = process;
  const given = settings ?? ({} as Settings);
  const name = NAMES.find((each) => env[each]);
  if (name === undefined || versions['bun'] !== undefined) return given;
  if (!process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) {
    warnOnce(`${name} is set, but Node ${version} cannot use a proxy: requests go directly. Use Node 24.`);
    return given;
  }
  const foreign = NAMES.find((each) => /^(?!https?:)\w+:\/\//i.test(env[each] ?? ''));
  if (foreign) warnOnce(`${foreign} is not used: it must name a proxy of HTTP, such as http://proxy.example:3128`);
  const exceptions = [env['no_proxy'] || env['NO_PROXY'], LOCAL].filter(Boolean).join();
  // Node ignores an address without a scheme.
  const proxy = (names: RegExp) =>
    NAMES.filter((each) => names.test(each))
      .map((each) => env[each]?.replace(/^(?!\w+:\/\/)(?=.)/, 'http://'))
      .find((url) => /^https?:/i.test(url ?? ''));
  const proxyEnv = { HTTPS_PROXY: proxy(/^(https|all)_/i), HTTP_PROXY: proxy(/^(http|all)_/i), NO_PROXY: exceptions };
  return { ...given, httpAgent: { proxyEnv }, httpsAgent: { proxyEnv } };
}

function warnOnce(line: string): void {
  if (!warnings.has(line)) console.error(line);
  warnings.add(line);
}
