import { expect } from '@jest/globals';
import { type Browser, launchChromium, type Page, violationsOf } from '../../../dev/support/tools/browser.ts';
import { timeouts, until } from '../../../shared/testing/until.ts';

export interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** Chromium, with the requests and errors of its pages. */
export class ConsoleBrowser {
  /** Hosts of all requests. */
  readonly hosts = new Set<string>();
  /** Errors of pages. */
  readonly problems: string[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await launchChromium());
  }

  /** Opens an address in an isolated page. */
  async open(url: string, { width = 1_280, scheme = 'light' }: Look = {}): Promise<ConsolePage> {
    const context = await this.#browser.createBrowserContext();
    const page = await context.newPage();
    page.on('request', (request) => this.hosts.add(new URL(request.url()).host));
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.problems.push(message.text()));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width, height: 900 });
    page.setDefaultTimeout(timeouts().condition);
    await page.goto(url);
    return new ConsolePage(page);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** A page that tests control by accessible names. */
export class ConsolePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /**
   * Clicks an element by name. Repeats it if the element moved away meanwhile, because the page got content above it.
   *
   * @param role to select one of several elements with the name
   */
  async click(name: string, role?: string): Promise<void> {
    const found = this.page.locator(named(name, role));
    await until(async () => {
      const element = await found.waitHandle();
      await element.evaluate(prepareClick);
      await found.click();
      // The click may have replaced the element, or the page.
      return element.evaluate(isDone).catch(() => true);
    });
  }

  /** Replaces the text of a field. Repeats it if the page renders the field again. */
  async write(label: string, text: string): Promise<void> {
    const field = this.page.locator(named(label));
    await until(async () => {
      await field.fill(text);
      return (await field.map((element) => (element as unknown as { value: string }).value).wait()) === text;
    });
  }

  /** Replaces the text of the focused field by typing. */
  async typeInPlace(text: string): Promise<void> {
    const { keyboard } = this.page;
    await keyboard.down('Control');
    await keyboard.press('a');
    await keyboard.up('Control');
    await keyboard.press('Backspace');
    await keyboard.type(text);
  }

  /** Selects an option by its text. */
  async choose(label: string, text: string): Promise<void> {
    const list = await this.page.waitForSelector(named(label, 'combobox'));
    const value = await list?.evaluate(
      (element, wanted) =>
        Array.from((element as unknown as { options: { text: string; value: string }[] }).options).find(
          (option) => option.text === wanted,
        )?.value,
      text,
    );
    if (value === undefined) throw new Error(`"${label}" has no "${text}"`);
    await list?.select(value);
  }

  /** Waits until the page, or a part of it, contains a text, also while one page follows another. */
  async says(text: string | RegExp, selector = 'body'): Promise<void> {
    const isSaid = (shown: string) => (typeof text === 'string' ? shown.includes(text) : text.test(shown));
    expect(isSaid(await until(() => this.text(selector).catch(() => ''), isSaid))).toBe(true);
  }

  /** Waits until the page, or a part of it, does not contain a text, also while one page follows another. */
  async lacks(text: string, selector = 'body'): Promise<void> {
    const shown = await until(
      () => this.text(selector).catch(() => text),
      (each) => !each.includes(text),
    );
    expect(shown).not.toContain(text);
  }

  /** The visible text of a part of the page. */
  text(selector = 'body'): Promise<string> {
    return this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`,
    ) as Promise<string>;
  }

  /** Opens a view of the current environment. */
  async view(name: string): Promise<void> {
    await this.click(name, 'link');
    await this.says(name, 'h1');
  }

  /** Opens a tab of a flag. */
  async tab(name: string): Promise<void> {
    await this.page.locator(`.tabs ::-p-text(${name})`).click();
    await this.says(name, '.tabs [aria-current]');
  }

  /** Chooses an action in the menu of a flag or segment. */
  async menu(action: string): Promise<void> {
    await this.page.locator('.view-head [popovertarget]').click();
    await this.click(action, 'button');
  }

  /** Label or text of the focused element. */
  focus(): Promise<string> {
    return this.page.evaluate(`{
      const { activeElement } = document;
      const label = activeElement.getAttribute('aria-label') ?? activeElement.labels?.[0]?.innerText;
      (label ?? activeElement.innerText ?? '').trim();
    }`) as Promise<string>;
  }

  /** Waits until an element has the focus. */
  async hasFocus(name: string): Promise<void> {
    await until(
      () => this.focus(),
      (focus) => focus === name,
    );
  }

  /** Presses Tab until an element has the focus. */
  async tabTo(name: string | RegExp): Promise<void> {
    const isWanted = (focus: string) => (typeof name === 'string' ? focus === name : name.test(focus));
    for (let n = 0; n < 150; n++) {
      await this.page.keyboard.press('Tab');
      if (isWanted(await this.focus())) return;
    }
    throw new Error(`"${name}" cannot be reached by Tab; the last was "${await this.focus()}"`);
  }

  /** Violations that axe finds, each with its first element. */
  violations(): Promise<string[]> {
    return violationsOf(this.page);
  }

  /** Overflow of the page beyond the window, in pixels. */
  overflow(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;
  }

  /** Distance from the top of the window to an element, in pixels. */
  topOf(selector: string): Promise<number> {
    return this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`,
    ) as Promise<number>;
  }

  async close(): Promise<void> {
    await this.page.browserContext().close();
  }
}

interface Clickable {
  readonly isConnected: boolean;
  clicked?: true;
  scrollIntoView(options: { readonly block: 'center' }): void;
  addEventListener(type: 'click', listen: () => void, options: { readonly once: true; readonly capture: true }): void;
}

/** Whether an element was clicked. Runs in the page. */
function isDone(found: unknown): boolean {
  const { clicked, isConnected } = found as Clickable;
  return clicked ?? !isConnected;
}

/** Moves an element away from those that stick to the edges of the window, and notes that it was clicked. Runs in the page. */
function prepareClick(found: unknown): void {
  const element = found as Clickable;
  element.scrollIntoView({ block: 'center' });
  delete element.clicked;
  element.addEventListener('click', () => Object.assign(element, { clicked: true }), { once: true, capture: true });
}

function named(name: string, role?: string): string {
  return `aria/${name}${role ? `[role="${role}"]` : ''}`;
}
