/**
 * Compares the version of this program with that of the deployed service. The first two numbers must be equal.
 *
 * @returns a warning with both versions and the fix, or undefined if the versions are compatible
 */
export function versionWarning(own: string, service: string): string | undefined {
  const numbers = [service, own].flatMap((version) => version.split('.', 2).map(Number));
  const [major = 0, minor = 0, ownMajor = 0, ownMinor = 0] = numbers;
  const difference = major - ownMajor || minor - ownMinor;
  if (difference === 0) return undefined;
  const fix = `${difference < 0 ? 'Deploy the service again, or install' : 'Install'} flagwire@${service} (docs/packages.md)`;
  return `Flagwire ${service} is deployed, and this program has version ${own}. ${fix}`;
}
