/* Test file for describeWith.test.ts. */

const missing = 'no-such-package';
await import(missing);
