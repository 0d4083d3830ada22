import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { OpenIdProvider } from '../../../dev/local/openIdProvider.ts';
import { freePort } from '../../../dev/support/freePort.ts';
import { store, useStore } from '../../../shared/store/testing/testStore.ts';
import { testSystemEffects } from '../../../shared/store/testing/testTables.ts';
import { PAGE_PATH } from '../../api.ts';
import { type ServedConsole, serveConsole } from '../../serve.ts';
import { SHOP, signedInConsole, useIssuer } from '../../signIn/testing/signedInConsole.ts';
import { buildPage } from '../build.ts';
import { ConsoleBrowser, type ConsolePage, type Look } from './consolePage.ts';
import { shopDocuments } from './documents.ts';

/** The console with sign-in for the tests of a file, and a page of each test. */
export class SignInWorld {
  /** The page of the test. */
  page!: ConsolePage;
  origin = '';
  /** The value of a session's cookie. */
  seal!: (idToken: string) => string;
  readonly #issuer = useIssuer();
  #browser!: ConsoleBrowser;

  /** Call it at the top of a file. */
  static use(): SignInWorld {
    useStore(testSystemEffects);
    return new SignInWorld();
  }

  private constructor() {
    let served: ServedConsole;
    beforeAll(async () => {
      await store.environments.create('<b>shop</b>', SHOP);
      await store.documents.import(SHOP, shopDocuments());
      const port = await freePort();
      this.origin = `http://127.0.0.1:${port}`;
      const console = signedInConsole(this.issuer, { origin: this.origin, buildPage });
      this.seal = console.seal;
      served = await serveConsole(console, port);
      this.#browser = await ConsoleBrowser.launch();
    });
    beforeEach(() => {
      this.#browser.problems.length = 0;
    });
    afterEach(() => this.page?.close());
    afterAll(async () => {
      await this.#browser?.close();
      await served?.close();
    });
  }

  get issuer(): OpenIdProvider {
    return this.#issuer.it;
  }

  /** Address of a view. */
  at(place: string): string {
    return `${this.origin}${PAGE_PATH}#/${SHOP}/${place}`;
  }

  /** Opens a view, or an address, as somebody without a session. */
  async open(place: string, look: Look = {}): Promise<void> {
    this.page = await this.#browser.open(place.startsWith('http') ? place : this.at(place), look);
  }

  /** Opens a view, where a member of a group signs in. */
  async openAs(group: string, place = 'flags', look: Look = {}): Promise<void> {
    this.issuer.person = { sub: '<i>ann</i>', groups: [group] };
    await this.open(place, look);
    await this.page.click('Sign in', 'button');
    await this.page.says('<i>ann</i>');
  }

  /** Signs in as a member of a group in another tab. */
  async signInElsewhere(sub: string, group: string): Promise<void> {
    this.issuer.person = { sub, groups: [group] };
    const other = await this.page.page.browserContext().newPage();
    await other.goto(`${this.origin}/sign-in`);
  }

  showsSignIn(): Promise<void> {
    return this.page.says('Sign in to Flagwire');
  }

  /** Opens the menu of the person who has access. */
  openAccount(): Promise<void> {
    return this.page.page.locator('.top-end button').click();
  }

  async signOut(): Promise<void> {
    if (await this.page.page.$('.top-end button')) await this.openAccount();
    await this.page.click('Sign out', 'button');
    await this.showsSignIn();
  }
}
