import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type WebSocket, Window } from 'happy-dom';
import { until } from '../../../../shared/testing/until.ts';
import type { Workspace } from '../workspace.ts';

/** Input of a page's program besides URLs and the client key. */
type ProgramInput = Readonly<Record<string, unknown>>;

/** A page of an application in a browser without a screen (happy-dom): a program that is bundled as applications are. */
export class BrowserPage {
  readonly #window: Window;
  readonly #sockets: readonly WebSocket[];

  private constructor(window: Window, sockets: readonly WebSocket[]) {
    this.#window = window;
    this.#sockets = sockets;
  }

  /**
   * Opens a page, and waits until its program has started.
   *
   * @param program a module that exports `start`, which shows something in the element `root`: a file of the folder `pages`, or
   *   its text
   * @param alias replacements of packages, by name
   */
  static async open(
    { target, clientKey }: Workspace,
    program: { file: string } | { text: string },
    given: ProgramInput = {},
    alias: Readonly<Record<string, string>> = {},
  ): Promise<BrowserPage> {
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
    window.document.body.innerHTML = '<div id="root"></div>';
    window.eval(await bundle(program, alias));
    const urls = { streamingUrl: target.streamingUrl, eventsUrl: target.httpUrl };
    await (window as unknown as { start(given: ProgramInput): Promise<void> }).start({ ...urls, clientKey, ...given });
    return new BrowserPage(window, sockets);
  }

  /** Its text. */
  get text(): string {
    return this.#window.document.body.textContent;
  }

  /** Number of connections that it has opened. */
  get connections(): number {
    return this.#sockets.length;
  }

  /** Waits until it shows a text. */
  async shows(text: string): Promise<void> {
    await until(
      () => this.text,
      (shown) => shown.includes(text),
    );
  }

  /** Clicks what it shows. */
  click(): void {
    this.#window.document.querySelector('button')?.click();
  }

  /** Loses its connections. */
  lose(): void {
    for (const socket of this.#sockets) socket.close();
  }

  async close(): Promise<void> {
    await this.#window.happyDOM.close();
  }
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
