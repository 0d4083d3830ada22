import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What is asked of a place in the syntax tree, of Babel's `NodePath`. */
interface Place {
  readonly node: {
    readonly type: string;
    readonly callee?: { readonly type: string; readonly object?: { readonly name?: string } };
  };
  readonly parentPath?: Place | null;
}

/** What the log is called, and the one that leaves repeated lines out. */
const LOGS: readonly (string | undefined)[] = ['log', 'limited'];
const TEXTS: readonly string[] = ['StringLiteral', 'TemplateLiteral'];

/** Why a place is left as it is: it is a text handed to the log, for people to read; the fields beside it are mutated. */
export function reasonToIgnore({ node, parentPath }: Place): string | undefined {
  const { type, callee } = parentPath?.node ?? {};
  const isLogCall =
    type === 'CallExpression' && callee?.type === 'MemberExpression' && LOGS.includes(callee.object?.name);
  return isLogCall && TEXTS.includes(node.type) ? 'a text of the log' : undefined;
}

/** Stryker's plugin, by the name that the settings give it. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'log-texts', { shouldIgnore: (path) => reasonToIgnore(path as Place) }),
];
