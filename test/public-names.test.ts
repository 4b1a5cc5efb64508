import { expect, test } from 'vitest';
import { publicSurface } from '../scripts/api-report.ts';
import { undocumented } from '../support/public-names.ts';

test('every public function, class, method, option, type and field has a comment', { timeout: 60_000 }, () => {
  expect(undocumented(publicSurface())).toEqual([]);
});
