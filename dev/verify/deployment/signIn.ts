import { API_PATH, PAGE_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, TOKEN_HEADER } from '../../../console/api.ts';
import { installManifest } from '../../support/installed.ts';
import type { Page } from '../../support/tools/browser.ts';
import { CannotVerify } from './access.ts';
import type { Observation } from './report.ts';

/** A person of the OpenID provider for tests. */
export interface TestPerson {
  readonly name: string;
  readonly password: string;
}

/** Maximum number of pages of a provider. Most ask for the name, then for the password, then whether to stay. */
const PAGES = 4;
/** How long a page of the provider may take to change, in milliseconds. */
const PAGE_MS = 10_000;
const NAME = 'input:is([type="email"], [type="text"], :not([type])):not([readonly])';

/**
 * Reads the test person of the options.
 *
 * @throws {CannotVerify} naming what is missing
 */
export function readPerson(name: string | undefined, consoleUrl: string | undefined): TestPerson | undefined {
  if (name === undefined) return undefined;
  const { FLAGWIRE_TEST_PASSWORD: password } = process.env;
  if (!password) throw new CannotVerify('set FLAGWIRE_TEST_PASSWORD to the password of --person');
  if (!consoleUrl)
    throw new CannotVerify('--person needs a stage with console.signIn, which has the output ConsoleUrl');
  return { name, password };
}

/** Observations of a console with sign-in. @param url its origin */
export function signInObservations(url: string, person: TestPerson | undefined): Observation[] {
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
  const open: Observation = {
    question: 'status of the console’s page, and of its API without a sign-in',
    look: async () => {
      const [page, api] = [await statusOf(PAGE_PATH), await statusOf(`${API_PATH}context`)];
      return { answer: `${page}, ${api}`, isPromised: page === 200 && api === 401 };
    },
  };
  const signedIn = (each: TestPerson): Observation => ({
    question: 'author that the test person signs in as; status of a renewal, and of the API after the sign-out',
    look: () => withSignedIn(url, each, lookAround),
  });
  return person ? [open, signedIn(person)] : [open];
}

async function lookAround(page: Page) {
  const send = async (path: string, method: string) => {
    const init = JSON.stringify({ method, headers: { [TOKEN_HEADER]: 'verify' } });
    const answer = `fetch('${path}', ${init}).then(async (sent) => [sent.status, await sent.json()])`;
    return (await page.evaluate(answer)) as [number, { readonly by?: string; readonly error?: { message: string } }];
  };
  const [, { by, error }] = await send(`${API_PATH}context`, 'GET');
  const [renewed] = await send(`${SIGN_IN_PATH}/refresh`, 'POST');
  await send(SIGN_OUT_PATH, 'POST');
  const [left] = await send(`${API_PATH}context`, 'GET');
  return { answer: `${by ?? error?.message}; ${renewed}, ${left}`, isPromised: by !== undefined && left === 401 };
}

/**
 * Signs in with Chromium, on whatever pages the provider has.
 *
 * @throws Error if the provider asks for more than a name and a password, or refuses them
 */
async function withSignedIn<T>(url: string, person: TestPerson, look: (page: Page) => Promise<T>): Promise<T> {
  await installManifest('dev/support/tools', console.error);
  const { launchChromium } = await import('../../support/tools/browser.ts');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS);
    await page.goto(`${url}${SIGN_IN_PATH}`);
    for (let n = 0; n < PAGES && !page.url().startsWith(url); n++) {
      const hasName = await fill(page, NAME, person.name);
      if (!(await fill(page, 'input[type="password"]', person.password)) && !hasName) break;
      await page.keyboard.press('Enter');
      await page.waitForNetworkIdle();
    }
    if (page.url().startsWith(`${url}${PAGE_PATH}`)) return await look(page);
    const shown = `${new URL(page.url()).host} shows “${await page.title()}”`;
    throw new Error(`${shown}. The person must be able to sign in with a name and a password alone, without MFA`);
  } finally {
    await browser.close();
  }
}

/** Replaces the text of the first visible field. @returns false if there is none */
async function fill(page: Page, selector: string, text: string): Promise<boolean> {
  for (const field of await page.$$(selector)) {
    if (!(await field.isVisible())) continue;
    await field.click({ count: 3 });
    await field.type(text);
    return true;
  }
  return false;
}
