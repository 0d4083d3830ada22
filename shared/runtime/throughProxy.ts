/** Environment variables that name a proxy. Node prefers the names in small letters. */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The emulator and other local endpoints. No proxy reaches them. */
const LOCAL = 'localhost,127.0.0.1,::1';

let isWarned = false;

/**
 * Settings of an AWS client's request handler with the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, which AWS's clients ignore.
 * Node does the rest. Where it cannot (before 22.21 and 24.5), one line on stderr says so. Without these variables, and on Bun, which
 * knows them itself, the settings stay as they are.
 *
 * @param settings other settings, such as timeouts
 */
export function throughProxy<Settings extends object>(settings?: Settings): Settings {
  const { env, versions, allowedNodeEnvironmentFlags, version } = process;
  const given = settings ?? ({} as Settings);
  const name = PROXIES.find((each) => env[each]);
  if (name === undefined || versions['bun'] !== undefined) return given;
  if (!allowedNodeEnvironmentFlags.has('--use-env-proxy')) {
    if (!isWarned)
      console.error(`${name} is set, but Node ${version} cannot use a proxy: requests go directly. Use Node 24.`);
    isWarned = true;
    return given;
  }
  const exceptions = [env['no_proxy'] || env['NO_PROXY'], LOCAL].filter(Boolean).join();
  // Node ignores an address without a scheme.
  const proxy = (of: string) => (env[of] || env[of.toUpperCase()])?.replace(/^(?!\w+:\/\/)(?=.)/, 'http://');
  const proxyEnv = { HTTPS_PROXY: proxy('https_proxy'), HTTP_PROXY: proxy('http_proxy'), NO_PROXY: exceptions };
  return { ...given, httpAgent: { proxyEnv }, httpsAgent: { proxyEnv } };
}
