import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { attributes, call, stillSandbox, track } from '../../support/sandbox.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** `AbortSignal.timeout` with the timers that vitest fakes. */
function fakedTimeout(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms);
  return controller.signal;
}

const never = () => new Promise<never>(() => {});

/** A sandbox that has this number of webhooks, and one notification to send to each of them. */
async function notifying(webhooks: number, options: SandboxOptions) {
  const sandbox = stillSandbox(options);
  for (let n = 0; n < webhooks; n++) {
    const webhook = { url: `https://hook-${n}.example/`, active: true, events: ['tracking_request.succeeded'] };
    await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
  }
  await track(sandbox, 'MAEU123456789');
  sandbox.advance({ seconds: 1 });
  return sandbox;
}

describe('a receiver that never responds', () => {
  const receivers = {
    'at all': never,
    'with the rest of its body': async () => new Response(new ReadableStream({ pull: never }), { status: 202 }),
  };

  test.each(Object.entries(receivers))(
    '(%s) is abandoned after ten seconds, and the other receivers get their notifications',
    async (_, receiver) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      vi.spyOn(AbortSignal, 'timeout').mockImplementation(fakedTimeout);
      let tried = 0;
      const sandbox = await notifying(20, {
        webhooks: { concurrency: 8 },
        fetch() {
          tried += 1;
          return receiver();
        },
      });
      const flushed = sandbox.flush().then(() => 'flushed');
      for (const turn of [8, 16, 20]) {
        while (tried < turn) await new Promise(resolve => setImmediate(resolve));
        expect(await Promise.race([flushed, 'still waiting'])).toBe('still waiting');
        await vi.advanceTimersByTimeAsync(9999);
        expect(tried).toBe(turn);
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(await flushed).toBe('flushed');
      const [delivery] = sandbox.account().deliveries();
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatus: null });
      expect(delivery?.lastError).toMatch(/timeout/);
    },
  );
});

describe('reset()', () => {
  test('ends the open deliveries, so that no notification from before the reset is sent after the reset', async () => {
    const answers: ((response: Response) => void)[] = [];
    const signals: AbortSignal[] = [];
    const sandbox = await notifying(3, {
      webhooks: { concurrency: 2, retryGapMs: 0 },
      fetch(request) {
        signals.push(request.signal);
        return new Promise(resolve => answers.push(resolve));
      },
    });
    while (answers.length < 2) await new Promise(resolve => setImmediate(resolve));
    const flushed = sandbox.flush();
    const changes: string[] = [];
    onTestFinished(sandbox.subscribe(({ type }) => void changes.push(type)));
    sandbox.reset();
    for (const answer of answers) answer(new Response(null, { status: 500 }));
    await flushed;
    expect(answers).toHaveLength(2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(changes).toEqual(['clock']);
  });

  test('drops a delivery that has not been sent yet', async () => {
    const send = vi.fn<NonNullable<SandboxOptions['fetch']>>(async () => new Response(null, { status: 202 }));
    const sandbox = await notifying(1, { fetch: send });
    const flushed = sandbox.flush();
    sandbox.reset();
    await flushed;
    expect(send).not.toHaveBeenCalled();
  });
});

describe('deactivateAfter', () => {
  const [DEACTIVATE_AFTER, WAITING] = [3, 5];
  const active = async (sandbox: Sandbox, id: string) =>
    (await call(sandbox, 'GET', `/webhooks/${id}`)).body.data.attributes.active;

  test('ignores notifications that an inactive webhook did not get, and failures from before the webhook was switched on', async () => {
    const sandbox = stillSandbox({
      webhooks: { deactivateAfter: DEACTIVATE_AFTER, concurrency: 1 },
      fetch: async () => new Response(null, { status: 500 }),
    });
    const webhook = { url: 'https://hook.example/', active: true, events: ['tracking_request.succeeded'] };
    const { id } = (await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook))).body.data;
    const setActive = (on: boolean) => call(sandbox, 'PATCH', `/webhooks/${id}`, attributes('webhook', { active: on }));
    for (let n = 0; n < WAITING; n++) await track(sandbox, `MAEU20000000${n}`);
    sandbox.advance({ seconds: 1 });
    await sandbox.flush();
    // While the webhook is inactive, the due attempts of its notifications fail without a request.
    await setActive(false);
    sandbox.advance({ minutes: 2 });
    await sandbox.flush();
    expect(
      sandbox
        .account()
        .deliveries()
        .map(({ status }) => status),
    ).toEqual(Array(WAITING).fill('failed'));

    await setActive(true);
    for (let failed = 1; failed <= DEACTIVATE_AFTER; failed++) {
      expect(await active(sandbox, id)).toBe(true);
      await track(sandbox, `MAEU30000000${failed}`);
      sandbox.advance({ days: 10 });
      await sandbox.flush();
    }
    expect(await active(sandbox, id)).toBe(false);
  });

  test('counts from zero again after a program has switched the webhook off and on', async () => {
    const sandbox = stillSandbox({
      webhooks: { deactivateAfter: 2, concurrency: 1 },
      fetch: async () => new Response(null, { status: 500 }),
    });
    const webhook = { url: 'https://hook.example/', active: true, events: ['tracking_request.succeeded'] };
    const { id } = (await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook))).body.data;
    const fail = async (number: string) => {
      await track(sandbox, number);
      sandbox.advance({ days: 10 });
      await sandbox.flush();
    };
    await fail('MAEU200000001');
    for (const on of [false, true]) {
      await call(sandbox, 'PATCH', `/webhooks/${id}`, attributes('webhook', { active: on }));
    }
    await fail('MAEU200000002');
    expect(await active(sandbox, id)).toBe(true);
    await fail('MAEU200000003');
    expect(await active(sandbox, id)).toBe(false);
  });
});
