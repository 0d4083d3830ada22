import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** jest's transformer for TypeScript: Node's own, so that tests run what runs elsewhere, line for line. */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default {
  process: (source: string) => ({ code: stripTypeScriptTypes(source) }),
  getCacheKey: (source: string) => createHash('sha256').update(process.version).update(source).digest('hex'),
};
