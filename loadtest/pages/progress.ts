import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What has been made of all that is to be; it outlives an interruption. */
export class Made {
  readonly #folder: string;
  readonly #path: string;

  /** @param folder where measurements leave what is not kept yet */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'made.json');
  }

  /** Names of what was made before an interruption. */
  get names(): readonly string[] {
    return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : [];
  }

  add(name: string): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.#path, `${JSON.stringify([...this.names, name])}\n`);
  }

  /** Begins anew. What an earlier command left, such as figures of a measurement that failed, is moved aside, in place of what was there. */
  clear(): void {
    const aside = `${this.#folder}-before`;
    rmSync(aside, { recursive: true, force: true });
    if (existsSync(this.#folder)) renameSync(this.#folder, aside);
  }
}
