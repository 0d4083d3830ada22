import fc from 'fast-check';

/**
 * Any UTF-16 text, including lone surrogates. fast-check's `unit: 'binary'` takes a second to prepare in every test
 * file.
 */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }));
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units));
}
