import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { checkToolResult } from '../../src/schemas/tool-results.ts';
import { httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

test('the result for an already tracked number without a container fits the schema of track_container', () => {
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

test('the result for a duplicate without a visible tracking request fits the schema of track_container', async () => {
  const sandbox = stillSandbox();
  const baseUrl = 'https://service.example/v2';
  const peer = httpPeer(createMcpHandler({ client: { baseUrl, fetch: sandbox.fetch, logger: false } }).fetch);
  sandbox.fail({
    match: { method: 'POST', path: '/tracking_requests' },
    status: 422,
    body: { errors: [{ code: 'duplicate', title: 'Unprocessable Entity' }] },
  });
  const args = { number: 'MSCU1234566', numberType: 'container', scac: 'MSCU' };
  const result = await peer.call('track_container', args);
  expect(plainResult(result)).toEqual({
    outcome: 'already_tracked',
    tracking_request_created: false,
    infer_result: { inferred_type: 'container', selected_scac: 'MSCU', source: 'arguments' },
    _metadata: { presentation_guidance: expect.any(String) },
  });
  expect(checkToolResult('track_container', result.structuredContent)).toEqual([]);
});

test('an invalid container is reported, and is not treated as a number without a record', () => {
  const result = { container_number: 5, tracking_request_created: false, _metadata: {} };
  expect(checkToolResult('track_container', result)).not.toEqual([]);
});
