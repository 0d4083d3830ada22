import { describe, expect, test } from '@jest/globals';
import { place, withPlace } from './places.ts';

describe('a page with places for results', () => {
  const page = `before\n${place('window', 'old')}\nbetween\n${place('beside', 'older')}\nafter\n`;

  test('has the new ones there, and all else as it was', () => {
    const longer = withPlace(page, 'beside', 'new');
    expect(longer).toBe(page.replace('older', 'new'));
    expect(withPlace(longer, 'beside', 'new')).toBe(longer);
    expect(withPlace(page, 'window', 'new')).toBe(page.replace('old', 'new'));
  });

  test('is refused without its marks', () => {
    expect(() => withPlace('no place', 'window', 'new')).toThrow('has no place for results');
  });
});
