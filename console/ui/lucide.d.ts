/** The elements of an icon, in a square of 24. */
type IconNode = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: IconNode;
  // biome-ignore lint/style/noDefaultExport: Lucide's files have it
  export default icon;
}
