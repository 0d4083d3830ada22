import { join } from 'node:path';
import { html } from 'hono/html';
import type { LiveEvent } from '../../console/live.ts';
import { RollingCounters } from '../../console/server/rollingCounters.ts';
import { bundlePage } from '../../infra/bundles.ts';
import { cacheDirectory } from '../../infra/cacheDirectory.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import type { ReadMetric } from '../emulator/cloudwatch/service.ts';
import type { Templates } from '../emulator/template/template.ts';
import { OpenIdProvider } from './openIdProvider.ts';
import { DEVELOPMENT } from './seed.ts';

/** In place of the local provider: settings accept addresses with TLS only. */
export const DECLARED_ISSUER = 'https://id.example.com';

/** The time that the console shows the sums of, in milliseconds. */
const METRICS_MS = 900_000;

const ROLES = ['viewer', 'editor', 'administrator'] as const;

/** Templates whose console uses another provider than {@link DECLARED_ISSUER}. */
export function withIssuer<T extends Templates>(templates: T, url: string): T {
  return JSON.parse(JSON.stringify(templates).replaceAll(DECLARED_ISSUER, url));
}

/**
 * Starts an OpenID provider with three persons, and builds the page for the function of the console. The emulator then runs what a
 * deployment has, for as long as this process lives.
 */
export async function startSignIn() {
  const provider = await OpenIdProvider.open();
  const person = (role: string) => ({ sub: role, email: `${role}@example.com`, email_verified: true, groups: [role] });
  provider.people = Object.fromEntries(ROLES.map((role) => [role, person(role)]));
  provider.page = pageOf;
  const page = join(cacheDirectory, 'functions/console/page.json');
  bundlePage(page);
  process.env['CONSOLE_PAGE'] = page;
  const { clientId } = provider;
  const [viewers, editors, administrators] = ROLES.map((role) => [role]) as [string[], string[], string[]];
  const groups = { viewers, editors: { [DEVELOPMENT.id]: editors }, administrators };
  const counters = new RollingCounters(systemEffects.now(), METRICS_MS);
  return {
    provider,
    settings: { console: { signIn: { issuer: DECLARED_ISSUER, clientId, ...groups } } },
    /** Takes what passes through the gateway. */
    tell: (event: LiveEvent) => counters.add(event),
    /** The metrics of a deployment that the console shows, from what passed through the gateway. */
    readMetric: ((name, statistic) => {
      const { opened, syncs, pushed, syncMsP95, pushMsP95 } = counters.read(systemEffects.now());
      const known: Readonly<Record<string, number | undefined>> = {
        'websocket.connections.total Sum': opened,
        'sync.latency SampleCount': syncs,
        'sync.latency p95': syncMsP95,
        'push.sent Sum': pushed,
        'push.latency p95': pushMsP95,
      };
      return [known[`${name} ${statistic}`] ?? []].flat();
    }) satisfies ReadMetric,
    /** Names the provider in the templates of these settings. */
    complete: <T extends Templates>(templates: T) => withIssuer(templates, provider.url),
  };
}

/** The page of the provider, with a button for each person. */
function pageOf(query: URLSearchParams) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local OpenID provider</title>
<link rel="icon" href="data:,">
<style>:root { color-scheme: light dark; font: 1.125rem system-ui, sans-serif; } main { margin: 15vh auto; max-width: 24rem; padding: 1rem; }
button { display: block; width: 100%; margin-block: 0.75rem; padding: 0.75rem; border: 0; border-radius: 6px;
background: #2f55d4; color: #fff; font: inherit; cursor: pointer; }</style>
</head>
<body>
<main>
<h1>Who signs in?</h1>
<p>This OpenID provider is a part of Flagwire on this machine. It asks for no password.</p>
<form>
${[...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${ROLES.map((role) => html`<button name="as" value="${role}">Sign in as ${role}</button>`)}
</form>
</main>
</body>
</html>`;
}
