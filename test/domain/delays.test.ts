import { describe, expect, test } from 'vitest';
import { delays } from '../../src/domain/index.ts';

const FIRST = { pod_original_eta_at: '2026-03-01T08:00:00Z', pod_timezone: 'America/New_York' };

describe('delays()', () => {
  test('compares the actual arrival, or else the latest estimate, with the first estimate', () => {
    const estimated = { ...FIRST, pod_eta_at: '2026-03-03T20:00:00Z' };
    expect(delays(estimated).arrival).toEqual({
      first: '2026-03-01T08:00:00Z',
      latest: '2026-03-03T20:00:00Z',
      isActual: false,
      timezone: 'America/New_York',
      days: 2.5,
      isLate: true,
    });
    const arrived = delays({ ...estimated, pod_ata_at: '2026-03-02T08:00:00Z' }).arrival;
    expect(arrived).toMatchObject({ latest: '2026-03-02T08:00:00Z', isActual: true, days: 1 });
  });

  test('distinguishes departure, arrival and destination', () => {
    const { departure, arrival, destination } = delays({
      ...FIRST,
      pod_eta_at: FIRST.pod_original_eta_at,
      pol_original_etd_at: '2026-02-01T00:00:00Z',
      pol_atd_at: '2026-02-01T12:00:00Z',
      pol_timezone: 'Asia/Shanghai',
      destination_original_eta_at: '2026-03-09T00:00:00Z',
      destination_eta_at: '2026-03-08T00:00:00+00:00',
      destination_timezone: null,
    });
    expect(departure).toMatchObject({ days: 0.5, isLate: true, isActual: true, timezone: 'Asia/Shanghai' });
    expect(arrival).toMatchObject({ days: 0, isLate: false });
    expect(destination).toMatchObject({ days: -1, isLate: false, timezone: null });
  });

  test.each([1, -1])(
    'for a difference of %i minute returns 0 days, never -0, and isLate is true only for a later arrival',
    minutes => {
      const at = new Date(Date.parse(FIRST.pod_original_eta_at) + minutes * 60_000).toISOString();
      const { arrival } = delays({ ...FIRST, pod_eta_at: at });
      expect(arrival?.isLate).toBe(minutes > 0);
      expect(arrival?.days).toBe(0);
    },
  );

  test.each([
    ['nothing', {}],
    ['no first estimate', { pod_eta_at: '2026-03-03T20:00:00Z', pod_original_eta_at: null }],
    ['no time besides the first estimate', FIRST],
    ['an empty text', { ...FIRST, pod_ata_at: '', pod_eta_at: '' }],
    ['a text that is not a time', { ...FIRST, pod_eta_at: 'soon' }],
  ])('is null for %s', (_, shipment) => {
    expect(delays(shipment)).toEqual({ departure: null, arrival: null, destination: null });
  });
});
