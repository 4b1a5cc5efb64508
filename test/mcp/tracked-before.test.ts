import { expect, test } from 'vitest';
import { checkToolResult } from '../../src/schemas/tool-results.ts';

test('a number that was given to track before, and has no container yet, fits the schema of track_container', () => {
  const pending = { request_number: 'MSCU1234566', number_type: 'container', scac: 'MSCU', status: 'pending' };
  const result = {
    tracking_request_created: false,
    tracking_request: { id: '11111111-1111-4111-8111-111111111111', ...pending },
    _metadata: { presentation_guidance: 'The number is tracked.', recommendations: [] },
  };
  expect(checkToolResult('track_container', result)).toEqual([]);
  expect(
    checkToolResult('track_container', { ...result, tracking_request: { ...pending, request_number: 5 } }),
  ).not.toEqual([]);
});
