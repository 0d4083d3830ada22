/**
 * Loaded before each program of this repository (package.json, cdk.json). Without type stripping, Node cannot read the first
 * line of a program, and its own error does not name the version that can.
 */
if (!process.features.typescript) {
  console.error(
    `Flagwire needs Node 22.18 or newer, and this is ${process.version}. npm ci installs Node 24 for its commands, unless ` +
      'install scripts are off. Install it now: npm rebuild node --ignore-scripts=false',
  );
  process.exit(1);
}
