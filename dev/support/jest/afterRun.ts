import { rmSync } from 'node:fs';

/** jest's global teardown: what processes compiled in the run is gone with it. */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default function forgetCompiled(): void {
  rmSync(process.env['NODE_COMPILE_CACHE'] as string, { recursive: true, force: true });
}
