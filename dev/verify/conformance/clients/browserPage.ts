import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type WebSocket, Window } from 'happy-dom';
import { until } from '../../../../shared/testing/until.ts';
import type { Workspace } from '../workspace.ts';

/** Input of a page's program besides URLs and the client key. */
type ProgramInput = Readonly<Record<string, unknown>>;

/**
 * Opens a page of an application in a browser without a screen (happy-dom), and waits until its program has started.
 *
 * @param program a module that exports `start`, which shows something in the element `root`: a file of the folder `pages`, or its text
 * @param alias replacements of packages, by name
 */
export async function openPage(
  { target, clientKey }: Workspace,
  program: { file: string } | { text: string },
  given: ProgramInput = {},
  alias: Readonly<Record<string, string>> = {},
) {
  const window = new Window({
    url: 'http://app.example/',
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  const sockets: WebSocket[] = [];
  const counted = class extends window.WebSocket {
    constructor(...address: ConstructorParameters<typeof WebSocket>) {
      super(...address);
      sockets.push(this);
    }
  };
  Object.defineProperty(window, 'WebSocket', { value: counted });
  const { body } = window.document;
  body.innerHTML = '<div id="root"></div>';
  window.eval(await bundle(program, alias));
  const urls = { streamingUrl: target.streamingUrl, eventsUrl: target.httpUrl };
  await (window as unknown as { start(given: ProgramInput): Promise<void> }).start({ ...urls, clientKey, ...given });
  const text = () => body.textContent;
  return {
    text,
    /** Number of connections that it has opened. */
    connections: () => sockets.length,
    /** Waits until it shows a text. */
    shows: (expected: string) => until(text, (shown) => shown.includes(expected)),
    click: () => body.querySelector('button')?.click(),
    closeSockets() {
      for (const socket of sockets) socket.close();
    },
    close: () => window.happyDOM.close(),
  };
}

async function bundle(program: { file: string } | { text: string }, alias: BuildOptions['alias']): Promise<string> {
  const directory = join(import.meta.dirname, 'pages');
  const source: BuildOptions =
    'file' in program
      ? { entryPoints: [join(directory, program.file)] }
      : { stdin: { contents: program.text, resolveDir: directory, loader: 'jsx' } };
  const { outputFiles } = await build({
    ...source,
    ...(alias && { alias }),
    absWorkingDir: directory,
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'page',
    footer: { js: 'window.start = page.start;' },
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles?.[0]?.text ?? '';
}
