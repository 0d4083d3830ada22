import http from 'node:http';

/**
 * Preloaded into the emulator's Lambda workers, not a part of any function.
 *
 * The emulator leads what a function sends to AWS's host names by https to itself by http, each request through an agent
 * of its own, which keeps its connection for 75 seconds: thousands of messages to `@connections` run out of file
 * descriptors. Here these requests share one agent.
 */
const shared = new http.Agent({ keepAlive: true, maxSockets: 64 });
const request = http.request as (options: http.RequestOptions, ...rest: unknown[]) => http.ClientRequest;

http.request = ((options: http.RequestOptions, ...rest: unknown[]) =>
  request(
    options.agent instanceof http.Agent ? { ...options, agent: shared } : options,
    ...rest,
  )) as typeof http.request;

/** The emulator does not lead `fetch` back to itself: a custom resource answers by it, to a host name of AWS with the emulator's port. */
const { fetch } = globalThis;
globalThis.fetch = ((input: string | URL, init?: RequestInit) =>
  fetch(String(input).replace(/^http:\/\/[\w.-]+[.]amazonaws[.]com:/, 'http://127.0.0.1:'), init)) as typeof fetch;
