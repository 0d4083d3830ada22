import type { BuiltPage } from './build.ts';

interface RecordedPage {
  readonly html: string;
  readonly assets: readonly (readonly [name: string, asset: { readonly type: string; readonly text: string }])[];
}

/** A built page as one text, for packages and for the function of the deployed console. */
export function recordPage({ html, assets }: BuiltPage): string {
  const files = Array.from(
    assets,
    ([name, { type, body }]) => [name, { type, text: new TextDecoder().decode(body) }] as const,
  );
  return JSON.stringify({ html, assets: files } satisfies RecordedPage);
}

/** Reads what {@link recordPage} made. */
export function readPage(text: string): BuiltPage {
  const { html, assets } = JSON.parse(text) as RecordedPage;
  return {
    html,
    assets: new Map(assets.map(([name, asset]) => [name, { type: asset.type, body: Buffer.from(asset.text) }])),
  };
}
