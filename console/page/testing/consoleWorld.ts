import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalProcess } from '../../../dev/verify/conformance/localProcess.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { contentOf } from '../../../shared/store/documents/item.ts';
import type { FlagStore } from '../../../shared/store/store.ts';
import { ConsoleBrowser, type ConsolePage, type Look } from './consolePage.ts';
import { aFlag, shopDocuments } from './documents.ts';

/** `npm start` and a browser. */
export class ConsoleWorld {
  /** Folder of its data, and of screenshots by default. */
  readonly directory: string;
  readonly browser: ConsoleBrowser;
  /** The printed address of the console, with the token. */
  readonly address: string;
  readonly #options: readonly string[];
  #running: LocalProcess;

  private constructor(directory: string, options: readonly string[], running: LocalProcess, browser: ConsoleBrowser) {
    this.directory = directory;
    this.#options = options;
    this.#running = running;
    this.browser = browser;
    this.address = /http:\S+\/console\/#token=\S+/.exec(running.output)?.[0] ?? '';
  }

  /** @param options of `npm start` */
  static async open(...options: string[]): Promise<ConsoleWorld> {
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-console-'));
    const running = await LocalProcess.start(directory, 0, 'default', ...options);
    return new ConsoleWorld(directory, options, running, await ConsoleBrowser.launch());
  }

  get store(): FlagStore {
    return this.#running.target().store;
  }

  /** Creates an environment with a segment and a flag with rules and a rollout. */
  async makeShop(name: string): Promise<ShownEnvironment> {
    const { environment } = await this.store.environments.create(name);
    await this.store.documents.import(environment.id, shopDocuments());
    return new ShownEnvironment(this, environment.id);
  }

  /** Creates an environment with a number of flags. Every tenth is on, is called `billing-<n>` and has the tag `billing`. */
  async makeMany(name: string, count: number): Promise<ShownEnvironment> {
    const { environment } = await this.store.environments.create(name);
    const documents = Array.from({ length: count }, (_, n) => {
      const isTenth = n % 10 === 0;
      const tags = isTenth ? ['billing'] : [];
      const key = `${isTenth ? 'billing' : 'flag'}-${n}`;
      return { kind: 'flag' as const, document: aFlag({ key, name: '', isEnabled: isTenth, rules: [], tags }) };
    });
    await this.store.documents.import(environment.id, documents);
    return new ShownEnvironment(this, environment.id);
  }

  /** Stops `npm start` while pages are open. */
  async stopServer(): Promise<void> {
    await this.#running.stop('SIGTERM');
  }

  /** Starts `npm start` again, at the same port. */
  async startServer(): Promise<void> {
    const { port } = new URL(this.address);
    this.#running = await LocalProcess.start(this.directory, Number(port), 'default', ...this.#options);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stopServer();
    rmSync(this.directory, { recursive: true });
  }
}

/** An environment, in pages and in the store. */
export class ShownEnvironment {
  readonly id: string;
  readonly #world: ConsoleWorld;

  constructor(world: ConsoleWorld, id: string) {
    this.#world = world;
    this.id = id;
  }

  /** Address of a view, without the token. */
  at(place: string): string {
    return `${this.#world.address.split('#')[0]}#/${this.id}/${place}`;
  }

  /** Opens a view with the token. */
  async open(place: string, look: Look = {}): Promise<ConsolePage> {
    const page = await this.#world.browser.open(this.#world.address, look);
    await page.says('Overview', 'h1');
    await page.page.goto(this.at(place));
    return page;
  }

  /** Connects FeatBit's browser SDK as a user, in a page of `npm start`. */
  async connectSdk(user: string): Promise<ConsolePage> {
    const { value } = await this.#world.store.secrets.create(this.id, 'browser', 'client');
    const page = await this.#world.browser.open(new URL('/try', this.#world.address).href);
    await page.page.evaluate(`import('/try/sdk.js').then(({ FbClientBuilder, UserBuilder }) =>
      new FbClientBuilder().sdkKey('${value}').streamingUri(location.origin.replace('http', 'ws'))
        .eventsUri(location.origin).user(new UserBuilder('${user}').name('${user}').build()).build().waitForInitialization()
    ).then(() => undefined)`);
    return page;
  }

  /** Reads a flag from the store. */
  async read(key: string): Promise<Flag | undefined> {
    const stored = await this.#world.store.documents.find(this.id, 'flag', key);
    return contentOf(stored) as Flag | undefined;
  }

  /** Changes a flag, as another operator. */
  async change(key: string, changes: Partial<Flag>): Promise<void> {
    await this.#world.store.documents.writeFlag(this.id, key, (flag) => ({ ...(flag as Flag), ...changes }));
  }
}
