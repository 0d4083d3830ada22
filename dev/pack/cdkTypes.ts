import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { settingsSchema } from '../../infra/config/settingsSchema.ts';
import { repositoryRoot } from '../../infra/repository.ts';

/** The module whose types come from zod. */
const SETTINGS = 'infra/config/settingsSchema.d.ts';

/**
 * Writes the declarations of a module, and of what they refer to, into the folder `types` of a package.
 *
 * @param entry the module's declarations, such as `infra/index.d.ts`
 * @param peers the packages that they may need
 * @param extension `cts` for CommonJS in a package of ES modules, else `ts`
 * @throws Error where they need another package
 */
export function writeTypes(
  folder: string,
  entry: string,
  peers: readonly string[],
  extension: 'ts' | 'cts' = 'ts',
): void {
  const emitted = mkdtempSync(join(tmpdir(), 'flagwire-types-'));
  const written = new Set<string>();
  const write = (file: string) => {
    if (written.has(file)) return;
    written.add(file);
    const text = file === SETTINGS ? declareSettings() : readFileSync(join(emitted, file), 'utf8');
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      if (from.startsWith('.')) write(join(dirname(file), from).replace(/[.]ts$/, '.d.ts'));
      else if (!peers.some((peer) => from === peer || from.startsWith(`${peer}/`)))
        throw new Error(`the types in ${file} need ${from}`);
    }
    mkdirSync(join(folder, 'types', dirname(file)), { recursive: true });
    const target = join(folder, 'types', file.replace(/ts$/, extension));
    writeFileSync(target, text.replaceAll(/( from '[.][^']+)[.]ts'/g, `$1.${extension.replace('t', 'j')}'`));
  };
  try {
    const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '--project', 'dev/pack', '--outDir', emitted], {
      cwd: repositoryRoot,
      stdio: 'inherit',
    });
    write(entry);
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

interface JsonSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
}

/** The type `Settings`, with the description and the default of each setting. */
export function declareSettings(): string {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return `/** The settings of a deployment. */\nexport interface Settings ${membersOf(schema, '')}\n`;
}

function membersOf({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return `${inner}${commentOf(schema, isRequired)}\n${inner}readonly ${name}${isRequired ? '' : '?'}: ${typeOf(schema, inner)};`;
  });
  return `{\n${members.join('\n')}\n${indent}}`;
}

function commentOf({ description = '', default: value }: JsonSchema, isRequired: boolean): string {
  const text = `${description.slice(0, 1).toUpperCase()}${description.slice(1)}.`;
  if (isRequired) return `/** ${text} */`;
  const without = /without (it|them)\b|default/i.test(description) ? 'as described' : 'none';
  return `/** ${text} @default ${value === undefined ? without : JSON.stringify(value)} */`;
}

function typeOf(schema: JsonSchema, indent: string): string {
  const { type = 'unknown', enum: values, anyOf, items, properties, required, additionalProperties } = schema;
  if (anyOf) return anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items) return `readonly ${typeOf(items, indent)}[]`;
  // An optional group without required settings is on if it is `true` (section in values.ts).
  const isSection = schema.default === undefined && required === undefined;
  if (properties) return `${isSection ? 'boolean | ' : ''}${membersOf(schema, indent)}`;
  if (additionalProperties) return `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`;
  return type === 'integer' ? 'number' : type;
}
